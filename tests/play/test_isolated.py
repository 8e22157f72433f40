"""Isolated bots of every kind decide as they do in process; limits, logs and speed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from league.clock import now_ns
from league.errors import BotError, ConfigError
from league.games.find import find_game
from league.kernels import Rows
from league.play import Ask, Batch, Limits, Played, hosts, isolated
from league.play.hosts import Isolation, host_for
from league.play.inside import Job
from league.play.isolated import Rehearsed
from league.play.printing import LOG_BYTES
from league.play.seated import Seated, play_seated
from league.play.table import play_batch
from league.roster import Bundle, Kind
from league.roster.load import home_of
from tests.play.test_hostile import assert_equal

SOURCE = """
import numpy as np
from league import BatchBot, Bot, CompiledBot
from league.games.regenwormen.kernels import legal
from league.kernels import kernel

@kernel
def pick(view, action, seed, options):
    return seed % np.uint64(options.every) == 0

class Python(Bot):
    game = "regenwormen"
    options = {"every": 50}
    def choose(self, view):
        print("asked")
        return view.legal[self.rng.randrange(len(view.legal))]

class Compiled(CompiledBot):
    game = "regenwormen"
    options = {"every": 50}
    @staticmethod
    def choose(view, action, seed, options):
        if pick(view, action, seed, options):
            BAD
        for face in range(6):
            for then in range(3):
                if view.legal[face] >> then & 1:
                    action.face, action.then = face + 1, then

class Batch(BatchBot):
    game = "regenwormen"
    options = {"every": 50}
    def choose_many(self, views, legal, seeds):
        if (seeds % np.uint64(self.options["every"]) == 0).any():
            BAD
        return legal.actions[np.arange(len(views)), (seeds % legal.counts.astype(np.uint64)).astype(int)].copy()
"""
NAMES: dict[Kind, str] = {"python": "Python", "compiled": "Compiled", "batch": "Batch"}
RAISE, LOOP = "raise ValueError('bad')", "while True: pass"
LIMITS = Limits(decision_ms=150, faults_per_batch=10_000)


def play(
    kind: Kind, isolation: Isolation, every: int, bad: str = RAISE, limits: Limits = LIMITS, log: Path | None = None,
    matches: int = 12,
) -> Played:  # fmt: skip
    """A bot with itself, that does `bad` when its seed is divisible by `every`."""
    game = find_game("regenwormen")(2, {"max_turns": 6})
    bundle = Bundle({"mine.py": SOURCE.replace("BAD", bad).encode()}, "mine.py", NAMES[kind])
    host = host_for(game, bundle, kind, {"every": every}, isolation, limits, log)
    batch = Batch(0, 0, np.arange(matches) // 2, np.zeros((matches, 2), np.int16))
    try:
        return play_batch(game, batch, [host], limits, 3)
    finally:
        host.close()


@pytest.mark.parametrize("kind", NAMES)
def test_equal_to_in_process(kind: Kind) -> None:
    played = play(kind, "process", 1 << 62)
    assert_equal(played, play(kind, "none", 1 << 62))
    assert played.faults == {}
    assert (played.think_ns.sum(axis=1) > 0).all()


@pytest.mark.parametrize("kind", ["compiled", "batch"])
@pytest.mark.parametrize("bad", [RAISE, LOOP])
def test_only_the_decision_in_hand_is_charged(kind: Kind, bad: str) -> None:
    limits = Limits(decision_ms=60, start_s=3, faults_per_batch=10_000)
    played, expected = play(kind, "process", 16, bad, limits, matches=4), play(kind, "none", 16, matches=4)
    assert expected.faults
    assert_equal(played, expected)
    assert {f.kind for found in played.faults.values() for f in found} == {
        "exception" if bad == RAISE else "timeout"
    }


def test_compiled_code_comes_from_a_rehearsal_and_from_no_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot gets nothing back that it handed out while it played; what is no code counts as none."""
    monkeypatch.setattr(isolated, "_rehearsed", {})
    only_here = "raise ValueError('never compiled outside of such a process')"
    played = play("compiled", "process", 1 << 62, only_here)
    ((key, found),) = isolated._rehearsed.items()
    assert len(found.code) > 1000
    for kept in (found.code, b"what a process left there when it was ended in the middle"):
        isolated._rehearsed[key] = Rehearsed(kept, None)
        assert_equal(play("compiled", "process", 1 << 62, only_here), played)
        assert isolated._rehearsed == {key: Rehearsed(kept, None)}


LATE = """
import numpy as np
from league import Bot
from league.kernels import kernel

@kernel
def middle(numbers):
    return np.argsort(np.sort(numbers))[len(numbers) // 2]

class Late(Bot):
    game = "regenwormen"
    def choose(self, view):
        self.asked = getattr(self, "asked", 0) + 1
        return view.legal[middle(np.arange(len(view.legal))) if self.asked > 3 else 0]
"""


def test_what_a_bot_compiles_in_the_middle_of_a_match_is_not_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither where a rehearsal compiled it, nor where none did; compiling takes ten times the limit."""
    monkeypatch.setattr(isolated, "_rehearsed", {})
    game = find_game("regenwormen")(2, {"max_turns": 6})
    seated = [Seated("late", Bundle({"late.py": LATE.encode()}, "late.py", "Late"), "python", {}, "process")]
    batch = Batch(0, 0, np.arange(4), np.zeros((4, 2), np.int16))
    limits = Limits(decision_ms=100)
    rehearsed = play_seated(game, seated, batch, limits, 3)
    ((key, found),) = isolated._rehearsed.items()
    assert b"middle" in found.code
    isolated._rehearsed[key] = Rehearsed(b"", None)
    unrehearsed = play_seated(game, seated, batch, limits, 3)
    assert rehearsed.faults == unrehearsed.faults == {}
    assert_equal(rehearsed, unrehearsed)


DAWDLES = """
import time
from league import Bot
from league.kernels import kernel

@kernel
def first(numbers):
    return numbers[0]

class Dawdles(Bot):
    game = "regenwormen"
    options = {"compiles": True}
    def choose(self, view):
        self.asked = getattr(self, "asked", 0) + 1
        time.sleep(0.25)
        if self.options["compiles"]:
            first((0,) * self.asked)
        return view.legal[0]
"""


@pytest.mark.parametrize("compiles", [True, False])
def test_a_rehearsal_comes_to_an_end(compiles: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a bot compiles something new at each decision, or takes its time over each; it keeps what it has."""
    monkeypatch.setattr(isolated, "_rehearsed", {})
    monkeypatch.setattr(isolated, "_COMPILE_S", 2)
    rounds: list[Ask] = []

    class Counted(isolated._Rehearsal):
        def post(self, notes: Rows, ask: Ask, singly: bool) -> None:
            rounds.append(ask)
            super().post(notes, ask, singly)

    monkeypatch.setattr(isolated, "_Rehearsal", Counted)
    bundle = Bundle({"dawdles.py": DAWDLES.encode()}, "dawdles.py", "Dawdles")
    played, named = ("regenwormen", 2, dict[str, Any]()), (bundle.main, bundle.attribute, bundle.version)
    job = Job(played, "python", home_of(bundle), *named, {"compiles": compiles}, 0)
    found = isolated.rehearsed(job, Limits(decision_ms=100, start_s=1))
    assert found.hung is None
    assert 4 <= len(rounds) <= 13
    assert (b"first" in found.code) == compiles


def test_a_bot_that_cannot_be_hosted_leaves_nothing_open_of_those_before_it(tmp_path: Path) -> None:
    late = Seated("late", Bundle({"late.py": LATE.encode()}, "late.py", "Late"), "python", {}, "process")
    missing = Seated("missing", Bundle({"it.txt": b""}, "no-such-program", ""), "external", {}, "process")
    batch, handles = Batch(0, 0, np.arange(1), np.array([[0, 1]], np.int16)), Path("/proc/self/fd")
    before = len(list(handles.iterdir()))
    with pytest.raises(BotError, match="no-such-program"):
        play_seated(find_game("regenwormen")(2), [late, late, missing], batch, LIMITS, 3, tmp_path)
    assert len(list(handles.iterdir())) == before


HANGS = """
from league import Bot
class Hangs(Bot):
    game = "regenwormen"
    def choose(self, view):
        while True:
            pass
"""


def test_a_bot_that_hangs_uses_up_the_time_to_start_once_and_not_in_every_batch() -> None:
    game, limits = find_game("regenwormen")(2), Limits(decision_ms=100, start_s=3, faults_per_batch=2)
    hangs = Seated(
        "hangs", Bundle({"hangs.py": HANGS.encode()}, "hangs.py", "Hangs"), "python", {}, "process"
    )
    batches = [Batch(number, 0, np.arange(6), np.zeros((6, 2), np.int16)) for number in range(2)]
    spent = [now_ns()]
    for batch in batches:
        played = play_seated(game, [hangs], batch, limits, 3)
        spent.append(now_ns())
        assert all(found[0].kind in ("timeout", "forfeit") for found in played.faults.values())
        told = "took more than 100 ms for one decision, beyond 3 s to load and compile"
        assert played.faults[0][0].message == told
    assert 2 * (spent[2] - spent[1]) < spent[1] - spent[0]


GENERATORS = """
import random
import numpy as np
from league import Bot, CompiledBot

AT_IMPORT = random.random()

class Python(Bot):
    game = "regenwormen"
    def choose(self, view):
        draw = random.random() + np.random.rand() + self.options["import"] * AT_IMPORT
        return view.legal[int(draw * 1000) % len(view.legal)]

class Compiled(CompiledBot):
    game = "regenwormen"
    @staticmethod
    def choose(view, action, seed, options):
        wanted = np.random.randint(20)
        while wanted >= 0:
            for face in range(6):
                for then in range(3):
                    if view.legal[face] >> then & 1 and wanted >= 0:
                        action.face, action.then = face + 1, then
                        wanted -= 1
"""


@pytest.mark.parametrize("kind", ["python", "compiled"])
@pytest.mark.parametrize("isolation", ["none", "process"])
def test_the_global_generators_are_seeded_for_each_batch(kind: Kind, isolation: Isolation) -> None:
    game = find_game("regenwormen")(2, {"max_turns": 6})
    bundle = Bundle({"mine.py": GENERATORS.encode()}, "mine.py", NAMES[kind])
    bots = [Seated("mine", bundle, kind, {"import": float(isolation == "process")}, isolation)]
    seats = np.zeros((8, 2), np.int16)
    batches = [Batch(number, 8 * number, np.arange(4).repeat(2), seats) for number in (0, 1, 0)]
    first, other, again = (play_seated(game, bots, batch, LIMITS, 3) for batch in batches)
    assert first.faults == {}
    assert_equal(first, again)
    assert first.actions.tobytes() != other.actions.tobytes()


SLOW_TO_RELIVE = """
import os, time
from league import Bot

again = os.fstat(1).st_size > 0  # what an earlier process printed
asked = 0

class Python(Bot):
    game = "regenwormen"
    options = {"every": 50}
    def choose(self, view):
        global asked
        asked += 1
        if again:
            time.sleep(0.05)
        elif asked == 100:
            os.write(1, b"x")
            os._exit(0)
        return view.legal[0]
"""


def test_who_dies_and_takes_its_time_to_live_through_its_past_again_plays_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "SOURCE", SLOW_TO_RELIVE)
    limits = Limits(decision_ms=150, start_s=1, faults_per_batch=5)
    played = play("python", "process", 50, limits=limits, log=tmp_path / "log.txt")
    told = {fault.kind: fault.message for faults in played.faults.values() for fault in faults}
    assert told.keys() == {"timeout", "forfeit"}
    assert "twice as long over what its process had answered before" in told["timeout"]


def test_too_much_time_for_a_match() -> None:
    played = play("python", "process", 50, limits=Limits(match_s=0, faults_per_batch=10_000))
    assert len(played.faults) == 12
    messages = {fault.message for found in played.faults.values() for fault in found}
    assert messages == {"took more than 0 s of CPU time for one match"}


def test_what_it_prints_is_kept_up_to_a_bound(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "mine.txt"
    for _ in range(3):
        play("python", "process", 50, log=log)
    assert log.read_text().startswith("asked\nasked\n")
    log.write_bytes(b"x" * LOG_BYTES)
    play("python", "process", 50, log=log)
    assert log.stat().st_size == LOG_BYTES


def test_strict_refuses_a_lock_down_with_holes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosts, "missing", lambda: ("file rules (Landlock)",))
    with pytest.raises(ConfigError, match=r'isolation = "strict": this system lacks file rules \(Landlock\)'):
        play("python", "strict", 50)
    assert play("python", "process", 50).faults == {}


BUSY = b"""
from league import Bot

class Busy(Bot):
    game = "regenwormen"

    def choose(self, view):
        return max(view.legal, key=lambda keep: keep.points)
"""


def decisions_a_second(isolation: Isolation) -> float:
    """Three bots that do little, decisions a second of wall time."""
    game = find_game("regenwormen")(3)
    bundle = Bundle({"busy.py": BUSY}, "busy.py", "Busy")
    table = [host_for(game, bundle, "python", {}, isolation, Limits()) for _ in range(3)]
    batch = Batch(
        0, 0, np.arange(6000) // 3, np.array([np.roll([0, 1, 2], n) for n in range(6000)], np.int16)
    )
    try:
        play_batch(game, Batch(0, 0, batch.deals[:3], batch.bots[:3]), table, Limits(), 1)
        started = now_ns()
        played = play_batch(game, batch, table, Limits(), 1)
        return float(played.decisions.sum() / (now_ns() - started) * 1e9)
    finally:
        for host in table:
            host.close()


@pytest.mark.slow
def test_isolation_costs_little() -> None:
    pairs = [(decisions_a_second("process"), decisions_a_second("none")) for _ in range(5)]
    assert max(isolated / trusted for isolated, trusted in pairs) >= 0.85, pairs


SCANNER = """
import ctypes
import os
from league.bot import Bot

LIBC = ctypes.CDLL(None)
LIBC.sbrk.restype = ctypes.c_void_p
PAGE = 4096

def pages():
    "What can be read of the heap of C and of Python's own, far around the objects there."
    read, write = os.pipe()
    def page(address):  # the kernel says where there is nothing; to look would be the end
        return os.read(read, PAGE) if LIBC.write(write, ctypes.c_void_p(address), PAGE) == PAGE else None
    top, arenas = LIBC.sbrk(0) & -PAGE, {id(each) >> 20 for each in [object() for _ in range(10**6)]}
    for address in range(top - PAGE, top - (256 << 20), -PAGE):
        found = page(address)
        if found is None:
            break
        yield found
    for arena in sorted(arenas):
        for address in range(arena << 20, (arena + 1) << 20, PAGE):
            yield page(address) or b""

class Scanner(Bot):
    game = "regenwormen"
    options = {"word": "mine"}
    done = False
    def choose(self, view):
        if not Scanner.done:
            Scanner.done = True
            memory = b"".join(pages())
            words = [b"marker-" + word for word in (b"of-the-scanner", b"of-another")]
            print("found", [word in memory for word in words], "in", len(memory) > 10**7)
        return view.legal[0]
"""


def test_nothing_of_another_bot_is_in_the_memory_of_a_process(tmp_path: Path) -> None:
    """Also not of one that was started before by the same zygote, whose options passed through it."""
    game = find_game("regenwormen")(2, {"max_turns": 2})
    bundle = Bundle({"scanner.py": SCANNER.encode()}, "scanner.py", "Scanner")
    seated = [
        Seated(
            f"bot{place}", bundle, "python", {"word": f"marker-{word}{'.' * (700 * place % 4000)}"}, "process"
        )
        for place, word in enumerate(["of-another"] * 8 + ["of-the-scanner"])
    ]
    bots = np.array([[place, (place + 1) % 9] for place in range(9)], np.int16)
    limits = Limits(decision_ms=20_000)
    play_seated(game, seated, Batch(0, 0, np.arange(9), bots), limits, 1, tmp_path)
    assert (tmp_path / "bot8" / "batch-000000.log").read_text() == "found [True, False] in True\n"
