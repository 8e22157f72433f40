"""Boards as text and as SVG."""

from __future__ import annotations

from xml.etree import ElementTree

from league.games.rummikub import GAME, Play
from tests.games.rummikub.tables import place

SVG = "{http://www.w3.org/2000/svg}"


def test_text() -> None:
    game, state = place("r9 j", "r6 r7 j:r8", opened=False, others=["k1 k2"])
    state["totals"] = [5, -5, 0, 0]
    assert game.draw_text(state).splitlines() == [
        "round 1   pool 0",
        "table   r6 r7 j:r8",
        "seat 0*    5 points, 2 tiles, not opened: r9 j",
        "seat 1    -5 points, 2 tiles, not opened: k1 k2",
    ]
    assert "k1 k2" not in game.draw_text(state, 0)
    assert game.draw_text(state, 1).splitlines()[2].endswith("hidden")


def test_svg_outlines_what_was_laid() -> None:
    game, state = place("r9 k5", "r6 r7 r8 / k6 k7 k8", others=["k1 k2"])
    action = game.action_row(Play((("r6", "r7", "r8", "r9"), ("k5", "k6", "k7", "k8"))))
    frame = next(game.frames(state, action))
    root = ElementTree.fromstring(game.draw_svg(frame.state, frame.event))
    assert len(root.findall(f"{SVG}rect[@class='changed']")) == 2
    assert len(root.findall(f"{SVG}rect")) == 8 + 2
    hidden = ElementTree.fromstring(game.draw_svg(frame.state, frame.event, 0))
    assert len(hidden.findall(f"{SVG}rect[@class='back']")) == 2


def test_svg_of_a_full_table() -> None:
    """A board of any size stays inside its frame, and hidden racks are not in its title either."""
    game = GAME(4)
    state = game.start(3)[0]
    drawn = game.draw_svg(state, None, 1)
    root = ElementTree.fromstring(drawn)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for rect in root.iter(f"{SVG}rect"):
        assert 0 <= float(rect.attrib["x"]) <= width - 0.88
        assert 0 <= float(rect.attrib["y"]) <= height - 1.3
    assert drawn.count("hidden") == 3


def test_tiles_tell_their_colours_without_colour() -> None:
    game, state = place("r9 k5", "r6 r7 j:r8", others=["k1 k2"])
    root = ElementTree.fromstring(game.draw_svg(state, None))
    texts = [text.text for text in root.iter(f"{SVG}text") if text.attrib.get("text-anchor") == "middle"]
    assert "".join(map(str, texts[:6])) == "\u2605r8" + "7r" + "6r", "the last set's tiles, from the right"
