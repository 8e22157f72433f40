"""OpenSpiel's games through the plain door."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from league.adapters import openspiel
from league.cli import main
from league.config import read_config
from league.errors import ConfigError
from league.games.find import find_game, game_names
from league.kernels import own
from league.run.league import run_league
from league.verification import verify
from tests.games.contract import GameContract
from tests.games.tables import play_by_chance, view_row
from tests.tiny import outcome, steady

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install open_spiel")

CONTRACT = ("tic_tac_toe", "kuhn_poker", "leduc_poker", "einstein_wurfelt_nicht")
"""Open; hidden; hidden with chance in the middle; open with dice."""

BOTS = """
from league import Bot

class Chance(Bot):
    game = "openspiel.kuhn_poker"
    def choose(self, view):
        return self.rng.choice(view.legal)

class Honest(Bot):
    "Bets on the best card and passes on others."
    game = "openspiel.kuhn_poker"
    def choose(self, view):
        return "Bet" if view.text.startswith("2") else "Pass"
"""


@pytest.mark.parametrize("name", [f"openspiel.{name}" for name in CONTRACT])
class TestGamesOfOpenSpiel(GameContract):
    """The contract of every game."""


def test_a_league_end_to_end(tmp_path: Path) -> None:
    (tmp_path / "bots.py").write_text(BOTS)
    file = tmp_path / "kuhn.toml"
    file.write_text(
        '[league]\nname = "kuhn"\n[game]\nname = "openspiel.kuhn_poker"\n[schedule]\nmatches = 80\nbatch = 40\n'
        '[[bots]]\nuse = "bots.py:Chance"\n[[bots]]\nuse = "bots.py:Honest"\n'
    )
    for out in ("one", "two"):
        run_league(read_config(file), str(tmp_path / out), engine="inline")
    results = tmp_path / "one" / "kuhn"
    assert steady(results).equals(steady(tmp_path / "two" / "kuhn"))
    assert outcome(results) == outcome(tmp_path / "two" / "kuhn")
    assert verify(str(results), bots=True).wrong == []
    runner = CliRunner()
    assert "Deal" in runner.invoke(main, ["replay", str(results), "0"]).stdout
    assert runner.invoke(main, ["report", str(results)]).exit_code == 0
    rows = json.loads(runner.invoke(main, ["standings", str(results), "--format", "json"]).stdout)
    assert [row["faults"] for row in rows] == [0, 0]
    assert set(steady(results)["scores"].to_pylist()[0]) <= {-200, -100, 100, 200}


def test_what_is_chosen_at_the_same_time_is_not_seen() -> None:
    """The second seat's view does not know what the first one played a moment before."""
    game = find_game("openspiel.goofspiel")()
    state = game.start(1)[0]
    seen = set()
    for action in game.view(state).legal:
        after = own(state)
        game.kernels.step(after, game.action_row(action))
        assert after["to_move"] == 1
        seen.add(view_row(game, after).tobytes())
    assert len(seen) == 1


@pytest.mark.parametrize("name", openspiel.game_names())
def test_every_game_starts_and_goes_on(name: str) -> None:
    """Rows, views and texts hold what the game needs; what each further decision costs is OpenSpiel's own."""
    game = find_game(f"openspiel.{name}")()
    count = 0
    for decision in play_by_chance(game, 1, 2, at_most=4):
        assert game.draw_text(decision.state).strip()
        assert ElementTree.fromstring(game.draw_svg(decision.state)).tag.endswith("svg")
        assert game.view(decision.state).legal
        count += 1
    assert count


def test_names_options_and_refusals() -> None:
    assert not [name for name in game_names() if "." in name]
    assert "openspiel.hex" in game_names("openspiel")
    listed = CliRunner().invoke(main, ["games", "openspiel"])
    assert "openspiel.hex " in listed.stdout
    assert "league games openspiel" in CliRunner().invoke(main, ["games"]).stderr
    assert find_game("openspiel.hex")(2, {"board_size": 3}).max_legal == 9
    assert find_game("openspiel.kuhn_poker").seat_counts == range(2, 11)
    for name, told in {
        "openspiel.2048": "for one player",
        "openspiel.kuhn_pokr": "did you mean 'kuhn_poker'",
        "openspiel.repeated_game": "made from another game",
        "openspeil.pig": "did you mean 'openspiel'",
        "openspiel": "a family of games",
    }.items():
        with pytest.raises(ConfigError, match=told):
            find_game(name)
    with pytest.raises(ConfigError, match=r"openspiel.leduc_poker: .*player = 7"):
        find_game("openspiel.leduc_poker")(2, {"starting_player": 7})
    with pytest.raises(ConfigError, match=r"openspiel.nim: .*pile_sizes"):
        find_game("openspiel.nim")(2, {"pile_sizes": "many"})


def test_without_openspiel_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ConfigError, match=r"pip install 'bot-league\[openspiel\]'"):
        openspiel.pyspiel.__wrapped__()
