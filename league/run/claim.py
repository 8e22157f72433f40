"""Make a result folder a league's own, or refuse it: what is continued must be what was begun."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import league
from league.config import LeagueConfig
from league.errors import ResultsError
from league.store import FORMAT_VERSION, LEAGUE, ResultFolder


def claim(folder: ResultFolder, config: LeagueConfig, fresh: bool) -> None:
    """Make the folder the league's own, or refuse it.

    Raises:
        ResultsError: It belongs to another league; the message names what differs.
    """
    if fresh:
        folder.clear()
    elif folder.exists(LEAGUE):
        _refuse_change(folder, folder.read_league(is_played=True), config)
    elif folder.list("matches"):
        raise ResultsError(f"{folder.uri}: holds matches but no {LEAGUE}; choose another folder with --out")
    folder.sweep()
    for bot in config.bots:
        for path, content in bot.entry.bundle.files.items():
            kept = f"bots/{bot.entry.bundle.version}/{path}"
            if not folder.exists(kept):
                folder.write(kept, content)
    folder.write_json(LEAGUE, _kept(config))


def _kept(config: LeagueConfig) -> dict[str, Any]:
    """What `league.json` says: all that verifying, replaying and reporting need."""
    return {
        "format": FORMAT_VERSION,
        "league_version": league.__version__,
        "matches": config.matches,
        "batch": config.batch,
        "config": config.frozen,
        "bots": [
            {
                "name": bot.name,
                "label": bot.label,
                "entry": bot.entry.name,
                "version": bot.entry.bundle.version,
                "kind": bot.entry.kind,
                "files": sorted(bot.entry.bundle.files),
                "main": bot.entry.bundle.main,
                "attribute": bot.entry.bundle.attribute,
                "options": dict(bot.options),
                "isolation": bot.isolation,
                "origin": bot.entry.origin,
                "author": bot.entry.author,
                "summary": bot.entry.summary,
            }
            for bot in config.bots
        ],
    }


def _refuse_change(folder: ResultFolder, kept: dict[str, Any], config: LeagueConfig) -> None:
    changes = list(differences(kept["config"], json.loads(json.dumps(config.frozen))))
    if changes:
        shown = "; ".join(changes[:3]) + (f" and {len(changes) - 3} more" if len(changes) > 3 else "")
        raise ResultsError(
            f"{folder.uri}: belongs to another league: {shown}; "
            "undo the change, choose another league.name or --out, or start over with --fresh"
        )
    if kept["matches"] > config.matches:
        raise ResultsError(
            f"{folder.uri}: schedule.matches was {kept['matches']}, now {config.matches}: "
            "a league can be extended but not shortened; start over with --fresh"
        )


def differences(before: Any, now: Any, key: str = "") -> Iterator[str]:
    """Say key by key what differs between two JSON values."""
    if isinstance(before, dict) and isinstance(now, dict):
        for name in sorted({*before, *now}):
            place = f"{key}.{name}" if key else name
            if name in before and name in now:
                yield from differences(before[name], now[name], place)
            else:
                yield f"{place} is {'new' if name in now else 'gone'}"
    elif before != now:
        yield f"{key} was {before!r}, now {now!r}"
