"""The numbers of the rankings page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from league.report.facts import BotFacts, Facts
from league.report.gather import Gathered
from league.words import counted

SURE_WIDTH = 1.0
"""A bot is provisional while its interval reaches further than this to either side, about a quarter of beta."""


@dataclass(frozen=True)
class Badge:
    """A word beside a bot's name, and what it means."""

    word: str
    meaning: str


@dataclass(frozen=True)
class Ranked:
    """A row of the ranking.

    Attributes:
        bot: Whose it is.
        rank_low, rank_high: Between which ranks it stands.
        mu, sigma, rating: As rated by the league's method.
        online: What TrueSkill says, match by match.
        order_free: What the fit that does not depend on the order of matches says, on the level of `mu`.
        low, high: Ends of its 95 % interval, from mirror sets.
        disputed: Whether the two methods rank it differently by more than the interval explains.
        matches, wins, ties, losses: Counts; a tie is a shared first place.
        share: Points won of those at stake, 2 for each opponent beaten and 1 for each tied with; None without matches.
        mean_rank: From 1.
        mean_score: In the game's unit.
        by_seat: Share by seat; None where it never sat.
        faults, forfeits: Counts.
        think_ms: Thinking time a match; None without matches.
        badges: What to beware of.
    """

    bot: BotFacts
    rank_low: int
    rank_high: int
    mu: float
    sigma: float
    rating: float
    online: float
    order_free: float
    low: float
    high: float
    disputed: bool
    matches: int
    wins: int
    ties: int
    losses: int
    share: float | None
    mean_rank: float
    mean_score: float
    by_seat: Sequence[float | None]
    faults: int
    forfeits: int
    think_ms: float | None
    badges: Sequence[Badge]

    @property
    def ranks(self) -> str:
        """The rank, or the range of ranks."""
        same = self.rank_low == self.rank_high
        return f"{self.rank_low}" if same else f"{self.rank_low}–{self.rank_high}"


def ranking(facts: Facts, gathered: Gathered) -> list[Ranked]:
    """The rated bots, best first."""
    components = len({bot.standing["component"] for bot in facts.bots if bot.standing})
    return [_ranked(bot, place, gathered, components) for place, bot in enumerate(facts.bots) if bot.standing]


def _ranked(bot: BotFacts, place: int, gathered: Gathered, components: int) -> Ranked:
    row, tally = bot.standing, gathered.tally
    stake = 2 * (gathered.seats - 1) * tally.seat_matches[place]
    points, played = tally.seat_points[place], int(tally.seat_matches[place].sum())
    return Ranked(
        bot=bot,
        rank_low=row["rank_low"],
        rank_high=row["rank_high"],
        mu=row["mu"],
        sigma=row["sigma"],
        rating=row["rating"],
        online=row["online_mu"],
        order_free=row["fit_mu"],
        low=row["fit_low"],
        high=row["fit_high"],
        disputed=row["disputed"],
        matches=row["matches"],
        wins=row["wins"],
        ties=row["ties"],
        losses=row["losses"],
        share=_ratio(points.sum(), stake.sum()),
        mean_rank=row["mean_rank"],
        mean_score=row["mean_score"],
        by_seat=[_ratio(points[seat], stake[seat]) for seat in range(gathered.seats)],
        faults=row["faults"],
        forfeits=row["forfeits"],
        think_ms=_ratio(gathered.think_us[place] / 1000, played),
        badges=_badges(row, components),
    )


def _ratio(part: Any, whole: Any) -> float | None:
    return float(part) / float(whole) if whole else None


def _badges(row: Mapping[str, Any], components: int) -> list[Badge]:
    if not row["matches"]:
        return [Badge("no matches", "It has not played yet")]
    badges = []
    reach = (row["fit_high"] - row["fit_low"]) / 2
    if reach > SURE_WIDTH:
        badges.append(Badge("provisional", f"Few matches yet: the rating may be off by {reach:.1f}"))
    if row["forfeits"]:
        badges.append(
            Badge(
                "quarantined",
                f"Forfeited {counted(row['forfeits'], 'match', 'matches')} after too many faults",
            )
        )
    if components > 1:
        meaning = f"Compared only with those that met {row['component']}, directly or through others"
        badges.append(Badge("not connected", meaning))
    if row["disputed"]:
        meaning = "Match by match it ranks outside the range that all matches at once leave open"
        badges.append(Badge("methods differ", meaning))
    return badges


def narrowing(facts: Facts) -> float | None:
    """By what share mirror sets narrowed the intervals of the ratings, on average; None without matches."""
    widths = [row.standing["narrowing"] for row in facts.bots if row.standing and row.standing["matches"]]
    return 1 - sum(widths) / len(widths) if widths else None


def headline(rows: Sequence[Ranked]) -> str:
    """Who is best and how sure that is, in a sentence or two."""
    if not rows or not any(row.matches for row in rows):
        return "No match has been rated yet."
    first = rows[0]
    if len(rows) == 1:
        return f"{first.bot.name} played alone; there is nobody to compare it with."
    rivals = [row.bot.name for row in rows[1:] if row.rank_low == first.rank_low]
    if not rivals:
        behind = first.rating - rows[1].rating
        return f"{first.bot.name} is the best: {behind:.1f} ahead of {rows[1].bot.name}, further than chance explains."
    if len(rivals) > 3:
        return f"{first.bot.name} leads, but {len(rivals)} others cannot be told apart from it yet."
    names = rivals[0] if len(rivals) == 1 else f"{', '.join(rivals[:-1])} and {rivals[-1]}"
    return f"{first.bot.name} leads, but {names} cannot be told apart from it yet."
