"""What a result folder says of its league outright: the config, the bots, the standings, the history of ratings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from league.read import Results, open_results, rating_table, read_standings
from league.store import RATINGS, STANDINGS, ResultFolder
from league.store.schema import identity_of


@dataclass(frozen=True)
class BotFacts:
    """A bot as the report names it.

    Attributes:
        name: Shown name.
        version: Hash of its source.
        label: `name@version` as the logs write it.
        slug: What its pages are called.
        kind, author, origin, summary: What it said of itself and where it was found.
        isolation: How it was kept apart.
        options: Its options with their values.
        standing: Its row of the standings; empty before it was rated.
    """

    name: str
    version: str
    label: str
    slug: str
    kind: str
    author: str
    origin: str
    summary: str
    isolation: str
    options: Mapping[str, Any]
    standing: Mapping[str, Any]

    @property
    def family(self) -> str:
        """The name without the version that a roster adds to tell versions of one bot apart."""
        return self.name.removesuffix(f"-{self.version[:6]}")


@dataclass(frozen=True)
class Checkpoint:
    """What was believed of a bot, `name@version`, after the league's first `matches` matches."""

    bot: str
    matches: int
    mu: float
    sigma: float


@dataclass(frozen=True)
class Facts:
    """A league as its folder tells it.

    Attributes:
        folder: The result folder.
        kept: What `league.json` holds.
        bots: The bots, best first; before any standings in the order of the league file.
        history: Ratings by checkpoint and bot.
        matches: Rated matches.
    """

    folder: ResultFolder
    kept: Mapping[str, Any]
    bots: Sequence[BotFacts]
    history: Sequence[Checkpoint]
    matches: int

    @property
    def name(self) -> str:
        """The league's name."""
        return str(self.config["league"]["name"])

    @property
    def config(self) -> Mapping[str, Any]:
        """The league's frozen config."""
        return self.kept["config"]  # type: ignore[no-any-return]

    @property
    def identity(self) -> str:
        """The hash that all its parts carry."""
        return identity_of(self.config)

    @property
    def seats(self) -> int:
        """Seats at the table."""
        return int(self.config["game"]["seats"])

    @property
    def logs_actions(self) -> bool:
        """Whether matches can be replayed."""
        return bool(self.config["log"]["level"] == "actions")


def read_facts(results: Results) -> Facts:
    """Read all but the matches.

    Raises:
        ResultsError: No league was played there.
    """
    folder = open_results(results)
    kept = folder.read_league(is_played=True)
    rated = read_standings(folder) if folder.exists(STANDINGS) else {}
    standings = {row["bot"]: row for row in rated.get("standings", [])}
    place = {name: number for number, name in enumerate(standings)}
    bots = sorted(kept["bots"], key=lambda bot: place.get(bot["name"], len(place)))
    slugs = slugs_of([bot["name"] for bot in bots])
    rows = [_bot(bot, slug, standings.get(bot["name"], {})) for bot, slug in zip(bots, slugs, strict=True)]
    return Facts(folder, kept, rows, _history(folder), int(rated.get("matches", 0)))


def _bot(bot: Mapping[str, Any], slug: str, standing: Mapping[str, Any]) -> BotFacts:
    return BotFacts(
        name=bot["name"],
        version=bot["version"],
        label=bot["label"],
        slug=slug,
        kind=bot["kind"],
        author=bot["author"],
        origin=bot["origin"],
        summary=bot["summary"],
        isolation=bot["isolation"],
        options=bot["options"],
        standing=standing,
    )


def _history(folder: ResultFolder) -> list[Checkpoint]:
    if not folder.exists(RATINGS):
        return []
    rows = rating_table(folder.uri).to_pylist()
    return [Checkpoint(row["bot"], row["matches"], row["mu"], row["sigma"]) for row in rows]


def slugs_of(names: Iterable[str]) -> list[str]:
    """File names for bots: letters and digits of their names, told apart by a number where those agree.

    >>> slugs_of(["Greedy 2", "greedy-2", "<b>"])
    ['greedy-2', 'greedy-2-2', 'b']
    """
    taken: set[str] = set()
    slugs = []
    for name in names:
        stem = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "bot"
        slug, number = stem, 1
        while slug in taken:
            number += 1
            slug = f"{stem}-{number}"
        taken.add(slug)
        slugs.append(slug)
    return slugs
