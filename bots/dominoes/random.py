"""The floor of every ranking."""

from __future__ import annotations

from league import Bot
from league.games.dominoes import Place, View


class Random(Bot):
    """Plays any legal placement."""

    game = "dominoes"

    def choose(self, view: View) -> Place:
        """All placements are equally likely."""
        return self.rng.choice(view.legal)
