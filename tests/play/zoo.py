"""Bots that mean no good, as source: each does its worst at a decision now and then and plays fairly otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent, indent

from league.roster import Bundle

HONEST = """
from league.bot import Bot

class Honest(Bot):
    game = "regenwormen"

    def __init__(self):
        self.turns = 0

    def choose(self, view):
        self.turns += len(view.legal)
        return view.legal[(self.turns + self.rng.randrange(7)) % len(view.legal)]
"""
"""A bot that sits at the table with those here, and remembers what it saw."""

TEMPLATE = """\
from league.bot import Bot

{before}

class Zoo(Bot):
    game = "regenwormen"

    def __init__(self):
        self.asked = 0
        if self.rng.random() < {share} / 2:
            self.born()

    def born(self):
{born}

    def choose(self, view):
        self.asked += 1
        if self.asked == 3 and self.rng.random() < {share}:
            return self.attack(view)
        return self.fair(view)

    def fair(self, view):
{fair}

    def attack(self, view):
{attack}
"""


@dataclass(frozen=True)
class Beast:
    """A hostile bot.

    Attributes:
        kinds: The faults that it must be charged with; none if its attack must fail without a trace.
        attack: What it does at a decision, in place of a fair answer.
        born: What it does when it sits down.
        fair: What it does otherwise.
        before: What it does when it is imported.
    """

    kinds: frozenset[str] = frozenset()
    attack: str = "return self.fair(view)"
    born: str = "pass"
    fair: str = "return view.legal[self.asked % len(view.legal)]"
    before: str = ""

    @property
    def bundle(self) -> Bundle:
        return Bundle({"zoo.py": self.source().encode()}, "zoo.py", "Zoo")

    def source(self, share: float = 0.08) -> str:
        """Its file; it attacks in this share of its matches."""
        return TEMPLATE.format(
            share=share,
            before=dedent(self.before),
            fair=indent(self.fair, " " * 8),
            born=indent(dedent(self.born), " " * 8),
            attack=indent(dedent(self.attack), " " * 8),
        )


def denied(call: str, setup: str = "", errors: str = "OSError") -> Beast:
    """Something that must not succeed; then it answers nonsense, which is a fault."""
    return Beast(
        attack=f"""\
import os, sys
{setup}
try:
    {call}
except {errors}:
    return self.fair(view)
return "it worked"
"""
    )


def punished(kinds: str, attack: str) -> Beast:
    return Beast(frozenset(kinds.split()), attack)


ILLEGAL_ANSWERS = {
    "answers_none": "return None",
    "answers_nan": "return float('nan')",
    "answers_a_huge_integer": "return 10**5000",
    "answers_a_type": "return type(view.legal[0])",
    "answers_an_impostor": """\
class Keep:
    packed = b"\\xff" * 1000
return Keep()
""",
    "answers_from_another_match": """\
from league.games.regenwormen import Keep
taken = {action.face for action in view.legal}
return Keep(min(set(range(1, 7)) - taken, default=1), "steal" if len(taken) < 6 else "stop")
""",
}

AT_A_DECISION = {
    **{name: punished("illegal", attack) for name, attack in ILLEGAL_ANSWERS.items()},
    "raises": punished("exception", "raise ValueError('no\\x1b[31m\\n' * 1000)"),
    "raises_what_cannot_be_told": punished(
        "exception",
        """\
class Odd(BaseException):
    def __str__(self):
        raise SystemExit
raise Odd
""",
    ),
    "raises_a_novel": punished("exception", "raise ValueError('x' * 10_000_000)"),
    "recurses": punished("exception", "return self.attack(view)"),
    "leaves_politely": punished("exception", "import sys; sys.exit('bye')"),
    "leaves_at_once": punished("died", "import os; os._exit(0)"),
    "segfaults": punished("died", "import ctypes; ctypes.string_at(8)"),
    "aborts": punished("died", "import os; os.abort()"),
    "kills_itself": punished("memory", "import os; os.kill(os.getpid(), 9)"),
    "closes_files": punished("died", "import os; os.closerange(0, 256); return self.fair(view)"),
    "sleeps": punished("timeout", "import time; time.sleep(3600)"),
    "loops": punished("timeout", "while True: pass"),
    "blocks_in_c": punished("timeout", "return sum(range(10**13))"),
    "steals_its_own_calls": punished(
        "timeout",
        """\
import os
for handle in range(3, 30):
    try:
        os.read(handle, 1)
    except OSError:
        pass
""",
    ),
    "catches_all_and_loops": punished(
        "timeout",
        """\
import signal
for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
""",
    ),
    "eats_memory": punished("memory", "bytearray(1 << 40)"),
    "eats_memory_bit_by_bit": punished(
        "memory",
        """\
hoard = []
while True:
    hoard.append(bytes(1 << 20))
""",
    ),
    "spawns_threads": punished("exception", "import threading; threading.Thread(target=print).start()"),
}

MAPPING = """\
import ctypes
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long
libc.mprotect.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int

def mapped(size, protection, kind):
    place = libc.mmap(None, size, protection, kind | 0x20, -1, 0)
    if place == 2**64 - 1:
        raise MemoryError
    return place
"""
"""Ways to memory that no library offers; to be put before a bot."""

HOARDING = {
    "piece by piece": """\
place, size = mapped(1 << 32, 0, 0x02), 1 << 20
for piece in range(place, place + (1 << 32), size):
    if libc.mprotect(piece, size, 3):
        raise MemoryError
    ctypes.memset(piece, 1, size)
    libc.mprotect(piece, size, 1)
""",
    "in tables": """\
place = mapped(1 << 42, 1, 0x4002)
for piece in range(place, place + (1 << 42), 1 << 21):
    ctypes.string_at(piece, 1)
""",
    "shared": "ctypes.memset(mapped(1 << 30, 3, 0x01), 1, 1 << 30)",
    "growing": "ctypes.memset(mapped(1 << 30, 3, 0x0102), 1, 1 << 30)",
    "made writable": """\
place = mapped(1 << 30, 1, 0x02)
if libc.mprotect(place, 1 << 30, 3):
    raise MemoryError
ctypes.memset(place, 1, 1 << 30)
""",
    "on the stack": """\
import resource
most = resource.getrlimit(resource.RLIMIT_STACK)[1]
if 0 <= most <= 1 << 23:
    raise MemoryError
""",
}
"""Memory taken by ways that are not counted as a process's own; whoever is refused it runs out of memory."""

DENIED = {
    "forks": denied("os.fork()"),
    "runs_a_program": denied("subprocess.run(['true'])", "import subprocess"),
    "turns_into_a_program": denied("os.execv('/bin/true', ['true'])"),
    "kills_its_parent": denied("os.kill(os.getppid(), 9)"),
    "kills_everybody": denied("os.kill(-1, 9)"),
    "leaves_its_group": denied("os.setsid()"),
    "outlives_its_parent": denied(
        "ctypes.CDLL(None).prctl(1, 0) and os.stat('/gone')", "import ctypes", "OSError"
    ),
    "opens_sockets": denied("socket.socket()", "import socket"),
    "reads_passwords": denied("open('/etc/passwd').read()"),
    "lists_the_root": denied("os.listdir('/')"),
    "lists_temporary_files": denied("os.listdir('/tmp')"),
    "lists_shared_memory": denied("os.listdir('/dev/shm')"),
    "lists_its_parents_files": denied("os.listdir(f'/proc/{os.getppid()}/fd')"),
    "reads_the_surroundings_of_others": denied("open(f'/proc/{os.getppid()}/environ', 'rb').read()"),
    "takes_files_of_others": denied("raise PermissionError if libc.syscall(434, os.getppid(), 0) < 0 else ValueError",
                                    "import ctypes; libc = ctypes.CDLL(None)"),
    "copies_the_memory_of_others": denied(
        "raise PermissionError if libc.process_vm_readv(os.getppid(), 0, 0, 0, 0, 0) < 0 else ValueError",
        "import ctypes; libc = ctypes.CDLL(None)"),
    "reads_its_parent": denied("open(f'/proc/{os.getppid()}/mem', 'rb')"),
    "reads_its_own_files": denied("os.listdir('/proc/self/fd')"),
    "reads_other_bundles": denied("os.listdir(os.path.dirname(os.path.dirname(__file__)))"),
    "traces": denied("raise PermissionError if libc.ptrace(16, os.getppid(), 0, 0) < 0 else ValueError",
                     "import ctypes; libc = ctypes.CDLL(None)"),
    "writes_to_the_package": denied("open(league.bot.__file__, 'a')", "import league.bot"),
    "writes_a_temporary_file": denied("open('/tmp/left_behind', 'w')"),
    "writes_to_its_bundle": denied("open(__file__, 'w')"),
    "removes_its_bundle": denied("os.remove(__file__)"),
    "makes_a_folder": denied("os.mkdir('/dev/shm/left_behind')"),
    "changes_modes": denied("os.chmod(__file__, 0o777)"),
    "changes_times": denied("os.utime(__file__)"),
    "makes_shared_memory": denied("shared_memory.SharedMemory(create=True, size=100)",
                                  "from multiprocessing import shared_memory"),
    "raises_its_limits": denied("resource.setrlimit(resource.RLIMIT_DATA, (-1, -1))", "import resource",
                                "(OSError, ValueError)"),
    "limits_its_parent": denied("resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1))", "import resource"),
    "locks_a_file": denied("fcntl.flock(os.open(__file__, 0), fcntl.LOCK_EX)", "import fcntl"),
}  # fmt: skip

HARMLESS = {
    "spoils_the_view": Beast(
        attack="""\
import gc
answer = self.fair(view)
for name in ("_data", "_at", "seat", "legal"):
    try:
        setattr(view, name, None)
    except AttributeError:
        pass
for thing in gc.get_objects():
    if type(thing).__name__ == "ndarray" and getattr(thing, "dtype", None) is not None and thing.dtype.names:
        try:
            thing[:] = thing[::-1]
        except (TypeError, ValueError):
            pass
return answer
"""
    ),
    "patches_numpy": Beast(
        attack="""\
import numpy, league.games.regenwormen.kernels as rules
numpy.bincount = numpy.cumsum = rules.step = rules.is_legal = lambda *given, **named: None
return self.fair(view)
"""
    ),
    "reseeds": Beast(
        attack="import random, numpy; random.seed(1); numpy.random.seed(1); return self.fair(view)"
    ),
    "walks_for_others": Beast(
        attack="""\
import gc, sys
frame = sys._getframe()
while frame is not None:
    if frame.f_code.co_filename.endswith("table.py"):
        return "found the table"
    frame = frame.f_back
if any(type(thing).__name__ in ("_Table", "Honest") for thing in gc.get_objects()):
    return "found another bot"
if {name.partition(".")[0] for name in sys.modules if name.startswith("league_bot_")} != {__name__.partition(".")[0]}:
    return "found other code"
return self.fair(view)
"""
    ),
    "babbles_on_every_line": Beast(
        attack="""\
import os, stat
for handle in range(3, 100):
    try:
        if stat.S_ISFIFO(os.fstat(handle).st_mode):
            os.write(handle, b"." * 1000)
    except OSError:
        pass
return self.fair(view)
"""
    ),
    "floods_the_log": Beast(
        attack="""\
import os
try:
    for _ in range(1000):
        os.write(2, b"x" * 10_000)
except OSError:
    pass
return self.fair(view)
"""
    ),
    "raises_at_exit": Beast(
        attack="import atexit; atexit.register(lambda: 1 / 0); return self.fair(view)",
        before="class Late:\n    def __del__(self):\n        raise ValueError\nLATE = Late()",
    ),
    "floods_stdout": Beast(attack="print('x' * 10_000_000); return self.fair(view)"),
    "exhausts_open_files": Beast(
        attack="""\
import os
try:
    while True:
        os.dup(0)
except OSError:
    return self.fair(view)
"""
    ),
    "registers_an_exit": Beast(
        attack="import atexit; atexit.register(print, 'late'); return self.fair(view)"
    ),
}

AT_BIRTH = {
    "raises_when_born": Beast(frozenset({"exception"}), born="raise KeyError(1)"),
    "leaves_when_born": Beast(frozenset({"died"}), born="import os; os._exit(3)"),
    "loops_when_born": Beast(frozenset({"timeout"}), born="while True: pass"),
}

AT_IMPORT = {
    "raises_at_import": Beast(frozenset({"exception"}), before="raise ImportError('no')"),
    "exits_at_import": Beast(frozenset({"exception"}), before="import sys; sys.exit()"),
    "dies_at_import": Beast(frozenset({"died"}), before="import os; os._exit(0)"),
    "loops_at_import": Beast(frozenset({"timeout"}), before="while True: pass"),
    "eats_memory_at_import": Beast(frozenset({"memory"}), before="HOARD = bytearray(1 << 40)"),
}

FORGER = punished(
    "died",
    """\
import gc, os
for thing in gc.get_objects():
    words = getattr(thing, "words", None)
    if isinstance(words, memoryview):
        for place in range(len(words)):
            words[place] = -1
os._exit(1)
""",
)
