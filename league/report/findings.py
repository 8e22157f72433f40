"""All that the pages of a league are drawn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from league.games import Game
from league.report.beliefs import Beliefs
from league.report.facts import BotFacts, Facts
from league.report.gather import Gathered
from league.report.ranking import Ranked, ranking
from league.report.sample import Sample


@dataclass(frozen=True)
class Findings:
    """One league, read, gathered and understood; bots are places in `facts.bots`."""

    facts: Facts
    game: Game
    gathered: Gathered
    beliefs: Beliefs
    sample: Sample

    @cached_property
    def ranked(self) -> list[Ranked]:
        """The rated bots, best first."""
        return ranking(self.facts, self.gathered)

    @property
    def bots(self) -> Sequence[BotFacts]:
        """The bots, best first."""
        return self.facts.bots

    @property
    def names(self) -> list[str]:
        """Their names."""
        return [bot.name for bot in self.bots]
