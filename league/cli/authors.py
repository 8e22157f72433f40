"""What an author of bots does: look around, write a bot, check it, play with it, submit it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from league.errors import BotError, ConfigError, unknown

if TYPE_CHECKING:
    from league.check import Checked
    from league.games import Game
    from league.play.seated import Seated


@click.command()
@click.argument("game", required=False)
def games(game: str | None) -> None:
    """List the games; with GAME its seats, options and view, with the name of a family its games."""
    from league.cli.terminal import console, games_table, options_table, view_table
    from league.games.find import FAMILIES, find_game, game_names

    out = console()
    if game is None or game in FAMILIES:
        found, unloadable = [], []
        for name in game_names(game):
            try:
                found.append(find_game(name))
            except ConfigError as error:
                unloadable.append(str(error))
        out.print(games_table(found))
        for reason in unloadable:
            click.echo(reason, err=True)
        for family in () if game else FAMILIES:
            click.echo(f"more: `league games {family}`", err=True)
        return
    shown = find_game(game)
    out.print(f"{shown.title}, version {shown.version}, {shown.span()} seats", highlight=False)
    out.print(options_table(shown))
    out.print(view_table(shown))


@click.command()
@click.option("--game", help="Only bots of this game.")
@click.option("--roster", metavar="ROSTER", help="List the versions in a roster folder or URI instead.")
def bots(game: str | None, roster: str | None) -> None:
    """List the bots found, and those that failed to load, with the reason."""
    from league.cli.terminal import bots_table, console, roster_table, unloadable_lines
    from league.games.find import find_game
    from league.roster.find import find_bots
    from league.roster.shelf import Roster

    if game is not None:
        find_game(game)
    if roster is not None:
        whole, failed = Roster(roster).versions()
        versions = [each for each in whole if game in (None, each.entry.game)]
        console().print(roster_table(versions))
        for line in unloadable_lines(failed):
            click.echo(line, err=True)
        if not versions and not failed:
            click.echo(f"no bots there: `league submit BOT --to {roster}` adds one", err=True)
        return
    loaded, broken = find_bots()
    console().print(bots_table([entry for entry in loaded if game in (None, entry.game)]))
    for line in unloadable_lines(broken):
        click.echo(line, err=True)


@click.command()
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
    from league.cli.terminal import check_lines
    from league.roster.find import find_bot

    entry = find_bot(reference, game)
    found = check_bot(entry, keep, progress=lambda step: click.echo(f"{entry.name}: {step}", err=True))
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


@click.command()
@click.argument("bots", nargs=-1, required=True, metavar="BOT...")
@click.option("--game", help="The game, for programs and for names that play several.")
@KEEP
def check(bots: tuple[str, ...], game: str | None, keep: Path) -> None:
    """Play contract matches in isolation: legal, the same again, within limits; print the speed."""
    passed = [_checked(reference, game, keep).passed for reference in bots]
    if not all(passed):
        raise click.exceptions.Exit(1)


@click.command()
@click.argument("bot")
@click.option("--to", "roster", required=True, metavar="ROSTER", help="Roster folder or storage URI.")
@click.option("--game", help="The game, for programs and for names that play several.")
@KEEP
def submit(bot: str, roster: str, game: str | None, keep: Path) -> None:
    """Check BOT, then add it to ROSTER as a version that never changes."""
    from league.check import summary
    from league.roster.shelf import Roster

    shelf = Roster(roster)
    shelf.versions()  # what is wrong with the roster is said before the check, which takes a while
    found = _checked(bot, game, keep)
    if not found.passed:
        click.echo("not submitted", err=True)
        raise click.exceptions.Exit(1)
    is_new = shelf.add(found.entry, summary(found))
    click.echo(f"{found.entry.label} {'submitted to' if is_new else 'is already in'} {roster}")


def _seated(reference: str, game: str | None) -> tuple[str, Seated]:
    """A bot's game, and the bot as a table wants it: example bots are trusted, others are kept apart."""
    from league.play.seated import Seated
    from league.roster.find import find_bot

    entry = find_bot(reference, game)
    return entry.game, Seated.of(entry, "none" if entry.example else "process")


class _Setting(click.ParamType[tuple[str, str]] if TYPE_CHECKING else click.ParamType):  # type: ignore[misc]
    """`KEY=VALUE`."""

    name = "KEY=VALUE"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        key, equals, text = value.partition("=")
        if not equals:
            self.fail(f"'{value}' sets nothing; write KEY=VALUE, as in max_turns=100", param, ctx)
        return key.strip(), text.strip()


SETTINGS = click.option(
    "--set", "settings", type=_Setting(), multiple=True, help="An option of the game; may be given again."
)


def _game_of(name: str, seats: int | None, settings: tuple[tuple[str, str], ...]) -> Game:
    """A game with the options that were typed."""
    from league.games.find import find_game

    found = find_game(name)
    known = found.Options.model_fields
    for key, _ in settings:
        if key not in known:
            raise ConfigError(f"--set {key}: {unknown('option', key, known)}")
    return found(seats, {key: _value_of(text, known[key].annotation) for key, text in settings})


def _value_of(text: str, kind: Any) -> Any:
    """What was typed as the game wants it: a number, true, false or null where it is one, else the text."""
    if kind is str:
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


_NEGATIVE = re.compile(r"-(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)


class _WithNumbers(click.Command):
    """A command whose arguments may be negative numbers, which a space in front tells from options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [f" {arg}" if _NEGATIVE.fullmatch(arg) else arg for arg in args])


@click.command(cls=_WithNumbers)
@click.argument("a")
@click.argument("b")
@click.argument("bounds", nargs=-1, type=float, metavar="[ELO0 ELO1 [ALPHA BETA]]")
@click.option("--game", help="The game, where both bots play several.")
@click.option("--seats", type=int, help="Seats at the table; copies of the bots fill it.")
@SETTINGS
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
    settings: tuple[tuple[str, str], ...],
    deals: int | None,
    sprt: bool,
    seed: int,
) -> None:
    """Is bot A better than bot B? Play mirror sets of the two."""
    from league.cli.terminal import duel_lines
    from league.duel import duel as play_duel
    from league.progress import reporter_for
    from league.rate.sprt import Sprt

    if bounds and (not sprt or len(bounds) not in (2, 4)):
        raise ConfigError("bounds go with --sprt: ELO0 ELO1, or ELO0 ELO1 ALPHA BETA")
    try:
        test = Sprt(*bounds) if sprt else None
    except ValueError as error:
        raise ConfigError(f"--sprt: {error}") from None
    try:
        plays, first = _seated(a, game)
    except BotError as told:  # the other may say which game it is
        try:
            plays = _seated(b, game)[0]
        except BotError:
            raise told from None
        first = _seated(a, plays)[1]
    second = _seated(b, plays)[1]
    found = play_duel(
        _game_of(plays, seats, settings),
        (first, second),
        deals or (100_000 if sprt else 1000),
        test,
        seed=seed,
        reporter=reporter_for(quiet=False),
    )
    for line in duel_lines(found, (first.label, second.label)):
        click.echo(line)


@click.command()
@click.argument("game")
@click.option("--vs", help="Bots in the other seats, separated by commas.")
@click.option("--seat", type=int, default=0, show_default=True, help="Your seat.")
@SETTINGS
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of all chance.")
def play(game: str, vs: str | None, seat: int, settings: tuple[tuple[str, str], ...], seed: int) -> None:
    """Play GAME yourself, in the terminal."""
    from league.games.find import find_game
    from league.person import play_person
    from league.roster.find import find_bots

    find_game(game)
    names = vs.split(",") if vs else [e.name for e in find_bots()[0] if e.game == game and e.example][:1]
    opponents = [_seated(name.strip(), game)[1] for name in names]
    if not opponents:
        raise ConfigError(f"{game} has no example bots: name opponents with --vs BOT,...")
    table = _game_of(game, len(opponents) + 1, settings)
    try:
        scores, ranks = play_person(table, opponents, seat, seed, click.echo, lambda: input("> "))
    except EOFError:
        click.echo("left the table", err=True)
        raise click.exceptions.Exit(1) from None
    click.echo(f"scores {scores}: you rank {ranks[seat] + 1} of {table.seats}")
