"""A person at the table reads what happened and nothing that a seat must not know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from league.games.dominoes.tiles import TILES
from league.games.find import find_game
from league.person import play_person
from league.play.seated import Seated
from league.roster.find import find_bot


def lines_of_a_match(typed: Iterator[str]) -> list[str]:
    """All that a person in seat 1 of three at dominoes is told until nothing more is typed."""
    entry = find_bot("random", "dominoes")
    bot = Seated(entry.label, entry.bundle, entry.kind, entry.options, "none")
    lines: list[str] = []
    with suppress(StopIteration):
        play_person(find_game("dominoes")(3), [bot, bot], 1, 5, lines.append, lambda: next(typed))
    return lines


def test_draws_of_others_are_told_without_the_tile() -> None:
    drawn = re.findall(r"seat (\d) draws (.+)", "\n".join(lines_of_a_match(iter("1" * 40))))
    assert {seat for seat, _ in drawn} == {"0", "1", "2"}
    assert {what for seat, what in drawn if seat != "1"} == {"a tile"}
    assert "a tile" not in {what for seat, what in drawn if seat == "1"}


def test_a_digit_that_is_no_number_is_told_like_any_slip() -> None:
    assert any("²" in line for line in lines_of_a_match(iter("²")))


def test_a_deal_is_told_without_its_tiles() -> None:
    lines = lines_of_a_match(iter(""))
    events = "\n".join(line for line in lines if line.startswith("  "))
    own = re.search(r"^seat 1\* .*: (.+)$", "\n".join(lines), re.M)
    assert own
    hidden = set(map(str, TILES[:28])) - {*own[1].split(), *re.findall(r"plays (\d-\d)", events)}
    assert len(hidden) > 14
    assert not [tile for tile in hidden if re.search(tile.replace("-", r"\W"), events)]


HIDDEN: list[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    ("dominoes", {"event": "deal", "hand": 0}, {"hands": [[[5, 0]]], "boneyard": []}, {"hands": [], "boneyard": []}),
    ("dominoes", {"event": "draw", "seat": 0}, {"tile": [5, 0]}, {"tile": [6, 6]}),
    ("rummikub", {"event": "start", "round": 0, "first": 2}, {"hands": [["j"]], "pool": []}, {"hands": [], "pool": []}),
    ("rummikub", {"event": "draw", "seat": 0}, {"tile": "r7"}, {"tile": "j"}),
    ("rummikub", {"event": "penalty", "seat": 0, "reason": "illegal"}, {"tiles": ["r7"]}, {"tiles": ["j"]}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "event", "tiles", "others"), HIDDEN)
def test_hidden_tiles_change_no_word(
    name: str, event: dict[str, Any], tiles: dict[str, Any], others: dict[str, Any]
) -> None:
    game = find_game(name)(3)
    assert game.tell(event | tiles, 1) == game.tell(event | others, 1)
