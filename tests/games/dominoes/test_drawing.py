"""Drawings: every tile once, none upon another, nothing hidden shown."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any

from hypothesis import given, settings

from league.games.dominoes import GAME, Dominoes
from league.games.dominoes.drawing import Piece, _board, arms_of, draw_svg, draw_text
from tests.games.tables import SEEDS, play_by_chance, variants


def overlap(one: Piece, other: Piece) -> bool:
    """Whether two pieces lie upon each other."""
    x = abs(one.at[0] - other.at[0]) < (one.width + other.width) / 2 - 0.01
    y = abs(one.at[1] - other.at[1]) < (one.height + other.height) / 2 - 0.01
    return x and y


@given(variants("dominoes"), SEEDS, SEEDS)
@settings(max_examples=25)
def test_boards(game: Dominoes, deal: int, choice: int) -> None:
    for decision in play_by_chance(game, deal, choice, 60):
        pieces = list(_board(decision.state, None))
        assert len(pieces) == 1 + sum(map(len, arms_of(decision.state)))
        assert sum(piece.is_changed for piece in pieces) == 1
        assert not any(overlap(one, other) for at, one in enumerate(pieces) for other in pieces[:at])


def texts(state: Any, seat: int | None) -> tuple[str, str]:
    return draw_text(state, seat), draw_svg(state, None, seat)


def test_a_seat_sees_its_own_hand_only() -> None:
    game = GAME(3)
    for decision in play_by_chance(game, 8, 8, 12):
        open_text, open_svg = texts(decision.state, None)
        text, svg = texts(decision.state, 1)
        assert text.count("hidden") == 2
        assert "hidden" not in open_text
        sizes = decision.state["hand_sizes"][:3].tolist()
        assert svg.count('class="back"') == sizes[0] + sizes[2]
        assert 'class="back"' not in open_svg
        assert len(re.findall("<rect", svg)) == len(re.findall("<rect", open_svg))


def test_drawings_are_well_formed_and_outline_what_happened() -> None:
    game = GAME(4)
    outlined = set()
    for decision in play_by_chance(game, 5, 5):
        for frame in game.frames(decision.state, decision.action):
            svg = game.draw_svg(frame.state, frame.event)
            root = ET.fromstring(svg)
            assert root.attrib["role"] == "img"
            assert float(root.attrib["viewBox"].split()[2]) <= 24
            if 'class="changed"' in svg:
                outlined.add(frame.event["event"])
            assert svg.count('class="changed"') == (frame.event["event"] in ("play", "draw"))
    assert outlined == {"play", "draw"}


def test_text_board() -> None:
    game = GAME(2)
    state = game.start(5)[0]
    game.play(state, game.parse_action("6-1@1"))
    assert game.draw_text(state, 0).splitlines() == [
        "hand 1   boneyard 14   count 5",
        "spinner 6-6",
        "  @0 6-4",
        "  @1 6-1",
        "  @2 free",
        "seat 0     5 points, 5 tiles: 0-0 1-1 2-0 3-0 4-1",
        "seat 1*    0 points, 6 tiles: hidden",
    ]
