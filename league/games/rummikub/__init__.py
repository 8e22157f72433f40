"""Rummikub."""

from league.games.rummikub.solving import solve
