"""Tables for people at a terminal, plain when piped."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from league.roster import label_of
from league.words import counted

if TYPE_CHECKING:
    from league.bench import Measured
    from league.check import Checked
    from league.duel import Duel
    from league.games import Game
    from league.logged import Replay
    from league.roster import Entry, Unloadable
    from league.roster.shelf import Shelved

STANDING_COLUMNS = {
    "rank": "rank",
    "bot": "bot",
    "rating": "rating",
    "mu": "mu",
    "sigma": "sigma",
    "online_mu": "online",
    "fit_mu": "order-free",
    "matches": "matches",
    "wins": "wins",
    "ties": "ties",
    "losses": "losses",
    "mean_rank": "mean rank",
    "mean_score": "mean score",
    "faults": "faults",
    "forfeits": "forfeits",
}
SPARE_COLUMNS = (
    "online_mu", "forfeits", "ties", "losses", "mean_score", "sigma", "mu", "mean_rank", "wins", "fit_mu", "matches",
    "faults",
)  # fmt: skip
"""What a narrow terminal does without, in this order."""


WIDE = 10_000
"""Wider than any table."""


def console() -> Console:
    """Standard output; as wide as it takes when it is no terminal."""
    out = Console()
    return out if out.is_terminal else Console(width=WIDE)


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[int] = ()) -> Table:
    """A table whose columns `right` hold numbers; where it is narrow, texts go on in the next line."""
    made = Table(box=SIMPLE_HEAD, pad_edge=False)
    numbers = set(right)
    for place, heading in enumerate(headings):
        is_number = place in numbers
        made.add_column(
            Text(heading), justify="right" if is_number else "left", no_wrap=is_number, overflow="fold"
        )
    for row in rows:
        made.add_row(*(Text(cell) for cell in row))
    return made


def rank_range(row: Mapping[str, Any]) -> str:
    """A rank, or the range of ranks that the intervals leave open."""
    low, high = row["rank_low"], row["rank_high"]
    return str(low) if low == high else f"{low}-{high}"


def standing_cells(row: Mapping[str, Any]) -> list[str]:
    """A standing as text, with the digits that mean something."""
    shown = []
    for key in STANDING_COLUMNS:
        value = row[key]
        if key == "rank":
            shown.append(rank_range(row))
        elif key == "bot":
            shown.append(label_of(value, row["version"]))
        elif key == "fit_mu":
            shown.append(f"{value:,.2f}{' !' if row['disputed'] else ''}")
        else:
            shown.append(f"{value:,.2f}" if isinstance(value, float) else f"{value:,}")
    return shown


def standings_text(rows: Sequence[Mapping[str, Any]], file_format: str) -> str:
    """The ranking as CSV, JSON or Markdown."""
    if file_format == "json":
        return json.dumps(list(rows), indent=2, ensure_ascii=False)
    if file_format == "csv":
        out = io.StringIO()
        writer = csv.DictWriter(out, list(rows[0]) if rows else list(STANDING_COLUMNS), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return out.getvalue().rstrip("\n")
    lines = ["| " + " | ".join(STANDING_COLUMNS.values()) + " |"]
    lines.append("|" + "|".join(" :- " if key == "bot" else " -: " for key in STANDING_COLUMNS) + "|")
    lines += [
        "| " + " | ".join(cell.replace("|", r"\|") for cell in standing_cells(row)) + " |" for row in rows
    ]
    return "\n".join(lines)


def standings_table(rows: Sequence[Mapping[str, Any]], out: Console) -> tuple[Table, list[str]]:
    """The ranking as a table that fits, and the headings of the columns that it does without."""
    cells = [dict(zip(STANDING_COLUMNS, standing_cells(row), strict=True)) for row in rows]
    shown, left_out = dict(STANDING_COLUMNS), []
    for key in (None, *SPARE_COLUMNS):
        if key is not None:
            left_out.append(shown.pop(key))
        numbers = [place for place, name in enumerate(shown) if name != "bot"]
        made = table(list(shown.values()), [[row[name] for name in shown] for row in cells], numbers)
        if Measurement.get(out, out.options.update(max_width=WIDE), made).maximum <= out.width:
            break
    return made, left_out


def print_standings(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print the ranking, and say what a narrow terminal does without."""
    out = console()
    made, left_out = standings_table(rows, out)
    out.print(made)
    if left_out:
        Console(stderr=True).print(
            f"too narrow for {', '.join(left_out)}; `league standings --format csv` has all", highlight=False
        )


def bots_table(entries: Sequence[Entry]) -> Table:
    """The bots that were found."""
    rows = [[entry.game, entry.label, entry.kind, entry.summary] for entry in entries]
    return table(["game", "bot", "kind", "idea"], rows)


def unloadable_lines(broken: Sequence[Unloadable]) -> list[str]:
    """The bots that did not load."""
    return [f"did not load: {each}" for each in broken]


def games_table(games: Sequence[type[Game]]) -> Table:
    """All games in a line each."""
    rows = [
        [game.name, str(game.version), f"{game.seat_counts[0]}-{game.seat_counts[-1]}", _summary(game)]
        for game in games
    ]
    return table(["game", "version", "seats", "what it is"], rows, [1])


def _summary(documented: Any) -> str:
    return (documented.__doc__ or "").strip().split("\n")[0]


def options_table(game: type[Game]) -> Table:
    """A game's options with types, defaults and meaning."""
    rows = []
    for name, field in game.Options.model_fields.items():
        kind = _type_name(field.annotation)
        rows.append([name, kind, json.dumps(field.default), field.description or ""])
    return table(["option", "type", "default", "meaning"], rows)


def _type_name(annotation: Any) -> str:
    name = getattr(annotation, "__name__", str(annotation))
    args = getattr(annotation, "__args__", ())
    if name == "Literal":
        return " / ".join(map(str, args))
    return (
        " or ".join(_type_name(arg) for arg in args if arg is not type(None)) + " or unset" if args else name
    )


def view_table(game: type[Game]) -> Table:
    """What a bot sees, word by word."""
    words = ["seat", "seats", "options", "legal", *game.view_words]
    return table(["view", "meaning"], [[word, _summary(getattr(game.View, word))] for word in words])


def replay_text(found: Replay) -> Iterable[str]:
    """A match as text: each event, and the table whenever a seat must decide anew."""
    from league.logged import event_text

    yield f"match {found.match} of {found.game.title}, deal {found.deal}: {', '.join(found.bots)}"
    turn = None
    for frame in found.frames:
        now = (int(frame.state["turn"]), int(frame.state["to_move"]))
        if now != turn:
            yield ""
            yield found.game.draw_text(frame.state)
            turn = now
        yield event_text(found.game, frame.event)
    yield ""
    yield found.outcome


def duel_lines(found: Duel, labels: tuple[str, str]) -> list[str]:
    """What a duel came to, from the first bot's side."""
    score, matches = (
        found.comparison,
        ", ".join(
            [counted(found.wins, "win"), counted(found.ties, "tie"), counted(found.losses, "loss", "losses")]
        ),
    )
    lines = [
        f"{labels[0]} against {labels[1]}: {counted(score.sets, 'mirror set')}, {matches}",
        f"score        {score.score:.1%}  (95 %: {score.score_low:.1%} to {score.score_high:.1%})",
        f"Elo          {score.elo:+z.1f}  (95 %: {score.elo_low:+z.1f} to {score.elo_high:+z.1f})",
        f"superiority  {score.superiority:.1%} likely that {labels[0]} is the better one",
    ]
    if found.verdict is not None:
        test = found.verdict
        lines.append(
            f"test         {test.decision} (log-likelihood ratio {test.ratio:.2f}, bounds {test.lower:.2f} "
            f"and {test.upper:.2f})"
        )
    lines += [f"faults       {label}: {count:,}" for label, count in sorted(found.fault_counts.items())]
    lines += [f"  {label} seat {fault.seat}: {fault.kind}: {fault.message}" for label, fault in found.faults]
    return lines


def check_lines(checked: Checked) -> Iterator[str]:
    """What a check found, then how fast the bot is."""
    from league.check import COST_MATCHES, COUNTS

    for finding in checked.findings:
        yield f"{finding.level}: {finding.text}"
        if finding.view:
            yield f"  saw: {finding.view}"
        if finding.look:
            yield f"  look: {finding.look}"
    label, each = checked.entry.label, checked.decision_us
    most = COUNTS[0][0]
    few = f"; {checked.count} of {most} matches of each variant, for it is slow"
    yield (
        f"{label}: {'ready' if checked.passed else 'not ready'}; {counted(checked.matches, 'match', 'matches')}, "
        f"{counted(checked.decisions, 'decision')}{few if checked.count < most else ''}"
    )
    if each:
        yield (
            f"{label}: {each:,.1f} us of CPU time a decision, {1e6 / each:,.0f} a second, {checked.limit_share:.2%} "
            f"of the limit; about {checked.cost_s:,.1f} s in one seat of {COST_MATCHES:,} matches"
        )


def roster_table(versions: Sequence[Shelved]) -> Table:
    """The versions in a roster, oldest first, with what their checks said."""
    rows = [
        (
            each.entry.label,
            each.entry.game,
            each.entry.kind,
            each.entry.author,
            each.entry.licence,
            each.submitted,
            "passed" if each.check.get("passed") is True else "not passed",
            f"{float(each.check.get('decision_us', 0)):,.1f}",
            str(each.check.get("warnings", 0)),
        )
        for each in versions
    ]
    headings = ("bot", "game", "kind", "author", "licence", "submitted", "check", "us a decision", "warnings")
    return table(headings, rows, right=(7, 8))


def bench_table(lines: Iterable[Measured]) -> Table:
    """What a benchmark measured."""
    rows = [
        [
            line.what,
            line.ours,
            line.yardstick,
            line.theirs,
            "" if line.ratio is None else f"{line.ratio:,.2f} x",
        ]
        for line in lines
    ]
    return table(["what", "ours", "beside", "theirs", "as fast"], rows, [1, 3, 4])
