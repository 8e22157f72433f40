"""What a process holds is told whatever becomes of its threads."""

from __future__ import annotations

import subprocess
import sys

import pytest

from league.sandbox.weight import held_bytes

HEADLESS = """
import ctypes, sys, threading, time

def hold():
    kept = bytearray(64 << 20)
    time.sleep(0.5)  # until the first thread is gone
    print("held", flush=True)
    time.sleep(60)

threading.Thread(target=hold).start()
ctypes.CDLL(None).pthread_exit(None)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
def test_a_process_without_its_first_thread_holds_what_it_holds() -> None:
    with subprocess.Popen([sys.executable, "-c", HEADLESS], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"held\n"
            assert held_bytes(process.pid) > 64 << 20
        finally:
            process.kill()
    assert held_bytes(process.pid) == 0
