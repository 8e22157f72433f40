"""Kernels as plain Python, and with every index checked, come to what compiled ones do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]


@cache
def outcome(mode: str) -> Any:
    command = [sys.executable, "-m", "tests.rate.every_kernel"]
    found = subprocess.run(command, cwd=ROOT, env=os.environ | {mode: "1"}, capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    return json.loads(found.stdout)


@pytest.mark.parametrize("mode", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_every_mode_comes_to_the_same(mode: str) -> None:
    pairs = zip(chain(*outcome(mode)), chain(*outcome("COMPILED")), strict=True)
    for found, expected in pairs:
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-9)
