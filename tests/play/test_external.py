"""Programs that speak the protocol, programs that do not, and a conversation word for word."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from textwrap import dedent, indent

import numpy as np
import pytest

import league.play
from league.games import Game
from league.games.find import find_game
from league.play import Batch, Limits, Played, external
from league.play.hosts import host_for
from league.play.program import allowance_for, find_program
from league.play.table import play_batch
from league.play.wire import Wire
from league.roster.find import find_bot
from tests.play.zoo import HOARDING, MAPPING

EXAMPLES = Path(__file__).parents[2] / "bots" / "external"
PROTOCOL = Path(league.play.__file__).parent / "PROTOCOL.md"
LIMITS = Limits(decision_ms=300, start_s=10, memory_mb=100, faults_per_batch=100)
FIRST_LEGAL = """
from league.bot import Bot

class First(Bot):
    game = "regenwormen"

    def choose(self, view):
        return view.legal[0]
"""


@cache
def game() -> Game:
    return find_game("regenwormen")(2, {"max_turns": 2})


def play(command: str, folder: Path, scratch: Path, matches: int = 8) -> Played:
    """A program against a bot of Python, with a log for the author."""
    (scratch / "first.py").write_text(FIRST_LEGAL)
    entries = [find_bot(f"cmd:{command}", "regenwormen", folder), find_bot("first.py", folder=scratch)]
    seats = np.array([[match % 2, 1 - match % 2] for match in range(matches)], np.int16)
    logs = [scratch / "log.txt", None]
    hosts = [
        host_for(game(), entry.bundle, entry.kind, {}, "process", LIMITS, log)
        for entry, log in zip(entries, logs, strict=True)
    ]
    try:
        return play_batch(game(), Batch(0, 0, np.arange(matches) // 2, seats), hosts, LIMITS, 5)
    finally:
        for host in hosts:
            host.close()


@pytest.mark.parametrize(
    ("interpreter", "file"), [(sys.executable, "any_game.py"), ("perl", "last_action.pl")]
)
def test_examples_play_without_a_fault(interpreter: str, file: str, tmp_path: Path) -> None:
    if shutil.which(interpreter) is None:
        pytest.skip(f"{interpreter} is not installed")
    played = play(f"{interpreter} {file}", EXAMPLES, tmp_path)
    assert played.faults == {}
    assert played.decisions.min() > 0


@pytest.mark.parametrize("command", ["{python} any_game.py", "./any_game.py"])
def test_an_interpreter_from_elsewhere_is_found_with_its_libraries(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its bare name, and by a script's first line."""
    python = Path(sys.executable)
    monkeypatch.setenv("PATH", f"{python.parent}:{os.environ['PATH']}")
    script = tmp_path / "any_game.py"
    script.write_text(f"#!/usr/bin/env {python.name}\n{(EXAMPLES / script.name).read_text()}")
    script.chmod(0o755)
    assert play(command.format(python=python.name), tmp_path, tmp_path).faults == {}


class _Recorder(Wire):
    """Writes down what goes over a wire."""

    said: list[str]

    def say(self, line: bytes) -> None:
        self.said.append("-> " + line.decode())
        super().say(line)

    def lines(self, most: int) -> Iterator[bytes]:
        for line in super().lines(most):
            self.said.append("<- " + line.decode())
            yield line


def test_the_conversation_of_the_protocol_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _Recorder.said = []
    monkeypatch.setattr(external, "Wire", _Recorder)
    play(f"{sys.executable} any_game.py", EXAMPLES, tmp_path, matches=1)
    written = PROTOCOL.read_text().split("```")[-2].strip("\n").split("\n")
    assert _Recorder.said == written


PROGRAM = """
import json, os, sys, time

def say(**message):
    print(json.dumps(message), flush=True)

asked = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        {hello}
    elif message["type"] == "choose":
        asked += 1
        match, legal = message["match"], message["legal"]
        if match == 3:
            {attack}
        say(type="action", match=match, action=legal[0])
"""
READY = 'say(type="ready", name="zoo")'

MISBEHAVIOUR = {
    "garbage": ("protocol", "wrote no answer: 'what?'", "print('what?', flush=True)"),
    "no_object": ("protocol", "wrote no answer: '[1, 2]'", "print('[1, 2]', flush=True)"),
    "binary": ("protocol", "wrote no answer", "sys.stdout.buffer.write(b'\\xff\\x00\\n')"),
    "deep": ("protocol", "wrote no answer", "print('[' * 100000, flush=True)"),
    "wrong_match": (
        "protocol",
        "answered for match 99, which was not asked",
        "say(type='action', match=99, action='')",
    ),
    "no_action": ("illegal", "is no action of regenwormen", "say(type='action', match=3, action='win'); continue"),
    "illegal": ("illegal", "1 steal: ", "say(type='action', match=3, action='1 steal'); continue"),
    "flood": ("protocol", "a line of more than 1048576 bytes", "print('x' * 3_000_000, flush=True)"),
    "half_a_line": ("timeout", "in the middle of a line", "print('{', end='', flush=True); time.sleep(100)"),
    "silence": ("timeout", "took more than 300 ms for one decision", "time.sleep(100)"),
    "busy": ("timeout", "took more than 300 ms for one decision", "while True: pass"),
    "early_exit": ("died", "the program left with status 3", "os._exit(3)"),
    "early_exit_in_a_line": ("died", "in the middle of a line", "print('{', end='', flush=True); os._exit(0)"),
    "closes_its_output": ("died", "the program closed its output", "os.close(1); time.sleep(100)"),
    "crash": ("died", "was ended by signal 11 (segmentation fault)", "import ctypes; ctypes.string_at(8)"),
    "memory": ("died", "left with status 1", "bytearray(1 << 30)"),
    "socket": ("died", "left with status 1", "import socket; socket.socket()"),
    "fork": ("died", "left with status 1", "os.fork()"),
    "write": ("died", "left with status 1", "open('left_behind', 'w')"),
    "passwords": ("died", "left with status 1", "open('/etc/passwd')"),
    "program": ("died", "left with status 1", "import subprocess; subprocess.run(['/bin/true'])"),
}  # fmt: skip


def write_program(folder: Path, attack: str, hello: str = READY) -> str:
    (folder / "zoo.py").write_text(dedent(PROGRAM).format(attack=attack, hello=hello))
    return f"{sys.executable} zoo.py"


LATE = "print('what?', flush=True); time.sleep(0.1)"


@cache
def stood_in() -> dict[str, bytes]:
    """Filled by the first misbehaviour; all others must give the same matches, played on by the stand-in."""
    return {}


@pytest.mark.parametrize("name", MISBEHAVIOUR)
def test_misbehaviour_costs_that_match_alone(name: str, tmp_path: Path) -> None:
    kind, message, attack = MISBEHAVIOUR[name]
    played = play(write_program(tmp_path, attack), tmp_path, tmp_path)
    assert list(played.faults) == [3]
    (fault,) = played.faults[3]
    assert fault.kind == kind
    assert message in fault.message
    results = played.scores.tobytes() + played.actions.tobytes()
    assert stood_in().setdefault("results", results) == results


def test_a_program_that_holds_too_much_memory_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Be it in the middle of a round or at its end; what it holds is not counted by the system."""
    monkeypatch.setattr("tests.play.test_external.LIMITS", replace(LIMITS, decision_ms=20_000))
    hoard = indent(MAPPING + HOARDING["piece by piece"], " " * 12).strip()
    played = play(write_program(tmp_path, hoard), tmp_path, tmp_path)
    assert {match: [fault.kind for fault in found] for match, found in played.faults.items()} == {
        3: ["memory"]
    }


MANY_THREADS = """
import threading
threading.stack_size(1 << 16)
for _ in range(70):
    threading.Thread(target=time.sleep, args=[100], daemon=True).start()

"""


def test_threads_are_counted_however_short_the_rounds_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is over before anybody has to look why it is not; others take their time between them."""
    thinks = FIRST_LEGAL.replace("return", "import time; time.sleep(0.01); return")
    monkeypatch.setattr("tests.play.test_external.FIRST_LEGAL", thinks)
    plain = dedent(PROGRAM).format(attack="pass", hello=READY)
    (tmp_path / "many.py").write_text(plain.replace("asked = 0", MANY_THREADS + "asked = 0"))
    played = play(f"{sys.executable} many.py", tmp_path, tmp_path, matches=1)
    assert {fault.message for fault in played.faults[0]} == {"had more than 64 threads"}


BUSY_WHILE_OTHERS_THINK = """
import threading

def burn():
    while True:
        pass

threading.Thread(target=burn, daemon=True).start()
"""


def test_what_a_program_computes_while_others_think_is_charged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.play.test_external.LIMITS", replace(LIMITS, match_s=1))
    thinks = FIRST_LEGAL.replace("return", "import time; time.sleep(0.25); return")
    monkeypatch.setattr("tests.play.test_external.FIRST_LEGAL", thinks)
    monkeypatch.setattr(
        "tests.play.test_external.game", lambda: find_game("regenwormen")(2, {"max_turns": 12})
    )
    plain = dedent(PROGRAM).format(attack="pass", hello=READY)
    (tmp_path / "busy.py").write_text(plain.replace("asked = 0", BUSY_WHILE_OTHERS_THINK + "asked = 0"))
    (tmp_path / "calm.py").write_text(plain)
    told = {
        name: [
            fault.message
            for found in play(f"{sys.executable} {name}.py", tmp_path, tmp_path, matches=1).faults.values()
            for fault in found
            if fault.seat == 0
        ]
        for name in ("calm", "busy")
    }
    assert told["calm"] == []
    assert told["busy"][0] == "took more than 1 s of CPU time for one match"


def test_a_late_answer_to_a_charged_request_costs_no_other_match(tmp_path: Path) -> None:
    """Match 2 is the last that is pending, so its answer comes when other requests are."""
    (tmp_path / "late.py").write_text(
        dedent(PROGRAM).format(attack=LATE, hello=READY).replace("== 3", "== 2")
    )
    played = play(f"{sys.executable} late.py", tmp_path, tmp_path, matches=4)
    assert list(played.faults) == [2]
    assert [fault.message for fault in played.faults[2]] == ["wrote no answer: 'what?'"]


@pytest.mark.parametrize(
    ("hello", "kind", "message"),
    [
        ("say(type='hello')", "protocol", "the first line must be"),
        ("sys.exit(1)", "died", "left with status 1"),
        ("print('}' * 9)", "protocol", "not '}}}}}}}}}'"),
    ],
)
def test_a_program_that_never_gets_ready(hello: str, kind: str, message: str, tmp_path: Path) -> None:
    played = play(write_program(tmp_path, "pass", hello), tmp_path, tmp_path)
    assert len(played.faults) == 8
    assert all(found[0].kind == kind and message in found[0].message for found in played.faults.values())


def test_standard_error_reaches_the_author(tmp_path: Path) -> None:
    play(write_program(tmp_path, "print('here', file=sys.stderr)"), tmp_path, tmp_path)
    assert (tmp_path / "log.txt").read_text().startswith("here\n")


@pytest.mark.parametrize(("folder", "prefix"), [("bin", None), ("tools/bin", "tools")])
def test_a_program_in_the_users_own_bin_reads_nothing_beside_it(
    folder: str, prefix: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = tmp_path / "user"
    (tmp_path / "link").symlink_to(user)
    program = user / folder / "mine"
    program.parent.mkdir(parents=True)
    program.write_bytes(b"")
    program.chmod(0o755)
    monkeypatch.setenv("HOME", str(tmp_path / "link"))
    monkeypatch.setenv("PATH", str(program.parent))
    readable = allowance_for(find_program("mine", tmp_path / "bundle"), 100).readable
    mine = [
        path
        for path in readable
        if Path(path) in (tmp_path, *tmp_path.parents) or tmp_path in Path(path).parents
    ]
    assert mine == [*([str(user / prefix)] if prefix else []), str(tmp_path / "bundle")]


def test_shims_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a command, and by a script's first line; what they would start, no bot may."""
    shim = tmp_path / "shims" / "python3"
    shim.parent.mkdir()
    shim.write_text("#!/bin/sh\nexec false\n")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", f"{shim.parent}:{Path(sys.executable).parent}:/usr/bin:/bin")
    script = tmp_path / "any_game.py"
    script.write_text(f"#!/usr/bin/env python3\n{(EXAMPLES / script.name).read_text()}")
    script.chmod(0o755)
    for command in ("python3 any_game.py", "./any_game.py"):
        assert play(command, tmp_path, tmp_path).faults == {}


@pytest.mark.parametrize(
    "line", ["{there}/bin/tool", "/usr/bin/env {there}/bin/tool", "/usr/bin/env -S {there}/bin/tool x"]
)
def test_a_first_line_opens_no_folder(line: str, tmp_path: Path) -> None:
    """That of an interpreter is opened where the user's own path names it, not because a stranger's script does."""
    there = tmp_path / "project"
    (there / "bin").mkdir(parents=True)
    (there / "bin" / "tool").write_text("#!/bin/sh\n")
    (there / "bin" / "tool").chmod(0o755)
    script = tmp_path / "bundle" / "mine"
    script.parent.mkdir()
    script.write_text(f"#!{line.format(there=there)}\n")
    script.chmod(0o755)
    allowance = allowance_for(find_program("./mine", script.parent), 100)
    assert not any(str(there) == path for path in allowance.readable)


HEADLESS = """
import ctypes, sys, threading, time

def hold():
    time.sleep(60)

print('{"type":"ready","name":"headless"}', flush=True)
sys.stdin.readline()
threading.Thread(target=hold).start()
ctypes.CDLL(None).pthread_exit(None)
"""


def test_a_program_whose_first_thread_ends_cannot_hold_up_a_league(tmp_path: Path) -> None:
    """The system calls it dead, though its others hold the line open."""
    (tmp_path / "headless.py").write_text(HEADLESS)
    played = play(f"{sys.executable} headless.py", tmp_path, tmp_path, matches=2)
    kinds = {fault.kind for faults in played.faults.values() for fault in faults}
    assert kinds == {"timeout"}
