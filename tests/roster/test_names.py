"""What a bot may be called: names of any script, and none that looks like another or shows nothing."""

from __future__ import annotations

import pytest

from league.errors import BotError
from league.roster import look_of, require_name


@pytest.mark.parametrize(
    "name",
    ["odds", "Würmchen", "червяк", "σκουλήκι", "虫虫", "ころころサイコロbot", "지렁이", "دودة", "कीड़ा", "क्\u200dष",
     "👩\u200d🚀", "🏳\ufe0f\u200d🌈", "👍🏽", "ε-greedy", "bot_ж2", "a b-c.d"],
)  # fmt: skip
def test_names_of_any_script_are_fine(name: str) -> None:
    require_name(name)
    assert look_of(name)


@pytest.mark.parametrize(
    "unseen",
    ["\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u3164", "\u115f", "\u1160", "\uffa0", "\u2800", "\ufe0f",
     "\ufe00", "\U000e0101", "\u034f", "\u202e"],
)  # fmt: skip
def test_what_shows_nothing_is_refused_and_makes_no_other_look(unseen: str) -> None:
    with pytest.raises(BotError, match="is no name for a bot"):
        require_name(f"odds{unseen}")
    with pytest.raises(BotError, match="is no name for a bot"):
        require_name(unseen)
    assert look_of(f"od{unseen}ds") == look_of("odds")


@pytest.mark.parametrize("name", ["оdds", "odds_οne", "Ρandom", "greedy bоt"])
def test_words_of_two_scripts_are_refused(name: str) -> None:
    with pytest.raises(
        BotError, match=r"mixes Latin and (Cyrillic|Greek) letters, which look alike; write each word"
    ):
        require_name(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("сосоа", "cocoa"),
        ("ТОМ", "TOM"),
        ("ΒΟΤ", "bot"),
        ("Odds", "odds"),
        ("ｏｄｄｓ", "odds"),
        ("❤\ufe0f", "❤"),
    ],
)
def test_names_of_two_scripts_may_look_the_same(one: str, other: str) -> None:
    assert look_of(one) == look_of(other)


def test_other_names_look_otherwise() -> None:
    names = ["odds", "odd", "червяк", "σκουλήκι", "虫", "虫虫", "👩\u200d🚀", "👩", "bot-1", "bot_1"]
    assert len({look_of(name) for name in names}) == len(names)
