"""A bot that weighs what one more roll may bring against what it may cost."""

from league import Bot
from league.games.regenwormen import Keep, View, worms


class Odds(Bot):
    """Keeps many points on few dice, worms early, and rolls on only while the odds of a new face are worth it."""

    game = "regenwormen"
    options = {"gain": 0.8, "die": 2.8, "worm": 4.0}

    def __init__(self) -> None:
        self.gain, self.die, self.worm = (float(self.options[name]) for name in ("gain", "die", "worm"))

    def choose(self, view: View) -> Keep:
        """Compare every legal action by a guess at its worth in worms."""
        return max(view.legal, key=lambda keep: self.worth(view, keep))

    def worth(self, view: View, keep: Keep) -> float:
        """What an action seems to be worth."""
        total = view.total + keep.points
        if keep.then == "steal":
            return worms(total) * (1 + 1 / (view.seats - 1))
        if keep.then == "take":
            return worms(keep.tile or max(tile for tile in view.open_tiles if tile <= total))
        return self.hope(view, keep) if keep.then == "roll" else -self.loss(view)

    def hope(self, view: View, keep: Keep) -> float:
        """Rolling on: the chance of a new face times a guess at what may then be had."""
        faces = 1 + sum(count > 0 for count in view.kept)
        fails = (faces / 6) ** (view.dice_left - keep.count)
        worm = keep.face == 6 or view.kept[5] > 0
        promise = keep.points - self.die * keep.count + self.worm * worm
        safe = worms(view.total + keep.points) if worm and view.total + keep.points > 20 else 0
        return (1 - fails) * (safe + self.gain) - fails * self.loss(view) + promise / 20

    def loss(self, view: View) -> int:
        """The worms that a failure costs."""
        stack = view.stacks[view.seat]
        return worms(stack[-1]) if stack else 0
