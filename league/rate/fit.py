"""What an order-free fit knows when it is done; intervals and comparisons stand on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from league.rate import Estimate, Floats, Ints


@dataclass(frozen=True)
class Fit:
    """A model fitted to the outcomes of a tally.

    Attributes:
        mu: `[B]` ratings in the model's own unit.
        covariance: `[B, B]` of the ratings, taking matches as independent; the inverse of the curvature of the
            log-likelihood and the prior.
        prior: `[B]` how much of the curvature is the prior's.
        gradients: `[O, S]` derivative of each outcome's log-likelihood by the ratings of its bots.
        expected: `[B, B]` score that row should get against column when the two meet.
        slope: `[B, B]` derivative of `expected` by the difference of ratings.
        components: `[B]` smallest bot of those that the bot was compared with, directly or through others.
    """

    mu: Floats
    covariance: Floats
    prior: Floats
    gradients: Floats
    expected: Floats
    slope: Floats
    components: Ints

    def estimate(self) -> Estimate:
        """Ratings with the `sigma` that reads right in differences.

        Only differences within a component are known; the common level is not, and its uncertainty, shared
        by all, is left out. `sigma` is such that sigma_i^2 + sigma_j^2 is about the variance of the
        difference, and exactly so for equally well known bots (quasi-variances: Firth and de Menezes,
        Biometrika 91, 2004). Without any match it is the prior's.
        """
        sigma = np.sqrt(np.diag(self.covariance))
        for members in groups(self.components):
            if len(members) > 1:
                block = centre(centre(self.covariance[np.ix_(members, members)]).T)
                sigma[members] = np.sqrt(np.diag(block) * len(members) / (len(members) - 1))
        return Estimate(self.mu, sigma)


def centre(values: Floats) -> Floats:
    """`values` less their mean over the first axis."""
    return np.asarray(values - values.mean(axis=0))


def inverse(curvature: Floats) -> Floats:
    """The covariance that belongs to a curvature, symmetric to the last bit."""
    covariance = np.linalg.inv(curvature)
    return np.asarray((covariance + covariance.T) / 2, np.float64)


def groups(components: Ints) -> list[Ints]:
    """The bots of each component, components by their smallest bot."""
    return [np.flatnonzero(components == label) for label in np.unique(components)]


def components(met: Floats | Ints) -> Ints:
    """`[B]` labels of the comparison graph's components: the smallest bot of each.

    Args:
        met: `[B, B]`, not zero where the two bots met.
    """
    reach = (np.asarray(met) != 0) | np.eye(len(met), dtype=bool)
    while True:
        further = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0
        if np.array_equal(further, reach):
            return np.asarray(reach.argmax(axis=1), np.int64)
        reach = further
