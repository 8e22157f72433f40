"""Every block of the README runs, one after the other, in one empty folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```(sh|python|toml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_blocks_run(tmp_path: Path) -> None:
    command = tmp_path / "bin" / "league"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m league "$@"\n')
    command.chmod(0o755)
    folder = tmp_path / "work"
    folder.mkdir()
    paths = {"PATH": f"{command.parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    blocks = BLOCK.findall((ROOT / "README.md").read_text())
    assert len(blocks) > 5
    for kind, text in blocks:
        named = re.match(r"# (\S+\.(?:py|toml))\n", text)
        if named:
            (folder / named[1]).write_text(text)
            continue
        run = [sys.executable, "-c", text] if kind == "python" else ["bash", "-euo", "pipefail", "-c", text]
        done = subprocess.run(
            run, cwd=folder, env=os.environ | paths, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
        assert done.stdout
