"""The pages of one league, from what was read and gathered to files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from league.games import Game
from league.report.charts import figures, runtime
from league.report.conditions import league_file
from league.report.facts import Facts
from league.report.featured import Chosen, Featured
from league.report.findings import Findings
from league.report.ranking import headline, narrowing
from league.report.versus import listed_sets, pairs_with_pages, telling_sets, verdict, versus
from league.report.watching import Watch
from league.report.writing import Site

SECTIONS = (
    ("index.html", "Rankings"),
    ("plots.html", "Plots"),
    ("pairs.html", "Head to head"),
    ("matches.html", "Matches"),
)


def shared(facts: Facts, game: Game) -> dict[str, Any]:
    """What every page of a league says."""
    return {
        "league": facts.name,
        "results_name": f"results/{facts.name}",
        "game_title": game.title,
        "sections": SECTIONS,
        "matches": facts.matches,
        "planned": facts.kept["matches"],
        "seats": facts.seats,
        "seed": facts.config["league"]["seed"],
        "league_version": facts.kept["league_version"],
        "names": [bot.name for bot in facts.bots],
        "bots": facts.bots,
    }


def write_pages(site: Site, findings: Findings, chosen: Chosen) -> None:
    """Write all pages of a league."""
    pairs = pairs_with_pages(findings.facts, findings.beliefs)
    names = {versus(findings.facts, findings.beliefs, *pair).page for pair in pairs}
    site.shared |= {"pages": frozenset(chosen.watched), "pair_pages": names}
    site.static("site.css", "site.js", "charts.js", "replay.js")
    site.file("assets/vega.js", runtime())
    _rankings(site, findings, chosen.worth)
    site.page("plots.html", "plots.html", figures=figures(findings), headline=headline(findings.ranked))
    _matrix(site, findings)
    for pair in pairs:
        _pair(site, findings, *pair)
    for bot in range(len(findings.bots)):
        _bot(site, findings, bot)
    groups = [("Of the league", chosen.worth), ("Best and worst of each bot", chosen.own)]
    site.page("matches.html", "matches.html", groups=groups, logged=findings.facts.logs_actions)
    for found in chosen.watched.values():
        write_match(site, findings.facts, findings.game, found, chosen)
    site.sweep()


def _rankings(site: Site, findings: Findings, worth: Sequence[Featured]) -> None:
    facts, rows = findings.facts, findings.ranked
    written = league_file(facts)
    site.file("league.toml", written)
    ends = [end for row in rows for end in (row.low, row.mu, row.high)]
    site.page(
        "index.html",
        "index.html",
        rows=rows,
        headline=headline(rows),
        axis=(min(ends, default=0), max(ends, default=0)),
        any_forfeits=any(row.forfeits for row in rows),
        two_methods=any(row.disputed for row in rows),
        is_online=facts.config["rating"]["method"] == "trueskill",
        worth=list({entry.kind: entry for entry in reversed(worth)}.values())[::-1],
        config=facts.config,
        format=facts.kept["format"],
        workers=sorted(findings.gathered.workers.items()),
        truncated=findings.gathered.truncated,
        narrowing=narrowing(facts),
        league_file=written,
    )


def _matrix(site: Site, findings: Findings) -> None:
    bots = range(len(findings.bots))
    rows = [
        {
            "bot": findings.bots[bot],
            "cells": [
                None if bot == other else versus(findings.facts, findings.beliefs, bot, other)
                for other in bots
            ],
        }
        for bot in bots
    ]
    cycles = [[findings.names[bot] for bot in cycle.bots] for cycle in findings.beliefs.cycles[:5]]
    site.page("pairs.html", "pairs.html", rows=rows if len(bots) > 1 else [], cycles=cycles)


def _pair(site: Site, findings: Findings, bot: int, other: int) -> None:
    facts, beliefs = findings.facts, findings.beliefs
    pair = versus(facts, beliefs, bot, other)
    site.page(
        f"pairs/{pair.page}.html",
        "pair.html",
        pair=pair,
        sides=[pair, versus(facts, beliefs, other, bot)],
        verdict=verdict(pair),
        sets=telling_sets(facts, findings.gathered, bot, other),
        listed=listed_sets(findings.gathered, bot, other),
    )


def _bot(site: Site, findings: Findings, bot: int) -> None:
    facts, gathered, named = findings.facts, findings.gathered, findings.bots[bot]
    rows = {row.bot.name: row for row in findings.ranked}
    against = [
        versus(facts, findings.beliefs, bot, other) for other in range(len(findings.bots)) if other != bot
    ]
    logs = sorted(
        (key for key in gathered.fault_logs if key[0] == bot), key=lambda key: (key[1] == "forfeit", key)
    )
    site.page(
        f"bots/{named.slug}.html",
        "bot.html",
        bot=named,
        row=rows.get(named.name),
        family=[row for row in findings.ranked if row.bot.family == named.family],
        against=[pair for pair in against if pair.matches],
        by_seat=_by_seat(findings, bot),
        by_rank=gathered.tally.rank_counts()[bot].tolist(),
        matches_shown=[
            (word, brief)
            for word, shortlist in (("Best", gathered.best[bot]), ("Worst", gathered.worst[bot]))
            for brief in shortlist.briefs()
        ],
        fault_counts=[(kind, gathered.faults[bot, kind]) for _, kind in logs],
        faults=[fault for key in logs for fault in gathered.fault_logs[key]],
        printed=len(facts.folder.list(f"logs/{named.label}")),
    )


def _by_seat(findings: Findings, bot: int) -> list[dict[str, float | None]]:
    """How a bot did in each seat."""
    tally = findings.gathered.tally
    rows: list[dict[str, float | None]] = []
    for seat in range(tally.seats):
        matches = int(tally.seat_matches[bot, seat])
        stake = 2 * (tally.seats - 1) * matches
        rows.append(
            {
                "matches": matches,
                "share": float(tally.seat_points[bot, seat]) / stake if stake else None,
                "mean_rank": float(tally.seat_ranks[bot, seat]) / matches + 1 if matches else None,
            }
        )
    return rows


def write_match(site: Site, facts: Facts, game: Game, found: Watch, chosen: Chosen) -> None:
    """Write the page of one match."""
    by_label = {bot.label: bot for bot in facts.bots}
    places = [
        {"bot": by_label[label], "score": score, "rank": rank + 1}
        for label, score, rank in zip(found.labels, found.scores, found.ranks, strict=True)
    ]
    deal = chosen.rows[found.match]["deal"]
    mirrors = [row for _, row in sorted(chosen.rows.items()) if row["deal"] == deal]
    known = [
        f"{entry.kind}: {entry.why}." for entry in (*chosen.worth, *chosen.own) if entry.match == found.match
    ]
    site.page(
        f"matches/{found.match}.html",
        "match.html",
        watch=found,
        places=places,
        mirrors=[
            {
                "match": row["match"],
                "seats": [
                    (by_label[each].name, score)
                    for each, score in zip(row["bots"], row["scores"], strict=True)
                ],
            }
            for row in mirrors
        ],
        story=" ".join(known),
        board=Markup(found.last_board),  # drawn by the game, which sees no names
        hidden=game.hidden,
        faults=sum(move.is_fault for move in found.moves),
    )
