"""Where this user's caches are: compiled code, unpacked bots, the scripts of the report's charts."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

import platformdirs


@cache
def user_cache() -> Path:
    """The folder, which can be written; below the temporary folder if there is no other, and then nobody else's."""
    folder = platformdirs.user_cache_path("league")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return _below_temporary()


def _below_temporary() -> Path:
    """The same folder for all processes of a user, unless somebody else made one of that name, who could poison it."""
    user = os.getuid()
    folder = Path(tempfile.gettempdir()) / f"league-{user}"
    with suppress(FileExistsError):  # by whatever else
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if stat.S_ISDIR(found.st_mode) and found.st_uid == user:
        return folder
    return Path(tempfile.mkdtemp(prefix="league-"))
