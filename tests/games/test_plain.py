"""The plain door: a game of one object a match holds the contract, and its league is like any other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from league.cli import main
from league.config import read_config
from league.errors import ConfigError, LeagueError
from league.games.find import find_game
from league.games.matches import KEPT
from league.kernels import own
from league.play.loops import loops_of
from league.play.table import SLOTS
from league.run.league import run_league
from league.verification import verify
from tests.games import race
from tests.games.contract import GameContract
from tests.games.tables import fields_of, play_by_chance, view_row
from tests.tiny import outcome, steady

BOTS = """
from league import BatchBot, Bot, CompiledBot

class Chance(Bot):
    game = "race"
    def choose(self, view):
        return self.rng.choice(view.legal)

class Greedy(Bot):
    game = "race"
    def choose(self, view):
        card = max(view.hand, default=0)
        return "die" if view.die >= card else f"card {card}"

class Many(BatchBot):
    game = "race"
    def choose_many(self, views, legal, seeds):
        return legal.actions[:, 0]

class Liar(Bot):
    game = "race"
    def choose(self, view):
        return "card 9" if view.at[view.seat] else 9

class Machine(CompiledBot):
    game = "race"
"""


@pytest.fixture(scope="module", autouse=True)
def _installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("installed")
    race.install(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        yield


@pytest.mark.parametrize("name", ["race", "open_race"])
class TestPlainGames(GameContract):
    """The contract of every game."""


def league_of(folder: Path, *bots: str, isolation: str = "none") -> Path:
    (folder / "bots.py").write_text(BOTS)
    file = folder / "race.toml"
    sections = [
        '[league]\nname = "race"\nseed = 3\n[game]\nname = "race"\nseats = 3\n[schedule]\nmatches = 60\nbatch = 30',
        *(f'[[bots]]\nuse = "bots.py:{bot}"\nisolation = "{isolation}"' for bot in bots),
    ]
    file.write_text("\n".join(sections))
    return file


def played(file: Path, out: str) -> Path:
    run_league(read_config(file), str(file.parent / out), engine="inline")
    return file.parent / out / "race"


def said(*words: Any) -> str:
    came = CliRunner().invoke(main, [str(word) for word in words])
    assert came.exit_code == 0, came.output
    return came.stdout


def test_a_league_end_to_end(tmp_path: Path) -> None:
    """Bots of three kinds, one of them faulty; the same twice, and the same in processes of their own."""
    file = league_of(tmp_path, "Chance", "Greedy", "Many", "Liar")
    results = played(file, "one")
    assert verify(str(results), bots=True).wrong == []
    (tmp_path / "apart").mkdir()
    for other in (
        played(file, "two"),
        played(league_of(tmp_path / "apart", "Chance", "Greedy", "Many", "Liar", isolation="process"), "out"),
    ):
        assert steady(other).equals(steady(results))
        assert outcome(other)[1] == outcome(results)[1]
    rows = json.loads(said("standings", results, "--format", "json"))
    assert rows[0]["bot"] == "greedy"
    assert {row["bot"]: row["faults"] > 0 for row in rows} == {
        "greedy": False,
        "chance": False,
        "many": False,
        "liar": True,
    }
    faults = [fault["message"] for found in steady(results)["faults"].to_pylist() for fault in found]
    assert "answered int, not a text" in " ".join(faults)
    assert Path(said("report", results).strip()).exists()
    assert "A &lt;race&gt;" in (results / "report" / "index.html").read_text()
    text = said("replay", results, 0)
    assert "match 0 of A <race>" in text
    assert "rolls" in text
    events = [json.loads(line) for line in said("replay", results, 0, "--format", "jsonl").splitlines()]
    assert {event["event"] for event in events} >= {"match", "start", "chance", "play", "result"}
    page = Path(said("replay", results, 0, "--format", "html").strip()).read_text()
    assert "<title>A &lt;race&gt;</title>" in page


def test_a_compiled_bot_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="bot machine is compiled, which race is not: derive it from Bot"):
        read_config(league_of(tmp_path, "Chance", "Machine"))


def test_views_hold_no_more_than_is_seen() -> None:
    """What another seat holds changes no byte of a view; nor is the row of a hidden match longer for its past."""
    game = find_game("race")(3)
    found: dict[tuple[Any, ...], set[tuple[bytes, bytes]]] = {}
    for deal in range(3000):
        state = game.start(deal)[0]
        view = view_row(game, state)
        seen = game.view(state)
        key = (seen.die, seen.hand)  # type: ignore[attr-defined]
        hands = game.draw_text(state)
        found.setdefault(key, set()).add((view.tobytes(), hands.encode()))
    for same in found.values():
        assert len({view for view, _ in same}) == 1
    assert max(len({hands for _, hands in same}) for same in found.values()) > 1
    assert set(game.view_dtype.names or ()) == {"seat", "seats", "length", "text"}


def test_rows_are_whole_in_themselves() -> None:
    """A row goes on alike in another object of the game, which has seen nothing before it."""
    game = find_game("race")(3)
    for decision in play_by_chance(game, 5, 6):
        other, state = find_game("race")(3), own(decision.state)
        assert fields_of(view_row(other, state)) == fields_of(decision.view)
        assert other.result(state) == game.result(decision.state)
        other.kernels.step(state, decision.action)
        after = own(decision.state)
        game.kernels.step(after, decision.action)
        assert fields_of(state) == fields_of(after)


def test_as_many_moments_are_at_hand_as_matches_of_a_table_need() -> None:
    assert KEPT >= 4 * SLOTS


def test_nothing_is_compiled_for_it() -> None:
    loops = loops_of(find_game("race")())
    assert not hasattr(loops.gather, "py_func")


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"max_legal": 3}, "4 legal actions, max_legal is 3"),
        ({"view_bytes": 20}, "view_bytes is 20; raise it"),
        ({"words": {"die": "the die"}}, "a view of 4 values for 1 words"),
    ],
)
def test_a_match_that_breaks_its_word_is_no_bots_fault(facts: dict[str, Any], told: str) -> None:
    game = type("Narrow", (race.Race,), facts)(2)
    with pytest.raises(ConfigError, match=told):
        game.view(game.start(1)[0])


def test_a_match_that_breaks_its_word_ends_an_isolated_league_in_one_line(tmp_path: Path) -> None:
    """The process that starts bots finds it first, and hands it on."""
    file = league_of(tmp_path, "Chance", "Greedy", "Many", isolation="process")
    file.write_text(file.read_text().replace("race", "narrow").replace("bots.py", "narrow.py"))
    (tmp_path / "narrow.py").write_text(BOTS.replace('"race"', '"narrow"'))
    with pytest.raises(LeagueError, match="4 legal actions, max_legal is 3"):
        played(file, "out")


def test_a_game_that_does_not_load_is_listed_with_the_reason() -> None:
    came = CliRunner().invoke(main, ["games"])
    assert came.exit_code == 0
    assert "regenwormen" in came.stdout
    told = "game nowhere: tests.games.race:Nowhere does not load: AttributeError"
    assert told in " ".join(came.stderr.split())
    with pytest.raises(ConfigError, match=told):
        find_game("nowhere")


def test_a_cap_ends_a_match() -> None:
    game = type("Short", (race.Race,), {"longest": 4})(2, {"goal": 60})
    state, decisions = game.start(1)[0], 0
    for _ in play_by_chance(game, 1, 1):
        decisions += 1
    for decision in play_by_chance(game, 1, 1):
        state = decision.state
    assert decisions == 4
    assert (state["to_move"], state["truncated"], state["turn"]) == (-1, 1, 4)
    assert np.ptp(game.result(state)[0]) >= 0
