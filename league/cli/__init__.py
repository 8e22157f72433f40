"""The `league` command: parse, call, print."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

import league
from league.cli import authors, leagues
from league.errors import LeagueError


class _Commands(click.Group):
    """Turns the errors that people make into one line on standard error, and status 2."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except LeagueError as error:
            raise click.exceptions.Exit(_complain(str(error))) from None
        except KeyboardInterrupt:
            click.echo("league: stopped; what is complete is kept", err=True)
            raise click.exceptions.Exit(leagues.INTERRUPTED) from None
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


for command in (
    authors.bots,
    authors.check,
    authors.duel,
    authors.games,
    authors.new,
    authors.play,
    authors.submit,
    leagues.bench,
    leagues.export,
    leagues.replay,
    leagues.report,
    leagues.run,
    leagues.standings,
    leagues.verify,
):
    main.add_command(command)
