"""What whoever runs and reads leagues does: play them, look at what came out, measure the machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

import league
from league.errors import ConfigError
from league.words import counted

if TYPE_CHECKING:
    from league.data_out import What
    from league.run.league import Glimpse

FAULTY = 1
"""The exit status of a run to its end in which bots were at fault."""
INTERRUPTED = 130
"""How a command ends that somebody interrupted, as shells expect it."""


RESULTS = click.argument("results")


def _watch(glimpse: Glimpse) -> None:
    """Write the page that shows a league while it is played."""
    from league.report.live import Believed, write_live

    ratings = [Believed(*rated) for rated in glimpse.ratings]
    write_live(glimpse.folder, glimpse.league, glimpse.played, glimpse.planned, ratings)


@click.command()
@click.argument("configs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--engine", type=click.Choice(["auto", "inline", "ray"]), help="Where batches are played.")
@click.option("--cluster", metavar="ADDRESS", help="A Ray cluster to join, or `local`.")
@click.option("--workers", type=click.IntRange(1), help="Batches at the same time.")
@click.option("--out", default="results", show_default=True, help="Folder or storage URI for results.")
@click.option("--fresh", is_flag=True, help="Throw away what is there and start over.")
@click.option("--quiet", is_flag=True, help="Say nothing while playing.")
def run(
    configs: tuple[Path, ...],
    engine: Literal["auto", "inline", "ray"] | None,
    cluster: str | None,
    workers: int | None,
    out: str,
    fresh: bool,
    quiet: bool,
) -> None:
    """Play the leagues of CONFIGS; resume what is there, rate, report."""
    from league.cli.terminal import print_standings
    from league.progress import reporter_for
    from league.report import build

    is_clean = True
    for config in [league.read_config(path) for path in configs]:
        reporter = reporter_for(quiet)
        reporter.note(f"{config.name}: {counted(config.matches, 'match', 'matches')} of {config.game.title}")
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
        print_standings(summary.standings)
        click.echo(
            f"{counted(summary.matches, 'match', 'matches')}, {summary.played:,} of them now, in {summary.folder}",
            err=True,
        )
        is_clean = is_clean and not summary.faults
        if summary.faults or summary.forfeits:
            failing = ", ".join(row["bot"] for row in summary.standings if row["faults"] or row["forfeits"])
            faults, forfeits = counted(summary.faults, "fault"), counted(summary.forfeits, "match", "matches")
            click.echo(f"{faults}, {forfeits} forfeited: {failing}", err=True)
        if not summary.complete:
            click.echo("interrupted; the same command goes on from here", err=True)
            raise click.exceptions.Exit(INTERRUPTED)
        reporter.note("writing the report")
        click.echo(f"report: {build(summary.folder)}")
    if not is_clean:
        raise click.exceptions.Exit(FAULTY)


@click.command()
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
    from league.cli.terminal import print_standings, standings_text
    from league.read import rated_and_planned, standing_rows

    rows = standing_rows(results)
    rated, planned = rated_and_planned(results)
    if file_format == "table":
        print_standings(rows)
    else:
        click.echo(standings_text(rows, file_format))
    if rated < planned:
        click.echo(f"{rated:,} of {planned:,} matches so far; `league run` goes on from there", err=True)


@click.command()
@RESULTS
@click.argument("match", type=int)
@click.option(
    "--format", "file_format", type=click.Choice(["text", "jsonl", "html"]), default="text", show_default=True
)
def replay(results: str, match: int, file_format: str) -> None:
    """Show MATCH of RESULTS; as html, write its page."""
    from league.cli.terminal import replay_text
    from league.logged import event_line
    from league.report import build_match

    if file_format == "html":
        click.echo(build_match(results, match))
        return
    found = league.replay(results, match)
    lines = replay_text(found) if file_format == "text" else map(event_line, found.events())
    for line in lines:
        click.echo(line)


@click.command()
@RESULTS
@click.option("--sample", type=click.IntRange(1), help="Only so many matches, spread evenly.")
@click.option("--bots", is_flag=True, help="Ask the bots again as well.")
def verify(results: str, sample: int | None, bots: bool) -> None:
    """Replay the logged matches of RESULTS and compare."""
    from league.progress import reporter_for

    verdict = league.verify(results, sample, bots, reporter_for(quiet=False))
    for line in verdict.wrong:
        click.echo(line)
    replayed, wrong = counted(verdict.checked, "match", "matches"), len(verdict.wrong)
    click.echo(f"{replayed} replayed, {wrong:,} {'differs' if wrong == 1 else 'differ'}", err=True)
    if verdict.wrong:
        raise click.exceptions.Exit(1)


class _Range(click.ParamType[tuple[int, int | None]] if TYPE_CHECKING else click.ParamType):  # type: ignore[misc]
    """`A:B`, half open, either side may be missing."""

    name = "A:B"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int | None]:
        first, colon, end = value.partition(":")
        if not colon or not all(part.isdecimal() or not part for part in (first, end)):
            self.fail(f"'{value}' is no range; write A:B, as in 0:100", param, ctx)
        return int(first or 0), int(end) if end else None


@click.command()
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
def export(results: str, what: What, file_format: Any, span: tuple[int, int | None], to: Path | None) -> None:
    """Write data of RESULTS to a file or standard output."""
    if file_format is None:
        suffix = to.suffix.lstrip(".") if to else "jsonl"
        if what == "events" and suffix != "jsonl":
            raise ConfigError(
                f"--to {to}: events are JSON lines; end the name in .jsonl, or say --format jsonl"
            )
        if suffix not in ("parquet", "csv", "jsonl"):
            raise ConfigError(f"--to {to}: say --format parquet, csv or jsonl, or end the name so")
        file_format = suffix
    league.export(results, what, file_format, to, *span)


@click.command()
@RESULTS
@click.option("--open", "show", is_flag=True, help="Open it in the browser.")
def report(results: str, show: bool) -> None:
    """Build the report of RESULTS, or an index over the leagues in it."""
    from league.report import build

    place = build(results)
    click.echo(place)
    if show:
        click.launch(place)


@click.command()
@click.argument("game", default="regenwormen")
def bench(game: str) -> None:
    """Measure this machine: GAME's speed beside yardsticks, in one run."""
    from league.bench import bench as measure
    from league.cli.terminal import bench_table, console

    console().print(bench_table(measure(game)))
