"""What people see at a terminal: names of any script with their right widths, and words for every option."""

from __future__ import annotations

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from league.cli.terminal import (
    STANDING_COLUMNS,
    options_table,
    standing_cells,
    standings_table,
    standings_text,
    view_table,
)
from league.games.find import find_game, game_names
from league.progress import Bar, Lines, Quiet

NAMES = ["plain", "würmchen", "虫虫", "👩‍🚀", "a|b", "[bold]"]


def row(name: str, rank: int = 1) -> dict[str, object]:
    return dict.fromkeys(STANDING_COLUMNS, 0.25) | {
        "rank": rank, "rank_low": 1, "rank_high": 2, "bot": name, "version": "0123456789ab", "rating": 1.5, "mu": 25.0,
        "sigma": 0.1, "matches": 12345, "wins": 1, "ties": 2, "losses": 3, "mean_rank": 1.5, "mean_score": 7.25,
        "faults": 0, "forfeits": 0, "disputed": False,
    }  # fmt: skip


def shown(table: object, width: int = 200) -> str:
    out = Console(file=io.StringIO(), width=width)
    out.print(table)
    text = out.file.getvalue()  # type: ignore[attr-defined]
    return str(text)


def test_columns_line_up_whatever_the_script() -> None:
    lines = [
        line
        for line in shown(standings_table([row(name) for name in NAMES], Console(width=200))[0]).splitlines()
        if "@012345" in line
    ]
    assert len(lines) == len(NAMES)
    assert len({cell_len(line[: line.index("1.50")]) for line in lines}) == 1
    assert all(f"{name}@012345" in line for name, line in zip(NAMES, lines, strict=True))


@pytest.mark.parametrize("width", [60, 80, 100, 120, 150, 200])
def test_a_narrow_terminal_does_without_columns_not_without_names(width: int) -> None:
    made, left_out = standings_table([row("a_bot_of_many_words")], Console(width=width))
    (line,) = [line for line in shown(made, width).splitlines() if "a_bot" in line]
    assert "a_bot_of_many_words@012345" in line
    assert "1.50" in line
    assert "…" not in line
    assert len(line.split()) == len(STANDING_COLUMNS) - len(left_out)
    assert bool(left_out) == (width < 200)


def test_markdown_cells_keep_their_bars() -> None:
    (line,) = standings_text([row("a|b")], "md").splitlines()[2:]
    assert r"a\|b@012345" in line
    assert standing_cells(row("x"))[0] == "1-2"
    assert standing_cells(row("x"))[list(STANDING_COLUMNS).index("mean_rank")] == "1.50"
    assert "12,345" in line


def test_one_of_a_thing_is_no_plural() -> None:
    game = find_game("dominoes")(2)
    state = game.start(1)[0]
    state["scores"][0] = 1
    assert "   1 point, 7 tiles" in game.draw_text(state)
    assert "   0 points, " in game.draw_text(state)
    told = game.tell({"event": "play", "seat": 0, "tile": [1, 0], "arm": 0, "ends": 1, "points": 1})
    assert told.endswith(", 1 point")


@pytest.mark.parametrize("name", game_names())
def test_every_option_and_word_of_a_game_is_explained(name: str) -> None:
    game = find_game(name)
    table = shown(options_table(game))
    for option, field in game.Options.model_fields.items():
        assert option in table
        assert field.description
    for word in game.view_words:
        assert word in shown(view_table(game))


@pytest.mark.parametrize("kind", [Bar, Lines])
def test_progress_tells_leaders_and_speed(kind: type[Bar] | type[Lines]) -> None:
    stream = io.StringIO()
    reporter = kind(Console(file=stream, force_terminal=kind is Bar, width=120))
    reporter.start(1000)
    reporter.note("[a note]")
    reporter.advance(500, 500, ["[bold]", "虫虫"])
    reporter.finish()
    assert "[a note]" in stream.getvalue()
    if kind is Bar:
        assert "500/1000" in stream.getvalue()
        assert "[bold], 虫虫" in stream.getvalue()
        assert "/s" in stream.getvalue()
    else:
        assert "\x1b" not in stream.getvalue()
    assert isinstance(reporter, Quiet)
