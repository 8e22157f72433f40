"""The kernels as plain Python play the same matches as compiled ones."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import numpy as np

from league.games.dominoes import GAME
from league.kernels import rows
from tests.games.tables import play_by_chance, transcript

TABLES = [
    (2, {}),
    (4, {"boneyard_reserve": 2, "bonus_unit": "full"}),
    (10, {"set": "double12", "hand_size": 9}),
]


def digest() -> str:
    """A hash over some matches and over what seats imagine in them."""
    found = hashlib.sha256()
    for seats, options in TABLES:
        game = GAME(seats, options)
        found.update("".join(transcript(game, seats, 5, 25)).encode())
        imagined = rows(1, game.state_dtype)
        for decision in play_by_chance(game, seats, 5, 6):
            game.kernels.imagine(decision.view, np.uint64(seats), imagined[0])
            found.update(np.asarray(imagined[0]["deck"]).tobytes())
    return found.hexdigest()


def test_plain_python_plays_the_same_matches() -> None:
    code = "from tests.games.dominoes.test_uncompiled import digest; print(digest())"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == digest(), done.stderr
