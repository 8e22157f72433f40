"""Duels: who is better, and after how many deals one may say so."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from league import duel as duels
from league.cli import main
from league.duel import LOOK_EVERY, Duel, duel, lineups, match_scores
from league.errors import ConfigError
from league.games.find import find_game
from league.play.seated import Seated
from league.rate.sprt import Sprt
from league.roster import Bundle
from league.roster.find import find_bot
from tests.bots.contract import seated

BROKEN = b"""from league import Bot


class Broken(Bot):
    game = "regenwormen"

    def choose(self, view):
        raise ValueError("no idea")
"""


def bot(name: str) -> Seated:
    return seated(find_bot(name, "regenwormen"))


def play(a: str, b: str, deals: int, sprt: Sprt | None = None, seats: int = 2, seed: int = 3) -> Duel:
    return duel(find_game("regenwormen")(seats), (bot(a), bot(b)), deals, sprt, seed=seed)


@given(st.integers(2, 7), st.data())
def test_a_match_scores_the_share_of_pairs_won(seats: int, data: st.DataObject) -> None:
    ranks = data.draw(st.lists(st.integers(0, seats - 1), min_size=seats, max_size=seats))
    for seating, score in zip(
        lineups(seats), match_scores(lineups(seats), np.array([ranks, ranks])), strict=True
    ):
        pairs = [
            (ranks[one] < ranks[other]) + (ranks[one] == ranks[other]) / 2
            for one, other in product(range(seats), repeat=2)
            if seating[one] == 0 and seating[other] == 1
        ]
        assert score == pytest.approx(sum(pairs) / len(pairs))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_bot_against_itself_comes_out_even(seats: int) -> None:
    """The same deals and seats for both: what one gains in a seat, it loses there after the exchange."""
    found = play("most_points", "most_points", 40, seats=seats)
    assert found.comparison.score == 0.5
    assert found.scores.scores.tolist() == [0.5]
    assert found.comparison.elo == 0


def test_the_other_side_sees_the_mirror_image() -> None:
    ours, theirs = play("most_points", "highest_face", 60), play("highest_face", "most_points", 60)
    assert ours.comparison.score + theirs.comparison.score == pytest.approx(1)
    assert (ours.wins, ours.ties, ours.losses) == (theirs.losses, theirs.ties, theirs.wins)
    assert ours.comparison.elo_low == pytest.approx(-theirs.comparison.elo_high)


def test_a_test_stops_when_it_decides_however_many_are_played_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = play("odds", "random", 10_000, Sprt(0, 30))
    assert found.verdict is not None
    assert found.verdict.decision == "better"
    assert 0 < found.comparison.sets < 500
    assert found.comparison.sets % LOOK_EVERY == 0
    monkeypatch.setattr(duels, "SETS_AT_ONCE", LOOK_EVERY)
    assert play("odds", "random", 10_000, Sprt(0, 30)).comparison == found.comparison


def test_equals_are_not_called_better() -> None:
    found = play("random", "compiled_random", 3_000, Sprt(0, 40), seed=8)
    assert found.verdict is not None
    assert found.verdict.decision == "not better"


def test_faults_are_told_with_whose_they_are() -> None:
    broken = Seated("broken", Bundle({"b.py": BROKEN}, "b.py", "Broken"), "python", {}, "none")
    found = duel(find_game("regenwormen")(), (broken, bot("random")), 5, seed=1)
    assert found.losses == 10
    assert dict(found.fault_counts) == {"broken": 10}
    assert all(label == "broken" and "no idea" in fault.message for label, fault in found.faults)


def test_no_deals_are_refused() -> None:
    with pytest.raises(ConfigError, match="give at least 1"):
        play("random", "random", 0)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["random", "randm"], "did you mean 'random'"),
        (["random", "heaviest"], "bot 'heaviest' plays dominoes, not regenwormen"),
        (["odds", "random", "--seats", "9"], "regenwormen is for 2 to 7 seats"),
        (["odds", "worm_first", "0", "10"], "bounds go with --sprt"),
        (["odds", "worm_first", "--sprt", "10", "0"], "--sprt"),
    ],
)
def test_bad_use_is_one_line(words: list[str], said: str) -> None:
    came = CliRunner().invoke(main, ["duel", *words, "--game", "regenwormen"])
    assert came.exit_code == 2
    assert said in came.stderr
    assert len(came.stderr.splitlines()) == 1


def test_either_bot_says_what_is_played() -> None:
    came = CliRunner().invoke(main, ["duel", "random", "odds", "--seats", "2", "--deals", "5"])
    assert came.exit_code == 0, came.output


def test_even_is_no_minus() -> None:
    words = ["duel", "most_points", "most_points", "--game", "regenwormen", "--seats", "3", "--deals", "20"]
    came = CliRunner().invoke(main, words)
    assert "Elo          +0.0" in came.stdout


def test_the_command_prints_score_elo_and_verdict() -> None:
    words = ["duel", "odds", "random", "--game", "regenwormen", "--sprt", "0", "30", "--deals", "1000"]
    came = CliRunner().invoke(main, words)
    assert came.exit_code == 0, came.stderr
    for word in ("mirror sets", "score", "Elo", "likely", "test         better"):
        assert word in came.stdout
