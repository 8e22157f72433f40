"""A bot that plays anything legal."""

from league import Bot
from league.games.regenwormen import Keep, View


class Random(Bot):
    """Any legal action, each as likely as the others: the floor that every other bot should be above."""

    game = "regenwormen"

    def choose(self, view: View) -> Keep:
        """Draw from the list."""
        return self.rng.choice(view.legal)
