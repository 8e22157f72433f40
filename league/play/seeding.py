"""The seeds of a batch: whoever knows some of them can compute neither the others nor the league's seed.

SipHash-2-4 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012), its key hashed from the league's seed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from league.kernels import kernel
from league.seeds import key_of

_WORDS = np.frombuffer(b"uespemosmodnarodarenegylsetybdet", "<u8").astype(np.uint64)
_LENGTH = np.uint64(16 << 56)
_LAST = np.uint64(0xFF)
_ROUNDS, _LAST_ROUNDS = 2, 4


def deal_seeds(league_seed: int, deals: Any) -> Any:
    """The chance seeds of deals: `int64[N]` to `uint64[N]`."""
    return _seeds(league_seed, "deal", np.asarray(deals, np.int64), 1)[:, 0]


def chair_seeds(league_seed: int, first: int, count: int, seats: int) -> Any:
    """What the seats of `count` matches from `first` on have for their decisions, `uint64[count, seats]`."""
    return _seeds(league_seed, "bots", np.arange(first, first + count, dtype=np.int64), seats)


def _seeds(league_seed: int, purpose: str, places: Any, seats: int) -> Any:
    seeds = np.empty((len(places), seats), np.uint64)
    _hash_all(np.array(key_of(league_seed, purpose), np.uint64), places, seeds)
    return seeds


@kernel
def _hash_all(key: Any, places: Any, seeds: Any) -> None:
    """Hash each place and seat with a key `uint64[2]`: `int64[N]` to `uint64[N, seats]`."""
    for index in range(len(places)):
        for seat in range(seeds.shape[1]):
            seeds[index, seat] = siphash(key, np.uint64(places[index]), np.uint64(seat))


@kernel
def siphash(key: Any, first: Any, second: Any) -> Any:
    """SipHash-2-4 of two words (`uint64` each) with a key `uint64[2]`."""
    a, b = key[0] ^ _WORDS[0], key[1] ^ _WORDS[1]
    c, d = key[0] ^ _WORDS[2], key[1] ^ _WORDS[3]
    for word in (first, second, _LENGTH):
        d ^= word
        a, b, c, d = _rounds(a, b, c, d, _ROUNDS)
        a ^= word
    a, b, c, d = _rounds(a, b, c ^ _LAST, d, _LAST_ROUNDS)
    return a ^ b ^ c ^ d


@kernel
def _rounds(a: Any, b: Any, c: Any, d: Any, count: Any) -> Any:
    for _ in range(count):
        a, c = a + b, c + d
        b, d = _turned(b, 13) ^ a, _turned(d, 16) ^ c
        a = _turned(a, 32)
        a, c = a + d, c + b
        d, b = _turned(d, 21) ^ a, _turned(b, 17) ^ c
        c = _turned(c, 32)
    return a, b, c, d


@kernel
def _turned(word: Any, bits: Any) -> Any:
    """The word with its bits turned to the left."""
    return (word << np.uint64(bits)) | (word >> np.uint64(64 - bits))
