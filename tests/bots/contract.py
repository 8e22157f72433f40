"""What every bot must hold to.

`test_contract.py` asks it of all example bots; whoever keeps bots elsewhere derives a test class from `BotContract` and
parametrises it with their entries.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from league.games import Game
from league.games.find import find_game
from league.play import Batch, Limits, Played
from league.play.seated import Seated, play_seated
from league.roster import Entry
from league.roster.find import find_bot
from tests.games.tables import variants

few = settings(max_examples=4)
SEEDS = st.integers(0, 2**31)


def seated(entry: Entry) -> Seated:
    """The bot with its own defaults, in this process."""
    return Seated(entry.label, entry.bundle, entry.kind, entry.options, "none")


def batch_of(game: Game, matches: int, first: int = 0) -> Batch:
    """Matches of one bot against itself, a deal each."""
    deals = np.arange(first, first + matches, dtype=np.int64)
    return Batch(first, first, deals, np.zeros((matches, game.seats), np.int16))


def play_alone(game: Game, entry: Entry, matches: int, seed: int, first: int = 0) -> Played:
    """Play a batch in which the bot sits on every seat."""
    batch = batch_of(game, matches, first)
    return play_seated(game, [seated(entry)], batch, Limits(), seed)


def actions_by_match(played: Played) -> list[Any]:
    """The action rows of each match, as bytes."""
    ends = np.cumsum(played.decisions)
    return [rows.tobytes() for rows in np.split(played.actions, ends[:-1])]


def share(game: Game, first: str, second: str, sets: int) -> float:
    """The points of the first bot in two-seat mirror sets: 1 for a match won, half for a tie."""
    bots = np.tile(np.array([[0, 1], [1, 0]], np.int16), (sets, 1))
    batch = Batch(0, 0, np.repeat(np.arange(sets, dtype=np.int64), 2), bots)
    entries = [find_bot(name, game.name) for name in (first, second)]
    ranks = play_seated(game, [seated(entry) for entry in entries], batch, Limits(), seed=3).ranks
    mine, others = np.where(bots[:, 0] == 0, ranks.T, ranks.T[::-1])
    return float(((mine < others) + (mine == others) / 2).mean())


class BotContract:
    """Derive from it, parametrised with `entry`."""

    def test_says_what_it_is(self, entry: Entry) -> None:
        assert entry.summary.endswith((".", ";", ":", ","))
        assert entry.game in entry.origin or not entry.example

    @given(st.data())
    @few
    def test_plays_by_the_rules(self, entry: Entry, data: st.DataObject) -> None:
        """No fault in any variant."""
        game = data.draw(variants(entry.game, short=True))
        assert not play_alone(game, entry, 3, data.draw(SEEDS)).faults

    @given(SEEDS)
    @few
    def test_same_seed_same_play(self, entry: Entry, seed: int) -> None:
        game = find_game(entry.game)()
        once, again = (play_alone(game, entry, 3, seed) for _ in range(2))
        assert once.actions.tobytes() == again.actions.tobytes()
        assert once.scores.tolist() == again.scores.tolist()

    @given(SEEDS)
    @few
    def test_matches_beside_it_do_not_count(self, entry: Entry, seed: int) -> None:
        """A match comes out the same alone and in lockstep with others."""
        game = find_game(entry.game)()
        together = actions_by_match(play_alone(game, entry, 3, seed))
        assert together == [
            actions_by_match(play_alone(game, entry, 1, seed, first=match))[0] for match in range(3)
        ]
