"""What a check finds: each contract broken by a bot that breaks just that one."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

import league
from league.check import Checked, check, variants
from league.cli.terminal import check_lines
from league.play import Limits
from league.play.isolated import Rehearsed
from league.roster.find import find_bot
from league.starter import write_starter
from league.unrepeatable import unrepeatable

SOURCE = """
import random, time
from league import Bot

ASKED = []
SEEN = {{}}

class Mine(Bot):
    game = "dominoes"

    def choose(self, view):
        {choose}
"""
LIMITS = Limits(decision_ms=200, start_s=5, faults_per_batch=3)


def checked(folder: Path, choose: str) -> Checked:
    (folder / "mine.py").write_text(SOURCE.format(choose=choose))
    return check(find_bot(str(folder / "mine.py")), folder / "what's kept", LIMITS)


def test_a_new_bot_is_ready_at_once(tmp_path: Path) -> None:
    bot, test = write_starter("MyBot", "dominoes", tmp_path)
    found = check(find_bot(str(bot)), tmp_path / "kept")
    assert found.passed
    assert not found.findings
    assert found.decision_us > 0
    assert not (tmp_path / "kept").exists()
    compile(test.read_text(), str(test), "exec")


@pytest.mark.parametrize(
    ("choose", "text"),
    [
        ("return 7", "decision 0, seat 0: illegal"),
        ("return 1 / 0 if view.hand_number else view.legal[0]", "ZeroDivisionError: division by zero (mine.py:"),
        ("ASKED.append(1); return view.legal[len(ASKED) % len(view.legal)]", "playing this match by itself"),
        ("return view.legal[hash('sets are gone through by it') % len(view.legal)]", "in a new process"),
        (
            "SEEN[view.moves] = view.hand; other = SEEN.get(view.moves[:-1], ()) if len(view.moves) > 7 else (); "
            "return view.legal[len(other) % len(view.legal)]",
            "only, where it cannot know what other seats see",
        ),
        ("return view.legal[time.time_ns() // 1000 % len(view.legal)]", "use self.rng"),
        (
            "while True: pass",
            "decision 0, seat 0: timeout: took more than 200 ms for one decision, beyond 5 s to load and compile",
        ),
        ("import os; os._exit(9)", "died: its process left with status 9"),
    ],
)  # fmt: skip
def test_a_broken_contract_is_told_with_match_view_and_replay(tmp_path: Path, choose: str, text: str) -> None:
    found = checked(tmp_path, choose)
    assert not found.passed
    finding = found.findings[0]
    assert text in finding.text
    assert finding.view.startswith("View(")
    *_, place, match = shlex.split(finding.look)
    events = [event["event"] for event in league.replay(place, int(match)).events()]
    assert events[-1] == "result"


def test_what_cannot_be_repeated_is_warned_of_where_it_is_written(tmp_path: Path) -> None:
    found = checked(
        tmp_path, "len(view.legal) > 99 and time.perf_counter(); random.Random(1); return view.legal[0]"
    )
    assert found.passed
    (warning,) = found.findings
    assert warning.text.startswith("mine.py:12: uses time.perf_counter, the clock")


@pytest.mark.parametrize(
    ("choose", "text"),
    [
        ("getattr(time, 'time')(); return view.legal[0]", "mine.py:12: uses time.time, the clock"),
        ("__import__('datetime').date.today(); return view.legal[0]", "uses datetime.date.today, the clock"),
        ("return getattr(random, 'choice')(view.legal)", "mine.py:12: uses random.getrandbits, the global generator"),
        ("getattr(random, 'gauss')(); return view.legal[0]", "mine.py:12: uses random.random, the global generator"),
        ("numpy = __import__('numpy'); numpy.random.rand(); return view.legal[0]", "uses numpy.random, the global"),
        ("getattr(__import__('uuid'), 'uuid4')(); return view.legal[0]", "uses os.urandom, the system's randomness"),
    ],
)  # fmt: skip
def test_what_cannot_be_repeated_is_warned_of_when_it_is_done(tmp_path: Path, choose: str, text: str) -> None:
    (tmp_path / "mine.py").write_text(SOURCE.format(choose=choose))
    entry = find_bot(str(tmp_path / "mine.py"))
    (warning,) = unrepeatable(entry, variants("dominoes")[0].game, 0)
    assert text in warning


COMPILED = """
from league import Bot
from league.kernels import kernel

@kernel
def last(count):
    return count - 1

class Mine(Bot):
    game = "dominoes"

    def choose(self, view):
        return view.legal[last(len(view.legal))]
"""


def test_the_compiler_may_read_the_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.unrepeatable.rehearsed", lambda job, limits: Rehearsed(b"", None))
    (tmp_path / "mine.py").write_text(COMPILED)
    assert not list(unrepeatable(find_bot(str(tmp_path / "mine.py")), variants("dominoes")[0].game, 0))


def test_a_slow_bot_plays_fewer_matches_and_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.check.COUNTS", ((24, -1), (2, 1e6)))
    found = checked(tmp_path, "return view.legal[0]")
    assert found.passed
    assert found.count == 2
    assert "2 of 24 matches of each variant, for it is slow" in "".join(check_lines(found))


def test_a_bot_that_sleeps_is_slow_by_the_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.check.COUNTS", ((24, 50), (1, 0)))
    monkeypatch.setattr("league.check.variants", lambda game: variants(game)[:1])
    found = checked(tmp_path, "time.sleep(0.03); return view.legal[0]")
    assert found.passed
    assert found.count == 1


def test_no_speed_is_told_of_a_bot_that_faults_stopped(tmp_path: Path) -> None:
    told = list(check_lines(checked(tmp_path, "return 1 / 0")))
    assert told[-1].endswith("decisions")
    assert "not ready; 1 match, " in told[-1]


def test_variants_cover_every_seat_count_and_choice() -> None:
    names = [variant.name for variant in variants("regenwormen")]
    assert {"2-seats", "7-seats", "steal-forced", "fast_variant-auto", "soft_landing-true"} <= set(names)
    assert len(names) == len(set(names))
