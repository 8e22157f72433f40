"""The league file that plays the same league again, with the bots' sources as the result folder keeps them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from league.report.facts import Facts


def league_file(facts: Facts) -> str:
    """The league as TOML; its paths start at the folder `report/`."""
    config = facts.config
    sections = {
        "league": config["league"],
        "game": _without(config["game"], "version"),
        "schedule": {**config["schedule"], "matches": facts.kept["matches"]},
        "limits": config["limits"],
        "rating": config["rating"],
        "log": config["log"],
    }
    lines = [line for name, values in sections.items() for line in (f"[{name}]", *_keys(values))]
    for bot in facts.kept["bots"]:
        lines += ["[[bots]]", *_bot(bot)]
    return "\n".join(lines) + "\n"


def _bot(bot: Mapping[str, Any]) -> Iterator[str]:
    yield from _keys({"name": bot["name"], "use": reference(bot), "isolation": bot["isolation"]})
    if bot["options"]:
        yield f"options = {{ {', '.join(_keys(bot['options']))} }}"


def reference(bot: Mapping[str, Any]) -> str:
    """How a league file in `report/` refers to the source that is kept of a bot."""
    place = f"../bots/{bot['version']}"
    if bot["kind"] == "external":
        return f"cmd:{_command(bot['main'], bot['files'], place)}"
    if not bot["main"].endswith(".py"):
        return str(bot["entry"])
    path = place if len(bot["files"]) > 1 else f"{place}/{bot['main']}"
    return f"{path}:{bot['attribute']}"


def _command(main: str, files: Sequence[str], place: str) -> str:
    """A program's command line whose words that name a kept file, or a folder of some, say where those are kept."""
    kept = {file.partition("/")[0] for file in files}
    words = [(word, word.removeprefix("./")) for word in shlex.split(main)]
    return shlex.join(f"{place}/{name}" if name in kept else word for word, name in words)


def _keys(values: Mapping[str, Any]) -> Iterator[str]:
    for key, value in values.items():
        if value is not None:
            yield f"{key} = {json.dumps(value, ensure_ascii=False)}"


def _without(values: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name != key}
