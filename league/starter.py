"""The first files of a new bot: one that plays at once, and a test for it."""

from __future__ import annotations

import sys
from pathlib import Path

from league.errors import ConfigError
from league.games.find import find_game
from league.roster import default_name

BOT = '''"""A bot for {title}."""

from typing import Any

from league import Bot


class {cls}(Bot):
    """Answers any legal action; say here in one line how it plays."""

    game = "{game}"
    author = ""

    def choose(self, view: Any) -> Any:
        """Answer one decision.

        `view.legal` lists the actions. What else the seat sees: {words}.
        `self.rng` is the one source of randomness that a league can repeat.
        """
        return self.rng.choice(view.legal)
'''

TEST = '''"""Tests of {cls}: run them with `pytest {test}`."""

from pathlib import Path

from league.check import check
from league.roster.find import find_bot


def test_it_is_ready_for_a_league(tmp_path: Path) -> None:
    found = check(find_bot(str(Path(__file__).with_name("{file}"))), tmp_path)
    assert found.passed, found.findings
'''


def write_starter(name: str, game: str, folder: Path) -> tuple[Path, Path]:
    """Write a bot's file and its test; answer their paths.

    Raises:
        ConfigError: The name is none for a file, the game is unknown, or a file is there already.
    """
    found = find_game(game)
    stem = default_name(name).replace("-", "_").replace(" ", "_")
    if not stem.isidentifier():
        raise ConfigError(f"'{name}': no name for a bot; use letters, digits and '_', a letter first")
    if stem in sys.stdlib_module_names:
        raise ConfigError(
            f"'{name}': Python has a module of that name, which {stem}.py would hide; choose another"
        )
    cls = "".join(part.title() for part in stem.split("_"))
    bot, test = folder / f"{stem}.py", folder / f"test_{stem}.py"
    for path in (bot, test):
        if path.exists():
            raise ConfigError(f"{path}: is there already; choose another name or --dir")
    words = ", ".join(f"`view.{word}`" for word in found.view_words)
    folder.mkdir(parents=True, exist_ok=True)
    bot.write_text(BOT.format(title=found.title, cls=cls, game=game, words=words))
    test.write_text(TEST.format(cls=cls, test=test.name, file=bot.name))
    return bot, test
