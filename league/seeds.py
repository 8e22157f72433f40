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
    return key_of(*path)[0]


def key_of(*path: int | str) -> tuple[int, int]:
    """Hash a path of numbers and words to two numbers of 64 bits, for those who hash further with them."""
    text = "/".join(f"{type(part).__name__[0]}{part}" for part in path)
    digest = hashlib.blake2b(text.encode(), digest_size=16).digest()
    return int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little")
