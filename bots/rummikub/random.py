"""Any candidate play, or a draw, by chance."""

from __future__ import annotations

from league import Bot
from league.games.rummikub import Plain, Play, View


class Random(Bot):
    """Plays one of the listed actions, each as likely as the others."""

    game = "rummikub"

    def choose(self, view: View) -> Plain | Play:
        """One of `view.legal`."""
        return self.rng.choice(view.legal)
