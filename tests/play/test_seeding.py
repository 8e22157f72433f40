"""Seeds of matches and seats: what a seat is told gives away nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from league.play.seeding import chair_seeds, deal_seeds, siphash


def test_siphash_gives_the_number_its_authors_publish() -> None:
    """The vector of 16 bytes in the reference implementation's `vectors_sip64`."""
    key = np.frombuffer(bytes(range(16)), "<u8").astype(np.uint64)
    found = int(siphash(key, key[0], key[1]))
    assert found.to_bytes(8, "little").hex() == "db9bc2577fcc2a3f"


def test_seeds_belong_to_match_and_seat_however_they_are_asked_for() -> None:
    seeds = chair_seeds(7, 100, 50, 4)
    assert len(np.unique(seeds)) == seeds.size
    assert (chair_seeds(7, 130, 1, 4) == seeds[30]).all()
    assert (chair_seeds(7, 100, 50, 2) == seeds[:, :2]).all()
    assert not np.isin(chair_seeds(8, 100, 50, 4), seeds).any()
    deals = deal_seeds(7, [5, 3, 5])
    assert deals[0] == deals[2] != deals[1]
    assert not np.isin(deal_seeds(7, np.arange(200)), seeds).any()


def test_seeds_are_even() -> None:
    bits = np.unpackbits(chair_seeds(3, 0, 4000, 4).view(np.uint8)).reshape(-1, 64)
    assert bits.mean(axis=0) == pytest.approx(0.5, abs=0.02)
