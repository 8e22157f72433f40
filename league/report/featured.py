"""Matches worth watching, chosen by themselves, and their replays within a budget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from league.logged import LoggedLeague, Replay, no_such_match, replay_of
from league.read import tables
from league.report.briefs import Brief, PartSpan
from league.report.facts import Facts
from league.report.gather import Gathered
from league.report.watching import Watch, watch
from league.store.parts import blocks, read_part

DRAWINGS = 20_000
"""About so many boards are drawn for a site, the most interesting matches first."""

BYTES = 3_100_000
"""About so much of a site is replays."""

PAGE, LINE = 13_000, 110
"""About so many bytes are a page without moves, and one line of its list of moves."""


@dataclass(frozen=True)
class Featured:
    """A match worth watching.

    Attributes:
        kind: Under which heading it stands.
        why: What is special about it.
        match: Which one.
    """

    kind: str
    why: str
    match: int


@dataclass(frozen=True)
class Chosen:
    """The matches that a site shows.

    Attributes:
        worth: What is special in the league.
        own: The bots' own best and worst.
        rows: Rows of the logged matches, mirror matches among them.
        watched: Those with a page.
    """

    worth: Sequence[Featured]
    own: Sequence[Featured]
    rows: Mapping[int, Mapping[str, Any]]
    watched: Mapping[int, Watch]


def choose(facts: Facts, gathered: Gathered, comebacks: Sequence[tuple[int, int]]) -> list[Featured]:
    """The featured matches, kind after kind.

    Args:
        facts: The league.
        gathered: With the short lists.
        comebacks: Matches, and by how much their winners were once behind.
    """
    names = [bot.name for bot in facts.bots]
    found = [Featured("Closest", _close(brief), brief.match) for brief in gathered.closest.briefs()]
    found += [
        Featured("Biggest upset", _upset(brief, names, gathered.mu), brief.match)
        for brief in gathered.upsets.briefs()
    ]
    found += [
        Featured("Longest", f"{brief.turns:,} turns", brief.match) for brief in gathered.longest.briefs()
    ]
    found += [
        Featured("Biggest swing", f"the winner was once {behind:,} behind", match)
        for match, behind in comebacks
    ]
    for kind in sorted(gathered.by_fault):
        found += [
            Featured(f"Fault: {kind}", _faulty(brief, kind, names), brief.match)
            for brief in gathered.by_fault[kind].briefs()[:1]
        ]
    return found


def of_bots(facts: Facts, gathered: Gathered) -> list[Featured]:
    """Each bot's best and worst match, best bots first."""
    found = []
    for bot, named in enumerate(facts.bots):
        for kind, shortlist in (("best", gathered.best[bot]), ("worst", gathered.worst[bot])):
            found += [
                Featured(f"{named.name}: {kind}", _outcome(brief, bot), brief.match)
                for brief in shortlist.briefs()[:1]
            ]
    return found


def _close(brief: Brief) -> str:
    first, second = sorted(brief.scores, reverse=True)[:2]
    return f"{first} to {second} after {brief.turns:,} turns"


def _upset(brief: Brief, names: Sequence[str], mu: Any) -> str:
    winner = brief.bots[brief.ranks.index(0)]
    favourite = max(brief.bots, key=lambda bot: float(mu[bot]))
    return f"{names[winner]} beat {names[favourite]}, rated {mu[favourite] - mu[winner]:.1f} higher"


def _faulty(brief: Brief, kind: str, names: Sequence[str]) -> str:
    seats = sorted({seat for seat, fault in brief.faults if fault == kind})
    return f"by {', '.join(names[brief.bots[seat]] for seat in seats)}, the first of its kind"


def _outcome(brief: Brief, bot: int) -> str:
    seat = brief.bots.index(bot)
    others = [score for place, score in enumerate(brief.scores) if place != seat]
    return f"{brief.scores[seat]} against {', '.join(map(str, sorted(others, reverse=True)))}"


def in_order(featured: Sequence[Featured], bots: Sequence[Featured], gathered: Gathered) -> list[int]:
    """The matches to show, the most interesting first, each once.

    The first of each kind with its whole mirror set, then the others, then the bots' own, then their mirror sets.
    """
    firsts = list({entry.kind: entry.match for entry in reversed(featured)}.values())[::-1]
    others = [entry.match for entry in featured]
    own = [entry.match for entry in bots]
    wanted = [
        *firsts,
        *_mirrors(firsts, gathered),
        *others,
        *own,
        *_mirrors(others, gathered),
        *_mirrors(own, gathered),
    ]
    return list(dict.fromkeys(wanted))


def _mirrors(matches: Iterable[int], gathered: Gathered) -> Iterator[int]:
    """All matches of the mirror sets of some."""
    for match in matches:
        yield from gathered.mirror_set(match)


def rows_of(facts: Facts, spans: Sequence[PartSpan], matches: Iterable[int]) -> dict[int, dict[str, Any]]:
    """Whole rows of some matches, reading only the parts that hold them.

    Args:
        facts: The league.
        spans: From `Gathered.spans`.
        matches: Which; those that were not played are left out.
    """
    import pyarrow.compute as pc

    wanted = sorted(set(matches))
    rows: dict[int, dict[str, Any]] = {}
    for span in spans:
        here = [match for match in wanted if span.first <= match <= span.last]
        if here:
            table = read_part(facts.folder, span.name, facts.identity)
            chosen = table.filter(pc.is_in(table.column("match"), pc.cast(here, "int64")))
            rows |= {row["match"]: row for row in chosen.to_pylist()}
    return rows


def mirror_rows(facts: Facts, match: int) -> Iterator[dict[str, Any]]:
    """The rows of a match and of its mirror matches.

    Raises:
        ResultsError: There is no such match.
    """
    import pyarrow.compute as pc

    row = next(
        (table.to_pylist()[0] for table in tables(facts.folder.uri, None, match, match + 1) if len(table)),
        None,
    )
    if row is None:
        raise no_such_match(match, facts.folder, facts.kept["matches"])
    for name in dict(blocks(facts.folder, facts.seats))[row["batch"] // facts.seats]:
        table = read_part(facts.folder, name, facts.identity)
        yield from table.filter(pc.equal(table.column("deal"), row["deal"])).to_pylist()


def watched(
    league: LoggedLeague, rows: Mapping[int, Mapping[str, Any]], order: Sequence[int]
) -> dict[int, Watch]:
    """The replays of the matches in `order` until the budget is spent."""
    made: dict[int, Watch] = {}
    drawings = size = 0
    for match in order:
        if drawings >= DRAWINGS or size >= BYTES:
            break
        if match in rows:
            replay = replay_of(league, rows[match])
            made[match] = watch(replay)
            drawings += (len(replay.frames) + 1) * (1 + league.game.hidden * league.game.seats)
            size += PAGE + len(made[match].packed) + LINE * len(made[match].moves)
    return made


def replays_of(league: LoggedLeague, rows: Mapping[int, Mapping[str, Any]]) -> Iterator[Replay]:
    """Replays of all rows, by match."""
    for match in sorted(rows):
        yield replay_of(league, rows[match])
