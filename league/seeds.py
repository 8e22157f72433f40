"""Seeds by hashing: every random choice names what it is for, and nothing draws from a sequence.

A seed is a pure function of its path, for example `seed_of(7, "deal", 12)`. Two paths share nothing, so a bot's use of
randomness cannot move a later deal, and any match can be played alone.
"""

from __future__ import annotations

import hashlib


def seed_of(*path: int | str) -> int:
    """Hash a path of numbers and words to a seed of 64 bits.

    >>> seed_of(7, "deal", 12) == seed_of(7, "deal", 12) != seed_of(7, "deal", 13)
    True
    """
    text = "/".join(f"{type(part).__name__[0]}{part}" for part in path)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
