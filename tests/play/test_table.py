"""The table: one fault policy for every kind of bot, nobody else affected, and the same answers from every kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, get_args

import numpy as np
import pytest

from league.bot import Bot
from league.games.find import find_game
from league.games.rummikub import Play
from league.play import Batch, Host, Limits, Played, table
from league.play.hosts import Isolation, host_for
from league.play.in_process import InProcessHost
from league.play.seated import Seated, play_seated
from league.play.seeding import deal_seeds
from league.play.table import play_batch, rank_faulty_last
from league.roster import Bundle, Kind

SOURCE = b"""
import numpy as np

from league import BatchBot, Bot, CompiledBot
from league.games.regenwormen import Keep
from league.kernels import kernel


class Honest(Bot):
    game = "regenwormen"

    def choose(self, view):
        return self.rng.choice(view.legal)


class LastLegal(Bot):
    game = "regenwormen"
    options = {"skip": 0}

    def choose(self, view):
        return view.legal[-1 - self.options["skip"] % len(view.legal)]


class LastLegalBatch(BatchBot):
    game = "regenwormen"
    options = {"skip": 0}

    def choose_many(self, views, legal, seeds):
        places = legal.counts - 1 - self.options["skip"] % legal.counts
        return legal.actions[np.arange(len(views)), places]


class SometimesBatch(LastLegalBatch):
    def choose_many(self, views, legal, seeds):
        if (seeds % np.uint64(17) == 0).any():
            raise ValueError("one of these")
        return super().choose_many(views, legal, seeds)


class ShortBatch(BatchBot):
    game = "regenwormen"

    def choose_many(self, views, legal, seeds):
        return None


class BadConstructor(Bot):
    game = "regenwormen"

    def __init__(self):
        raise RuntimeError("not today")

    def choose(self, view):
        return view.legal[0]


class Raises(Honest):
    def choose(self, view):
        if self.rng.random() < 0.05:
            raise KeyError("lost it")
        return super().choose(view)


class Exits(Honest):
    def choose(self, view):
        raise SystemExit


class Illegal(Honest):
    def choose(self, view):
        if self.rng.random() < 0.05 and len({keep.face for keep in view.legal}) < 6:
            return Keep(next(face for face in range(1, 7) if face not in [keep.face for keep in view.legal]), "roll")
        return super().choose(view)


class NoAction(Honest):
    def choose(self, view):
        return "a word"


class Unprintable(Honest):
    def choose(self, view):
        class Bad(Exception):
            def __str__(self):
                raise ValueError
        raise Bad
"""
IDLE = b"""
from league import Bot

class Idle(Bot):
    game = "dominoes"
    def choose(self, view):
        return view.legal[0]
"""
KINDS: dict[str, Kind] = {"LastLegalBatch": "batch", "SometimesBatch": "batch", "ShortBatch": "batch"}
GAME = find_game("regenwormen")(3)
SEATS = np.array([np.roll([0, 1, 2], match) for match in range(90)], np.int16)


class First(Bot):
    """Takes the first legal action."""

    game = "dominoes"

    def choose(self, view: Any) -> Any:
        return view.legal[0]


class Short(Bot):
    """Lays two tiles."""

    game = "rummikub"

    def choose(self, view: Any) -> Play:
        return Play((("r7", "r8"),))


class Unknown(Bot):
    """Lays a tile that there is not."""

    game = "rummikub"

    def choose(self, view: Any) -> Play:
        return Play((("r7", "r8", "r9"), ("r0", "r1", "r2")))


def play(
    *names: str, limits: Limits | None = None, options: Mapping[str, Any] | None = None, matches: int = 90
) -> Played:
    """Three bots at a table, in every rotation."""
    limits = limits or Limits(faults_per_batch=10**6)
    hosts = [
        host_for(
            GAME,
            Bundle({"table_bots.py": SOURCE}, "table_bots.py", name),
            KINDS.get(name, "python"),
            (options or {}) if name.startswith("Last") else {"skip": 0},
            "none",
            limits,
        )
        for name in names
    ]
    batch = Batch(0, 0, np.arange(matches) // 3, SEATS[:matches])
    return play_batch(GAME, batch, hosts, limits, league_seed=11)


class Elsewhere(InProcessHost):
    """Says that its bot thinks in a process of its own, which makes the table play in shifts."""

    is_apart = True


class Scruple(Bot):
    """Fails in one of 40 decisions, and has a memory."""

    game = "regenwormen"
    seen = 0

    def choose(self, view: Any) -> Any:
        self.seen += view.total
        if self.rng.random() < 1 / 40:
            raise RuntimeError("not this one")
        return view.legal[self.seen % len(view.legal)]


def in_shifts(worth: int, slots: int, limits: Limits, monkeypatch: pytest.MonkeyPatch) -> Played:
    """A batch of 90 matches, of which so many step together, in two shifts as long as each is worth it."""
    monkeypatch.setattr(table, "SLOTS", slots)
    monkeypatch.setattr(table, "WORTH_A_SHIFT", worth)
    hosts = [Elsewhere(GAME, Scruple, {}) for _ in range(3)]
    return play_batch(GAME, Batch(0, 0, np.arange(90) // 3, SEATS), hosts, limits, league_seed=11)


@pytest.mark.parametrize("slots", [90, 41])
@pytest.mark.parametrize("worth", [1, 6, 20])
def test_shifts_change_nothing(worth: int, slots: int, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits(faults_per_batch=10**6)
    plain, found = (in_shifts(each, slots, limits, monkeypatch) for each in (10**6, worth))
    assert plain.faults == found.faults
    assert len(plain.faults) > 40
    assert plain.actions.tobytes() == found.actions.tobytes()
    for name in ("scores", "ranks", "decisions", "turns", "truncated"):
        assert np.array_equal(getattr(plain, name), getattr(found, name))


@pytest.mark.parametrize("worth", [1, 6, 20])
def test_forfeits_between_shifts_charge_a_seat_once(worth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    played = in_shifts(worth, 90, Limits(faults_per_batch=8), monkeypatch)
    for match, faults in played.faults.items():
        seats = [fault.seat for fault in faults]
        assert len(seats) == len(set(seats))
        assert all(0 <= fault.decision <= played.decisions[match] for fault in faults)
        assert played.ranks[match, seats].min() == 3 - len(seats)
    counted = Counter(
        (int(played.batch.bots[match, fault.seat]), fault.kind)
        for match, faults in played.faults.items()
        for fault in faults
    )
    for bot in range(3):
        assert 8 <= counted[bot, "exception"] < 20
        assert counted[bot, "forfeit"] > 40


CLEAN = play("Honest", "Honest", "Honest")


def ranks_by_bot(played: Played) -> Any:
    ranks = np.zeros_like(played.ranks)
    np.put_along_axis(ranks, played.batch.bots.astype(int), played.ranks, axis=1)
    return ranks


@pytest.mark.parametrize(
    ("name", "kind", "told"),
    [
        ("Raises", "exception", "KeyError: 'lost it' (table_bots.py:"),
        ("Exits", "exception", "SystemExit"),
        ("Illegal", "illegal", " roll: "),
        ("BadConstructor", "exception", "RuntimeError: not today (table_bots.py:"),
        ("Unprintable", "exception", "Bad: its message cannot be read"),
        ("NoAction", "illegal", "answered str, not a Keep"),
        ("ShortBatch", "exception", "choose_many must answer"),
    ],
)
def test_a_faulty_bot_is_recorded_and_ranks_last(name: str, kind: str, told: str) -> None:
    played = play(name, "Honest", "Honest")
    assert played.faults
    for match, faults in played.faults.items():
        (fault,) = faults
        assert (fault.kind, played.batch.bots[match, fault.seat]) == (kind, 0)
        assert told in fault.message
        assert 0 <= fault.decision < played.decisions[match]
        assert ranks_by_bot(played)[match, 0] == ranks_by_bot(played)[match].max()
        assert (ranks_by_bot(played)[match, 1:] < 2).all()
    if name not in ("Raises", "Illegal"):
        assert len(played.faults) == 90


def test_matches_without_a_fault_are_as_if_nothing_had_happened() -> None:
    played = play("Raises", "Honest", "Honest")
    again = play("Raises", "Honest", "Honest")
    spared = [match for match in range(90) if match not in played.faults]
    assert 0 < len(spared) < 90
    assert played.faults == again.faults
    assert (played.actions == again.actions).all()
    alone = play("Raises", "Honest", "Honest", matches=45)
    assert (alone.scores == played.scores[:45]).all()
    assert alone.faults == {match: faults for match, faults in played.faults.items() if match < 45}


def test_many_faults_forfeit_the_rest_of_the_batch() -> None:
    played = play("Exits", "Honest", "Honest", limits=Limits(faults_per_batch=7))
    kinds = [fault.kind for faults in played.faults.values() for fault in faults]
    assert len(played.faults) == 90
    assert kinds.count("exception") >= 7
    assert kinds.count("forfeit") == 90 - kinds.count("exception") > 0
    assert {
        fault.message for faults in played.faults.values() for fault in faults if fault.kind == "forfeit"
    } == {"forfeited after 7 faults in this batch"}
    assert (ranks_by_bot(played)[:, 0] == 2).all()


def test_what_is_wrong_with_a_table_of_rummikub_is_said_in_words() -> None:
    game = find_game("rummikub")(2)
    table: tuple[Host, ...] = tuple(InProcessHost(game, bot, {}) for bot in (Short, Unknown))
    played = play_batch(game, Batch(0, 0, np.zeros(1, int), np.array([[0, 1]], np.int16)), table, Limits(), 1)
    assert {fault.message for fault in played.faults[0]} == {
        "set 1 has fewer than three tiles",
        "set 2 names a tile that does not exist",
    }


@pytest.mark.parametrize("slots", [8192, 90])
def test_a_match_in_which_nobody_decides_has_its_result(slots: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "SLOTS", slots)
    monkeypatch.setattr(table, "WORTH_A_SHIFT", 45)
    game = find_game("dominoes")(2, {"set": "double12", "target": 10})
    chooser = InProcessHost(game, First, {})
    batch = Batch(0, 0, np.arange(200), np.tile(np.array([0, 0], np.int16), (200, 1)))
    played = play_batch(game, batch, [chooser], Limits(), league_seed=3)
    undecided = played.decisions == 0
    assert 20 < undecided.sum() < 180
    for match in range(200):
        state = game.start(int(deal_seeds(3, batch.deals)[match]))
        before = int(played.decisions[:match].sum())
        for action in played.actions[before : before + played.decisions[match]]:
            game.kernels.step(state[0], action)
        assert (played.scores[match].tolist(), played.ranks[match].tolist()) == game.result(state[0])
        assert played.turns[match] == state["turn"][0]


@pytest.mark.parametrize("isolation", get_args(Isolation))
def test_a_batch_in_which_nobody_decides_is_played_wherever_bots_live(isolation: Isolation) -> None:
    game = find_game("dominoes")(2, {"set": "double12", "target": 5})
    idle = Seated("idle", Bundle({"idle.py": IDLE}, "idle.py", "Idle"), "python", {}, isolation)
    undecided = [deal for deal in range(60) if game.start(int(deal_seeds(1, [deal])[0]))["to_move"][0] < 0]
    for deals in (undecided, range(60)):
        bots = np.zeros((len(deals), 2), np.int16)
        played = play_seated(game, [idle], Batch(0, 0, np.asarray(deals), bots), Limits(), 1)
        assert not played.faults
        assert (played.scores.max(axis=1) >= 5).all()
    assert 0 < (played.decisions == 0).sum() < 60


def test_two_faulty_seats_share_the_last_rank() -> None:
    played = play("Exits", "Exits", "Honest")
    assert (ranks_by_bot(played) == [1, 1, 0]).all()
    ranks = np.array([[0, 1, 1, 3], [0, 0, 2, 3]], np.int8)
    rank_faulty_last(ranks, np.array([[True, False, False, False], [False, False, True, True]]))
    assert ranks.tolist() == [[3, 0, 0, 2], [0, 0, 2, 2]]


@pytest.mark.parametrize("skip", [0, 1])
def test_batch_bots_answer_as_their_twins_do(skip: int) -> None:
    python = play("LastLegal", "Honest", "LastLegal", options={"skip": skip})
    batch = play("LastLegalBatch", "Honest", "LastLegal", options={"skip": skip})
    assert (python.actions == batch.actions).all()
    assert (python.scores == batch.scores).all()


def test_a_batch_bot_is_charged_only_for_what_it_cannot_answer_alone() -> None:
    played = play("SometimesBatch", "Honest", "Honest")
    assert 0 < len(played.faults) < 90
    assert {fault.message.split(" (")[0] for faults in played.faults.values() for fault in faults} == {
        "ValueError: one of these"
    }


def test_every_seat_of_every_match_has_its_own_generator() -> None:
    """Two seats that play one class differ; a match does not depend on which others are played beside it."""
    few = play("Honest", "Honest", "Honest", matches=3)
    ends = np.cumsum(CLEAN.decisions)
    assert (CLEAN.actions[: ends[2]] == few.actions).all()
    assert (
        len({CLEAN.actions[begin:end].tobytes() for begin, end in zip([0, *ends], ends, strict=False)}) == 90
    )


def test_thinking_time_is_told_by_seat() -> None:
    assert (CLEAN.think_ns > 0).all()
    assert CLEAN.think_ns.shape == (90, 3)
