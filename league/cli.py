"""The `league` command: parse, call, print."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import league
from league.errors import ConfigError, LeagueError

if TYPE_CHECKING:
    from league.check import Checked

INTERRUPTED = 130


class _Commands(click.Group):
    """Turns the errors that people make into one line on standard error, and status 2."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except LeagueError as error:
            raise click.exceptions.Exit(_complain(str(error))) from None
        except KeyboardInterrupt:
            click.echo("league: stopped; what is complete is kept", err=True)
            raise click.exceptions.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise click.exceptions.Exit(0) from None
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            raise click.exceptions.Exit(_complain(f"{where}{error.strerror or error}")) from None


def _complain(message: str) -> int:
    click.echo(f"league: {message}", err=True)
    return 2


@click.group(
    cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(league.__version__, prog_name="league")
def main() -> None:
    """Play leagues of game-playing bots, rate them, read the ranking."""


RESULTS = click.argument("results")


def _watch(glimpse: Any) -> None:
    """Write the page that shows a league while it is played."""
    from league.report.live import Believed, write_live

    ratings = [Believed(*rated) for rated in glimpse.ratings]
    write_live(glimpse.folder, glimpse.league, glimpse.played, glimpse.planned, ratings)


@main.command()
@click.argument("game", required=False)
def games(game: str | None) -> None:
    """List the games; with GAME its seats, options and view, with the name of a family its games."""
    from league.games import FAMILIES, find_game, game_names
    from league.terminal import console, games_table, options_table, view_table

    out = console()
    if game is None or game in FAMILIES:
        out.print(games_table([find_game(name) for name in game_names(game)]))
        for family in () if game else FAMILIES:
            click.echo(f"more: `league games {family}`", err=True)
        return
    found = find_game(game)
    seats = f"{found.seat_counts[0]} to {found.seat_counts[-1]} seats"
    out.print(f"{found.title}, version {found.version}, {seats}", highlight=False)
    out.print(options_table(found))
    out.print(view_table(found))


@main.command()
@click.option("--game", help="Only bots of this game.")
@click.option("--roster", metavar="ROSTER", help="List the versions in a roster folder or URI instead.")
def bots(game: str | None, roster: str | None) -> None:
    """List the bots found, and those that failed to load, with the reason."""
    from league.games import find_game
    from league.roster.find import find_bots
    from league.roster.shelf import Roster
    from league.terminal import bots_table, console, roster_table, unloadable_lines

    if game is not None:
        find_game(game)
    if roster is not None:
        console().print(roster_table([v for v in Roster(roster).versions() if game in (None, v.entry.game)]))
        return
    loaded, broken = find_bots()
    console().print(bots_table([entry for entry in loaded if game in (None, entry.game)]))
    for line in unloadable_lines(broken):
        click.echo(line, err=True)


@main.command()
@click.argument("name")
@click.option("--game", required=True, help="The game it is to play.")
@click.option("--dir", "folder", type=click.Path(path_type=Path), default=".", help="Where to write it.")
def new(name: str, game: str, folder: Path) -> None:
    """Write a bot NAME that plays at once, and a test for it."""
    from league.starter import write_starter

    bot, test = write_starter(name, game, folder)
    click.echo(bot)
    click.echo(test)
    click.echo(f"edit it, then: league check {bot}", err=True)


def _checked(reference: str, game: str | None, keep: Path) -> Checked:
    """Check a bot and say what was found."""
    from league.check import check as check_bot
    from league.roster.find import find_bot
    from league.terminal import check_lines

    entry = find_bot(reference, game)
    found = check_bot(entry, keep, progress=lambda step: click.echo(f"{entry.name} {step}", err=True))
    for line in check_lines(found):
        click.echo(line)
    return found


KEEP = click.option(
    "--keep",
    type=click.Path(path_type=Path),
    default="results/check",
    show_default=True,
    help="Folder for matches with findings, for `league replay`.",
)


@main.command()
@click.argument("bots", nargs=-1, required=True, metavar="BOT...")
@click.option("--game", help="The game, for programs and for names that play several.")
@KEEP
def check(bots: tuple[str, ...], game: str | None, keep: Path) -> None:
    """Play contract matches in isolation: legal, the same again, within limits; print the speed."""
    passed = [_checked(reference, game, keep).passed for reference in bots]
    if not all(passed):
        raise click.exceptions.Exit(1)


@main.command()
@click.argument("bot")
@click.option("--to", "roster", required=True, metavar="ROSTER", help="Roster folder or storage URI.")
@click.option("--game", help="The game, for programs and for names that play several.")
@KEEP
def submit(bot: str, roster: str, game: str | None, keep: Path) -> None:
    """Check BOT, then add it to ROSTER as a version that never changes."""
    from league.check import summary
    from league.roster.shelf import Roster

    found = _checked(bot, game, keep)
    if not found.passed:
        click.echo("not submitted", err=True)
        raise click.exceptions.Exit(1)
    is_new = Roster(roster).add(found.entry, summary(found))
    click.echo(f"{found.entry.label} {'submitted to' if is_new else 'is already in'} {roster}")


@main.command()
@click.argument("configs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--engine", type=click.Choice(["auto", "inline", "ray"]), help="Where batches are played.")
@click.option("--cluster", metavar="ADDRESS", help="A Ray cluster to join, or `local`.")
@click.option("--workers", type=click.IntRange(1), help="Batches at the same time.")
@click.option("--out", default="results", show_default=True, help="Folder or storage URI for results.")
@click.option("--fresh", is_flag=True, help="Throw away what is there and start over.")
@click.option("--quiet", is_flag=True, help="Say nothing while playing.")
def run(
    configs: tuple[Path, ...],
    engine: Any,
    cluster: str | None,
    workers: int | None,
    out: str,
    fresh: bool,
    quiet: bool,
) -> None:
    """Play the leagues of CONFIGS; resume what is there, rate, report."""
    from league.report import build
    from league.run.progress import reporter_for
    from league.terminal import console, standings_table

    for config in [league.read_config(path) for path in configs]:
        reporter = reporter_for(quiet)
        summary = league.run_league(
            config,
            out,
            engine=engine,
            cluster=cluster,
            workers=workers,
            fresh=fresh,
            reporter=reporter,
            watch=_watch,
        )
        console().print(standings_table(summary.standings))
        click.echo(
            f"{summary.matches:,} matches, {summary.played:,} of them now, in {summary.folder}", err=True
        )
        if summary.faults or summary.forfeits:
            failing = ", ".join(row["bot"] for row in summary.standings if row["faults"] or row["forfeits"])
            click.echo(
                f"{summary.faults:,} faults, {summary.forfeits:,} matches forfeited: {failing}", err=True
            )
        if not summary.complete:
            click.echo("interrupted; the same command goes on from here", err=True)
            raise click.exceptions.Exit(INTERRUPTED)
        click.echo(f"report: {build(summary.folder)}")


@main.command()
@RESULTS
@click.option(
    "--format",
    "file_format",
    type=click.Choice(["table", "csv", "json", "md"]),
    default="table",
    show_default=True,
)
def standings(results: str, file_format: str) -> None:
    """Print the ranking of RESULTS."""
    from league.read import standing_rows
    from league.terminal import console, standings_table, standings_text

    rows = standing_rows(results)
    if file_format == "table":
        console().print(standings_table(rows))
    else:
        click.echo(standings_text(rows, file_format))


@main.command()
@RESULTS
@click.argument("match", type=int)
@click.option(
    "--format", "file_format", type=click.Choice(["text", "jsonl", "html"]), default="text", show_default=True
)
def replay(results: str, match: int, file_format: str) -> None:
    """Show MATCH of RESULTS; as html, write its page."""
    from league.logged import event_line
    from league.report import build_match
    from league.terminal import replay_text

    if file_format == "html":
        click.echo(build_match(results, match))
        return
    found = league.replay(results, match)
    lines = replay_text(found) if file_format == "text" else map(event_line, found.events())
    for line in lines:
        click.echo(line)


@main.command()
@RESULTS
@click.option("--sample", type=click.IntRange(1), help="Only so many matches, spread evenly.")
@click.option("--bots", is_flag=True, help="Ask the bots again as well.")
def verify(results: str, sample: int | None, bots: bool) -> None:
    """Replay the logged matches of RESULTS and compare."""
    verdict = league.verify(results, sample, bots)
    for line in verdict.wrong:
        click.echo(line)
    click.echo(f"{verdict.checked:,} matches replayed, {len(verdict.wrong):,} differ", err=True)
    if verdict.wrong:
        raise click.exceptions.Exit(1)


class _Range(click.ParamType[tuple[int, int | None]] if TYPE_CHECKING else click.ParamType):  # type: ignore[misc]
    """`A:B`, half open, either side may be missing."""

    name = "A:B"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int | None]:
        first, colon, end = value.partition(":")
        if not colon or not all(part.isdigit() or not part for part in (first, end)):
            self.fail(f"'{value}' is no range; write A:B, as in 0:100", param, ctx)
        return int(first or 0), int(end) if end else None


@main.command()
@RESULTS
@click.option("--what", type=click.Choice(["matches", "events", "ratings"]), required=True)
@click.option(
    "--format",
    "file_format",
    type=click.Choice(["parquet", "csv", "jsonl"]),
    help="Default: from --to, else jsonl.",
)
@click.option(
    "--matches", "span", type=_Range(), default="0:", help="Only matches A up to, not including, B."
)
@click.option(
    "--to", type=click.Path(path_type=Path, dir_okay=False), help="File to write; else standard output."
)
def export(results: str, what: Any, file_format: Any, span: tuple[int, int | None], to: Path | None) -> None:
    """Write data of RESULTS to a file or standard output."""
    if file_format is None:
        suffix = to.suffix.lstrip(".") if to else "jsonl"
        if suffix not in ("parquet", "csv", "jsonl"):
            raise ConfigError(f"--to {to}: say --format parquet, csv or jsonl, or end the name so")
        file_format = suffix
    league.export(results, what, file_format, to, *span)


def _seated(reference: str, game: str | None) -> Any:
    """A bot as a table wants it: example bots are trusted, others are kept apart."""
    from league.play.seated import Seated
    from league.roster.find import find_bot

    entry = find_bot(reference, game)
    isolation = "none" if entry.example else "process"
    return entry.game, Seated(entry.label, entry.bundle, entry.kind, entry.options, isolation)  # type: ignore[arg-type]


@main.command()
@click.argument("a")
@click.argument("b")
@click.argument("bounds", nargs=-1, type=float, metavar="[ELO0 ELO1 [ALPHA BETA]]")
@click.option("--game", help="The game, where both bots play several.")
@click.option("--seats", type=int, help="Seats at the table; copies of the bots fill it.")
@click.option(
    "--deals", type=click.IntRange(1), help="Mirror sets; with --sprt at most.  [default: 1000, or 100000]"
)
@click.option(
    "--sprt",
    is_flag=True,
    help="Stop when a sequential test decides; its bounds are 0 10 0.05 0.05 unless given.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of all chance.")
def duel(
    a: str,
    b: str,
    bounds: tuple[float, ...],
    game: str | None,
    seats: int | None,
    deals: int | None,
    sprt: bool,
    seed: int,
) -> None:
    """Is bot A better than bot B? Play mirror sets of the two."""
    from league.duel import duel as play_duel
    from league.games import find_game
    from league.rate.sprt import Sprt
    from league.terminal import duel_lines

    if bounds and (not sprt or len(bounds) not in (2, 4)):
        raise ConfigError("bounds go with --sprt: ELO0 ELO1, or ELO0 ELO1 ALPHA BETA")
    try:
        test = Sprt(*bounds) if sprt else None
    except ValueError as error:
        raise ConfigError(f"--sprt: {error}") from None
    plays, first = _seated(a, game)
    _, second = _seated(b, plays)
    found = play_duel(
        find_game(plays)(seats), (first, second), deals or (100_000 if sprt else 1000), test, seed=seed
    )
    for line in duel_lines(found, (first.label, second.label)):
        click.echo(line)


@main.command()
@click.argument("game")
@click.option("--vs", help="Bots in the other seats, separated by commas.")
@click.option("--seat", type=int, default=0, show_default=True, help="Your seat.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of all chance.")
def play(game: str, vs: str | None, seat: int, seed: int) -> None:
    """Play GAME yourself, in the terminal."""
    from league.games import find_game
    from league.person import play_person
    from league.roster.find import find_bots

    found = find_game(game)
    names = vs.split(",") if vs else [e.name for e in find_bots()[0] if e.game == game and e.example][:1]
    opponents = [_seated(name.strip(), game)[1] for name in names]
    table = found(len(opponents) + 1)
    try:
        scores, ranks = play_person(table, opponents, seat, seed, click.echo, lambda: input("> "))
    except EOFError:
        click.echo("left the table", err=True)
        raise click.exceptions.Exit(1) from None
    click.echo(f"scores {scores}: you rank {ranks[seat] + 1} of {table.seats}")


@main.command()
@RESULTS
@click.option("--open", "show", is_flag=True, help="Open it in the browser.")
def report(results: str, show: bool) -> None:
    """Build the report of RESULTS, or an index over the leagues in it."""
    from league.report import build

    place = build(results)
    click.echo(place)
    if show:
        click.launch(place)


@main.command()
@click.argument("game", default="regenwormen")
def bench(game: str) -> None:
    """Measure this machine: GAME's speed beside yardsticks, in one run."""
    from league.bench import bench as measure
    from league.terminal import bench_table, console

    console().print(bench_table(measure(game)))
