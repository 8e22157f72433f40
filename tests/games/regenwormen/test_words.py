"""The rules page and the drawings: nothing left out, nothing wrong."""

from pathlib import Path

import pytest

import league.games.regenwormen
from league.games import Event
from league.games.regenwormen import GAME
from tests.games.regenwormen.positions import play, position

PAGE = (Path(league.games.regenwormen.__file__).parent / "RULES.md").read_text()


@pytest.mark.parametrize("option", GAME.Options.model_fields)
def test_rules_name_every_option_with_its_default(option: str) -> None:
    default = GAME.Options.model_fields[option].default
    shown = f'"{default}"' if isinstance(default, str) else str(default).lower()
    line = next(line for line in PAGE.splitlines() if line.startswith(f"| `{option}` | RW-"))
    assert f"**{shown}**" in line


@pytest.mark.parametrize("word", GAME.view_words)
def test_rules_name_every_word_of_the_view(word: str) -> None:
    assert f"`{word}`" in PAGE


def test_text_of_a_table() -> None:
    game, state = position("5123", "WW44", row=[21, 33], stacks={1: [22, 30]})
    assert game.draw_text(state).splitlines() == [
        "row     21 33",
        "seat 0* -  (0 worms)",
        "seat 1  22 30  (4 worms)",
        "rolled  1 2 3 5",
        "kept    4 4 W W = 18",
    ]


@pytest.mark.parametrize(
    ("text", "title", "outlines"),
    [
        ("5 take", "seat 0 takes tile 21", 2),
        ("5 roll", "seat 0 keeps 1 × 5: 23 together, 3 dice left", 1),
        ("5 steal", "seat 0 steals tile 23 from seat 1", 2),
    ],
)
def test_drawings_outline_what_changed(text: str, title: str, outlines: int) -> None:
    game, state = position("5123", "WW44", row=[21, 33], stacks={1: [22, 23]})
    drawing = _after(game, state, text, 0 if text == "5 roll" else 1)
    assert f"<title>Regenwormen, turn 1: {title}</title>" in drawing
    assert drawing.count('class="rw-new"') == outlines


def _after(game: GAME, state: object, text: str, place: int) -> str:
    action = game.action_row(game.parse_action(text))
    frame = list(game.frames(state, action))[place]
    return game.draw_svg(frame.state, frame.event)


def test_drawing_of_a_failure() -> None:
    game, state = position("5555", "4444", row=[21, 33], stacks={0: [22, 23]})
    events: list[Event] = play(game, state, "5 roll")[1]
    assert events[1]["returned"] == 23
    drawing = _after(game, state, "5 roll", 1)
    assert (
        "seat 0 busts with no worm among the kept dice, gives back tile 23, tile 33 is turned down" in drawing
    )
    assert drawing.count('class="rw-new"') == 3
    assert drawing.count('class="rw-back"') == 13
