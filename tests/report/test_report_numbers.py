"""What the pages are drawn from."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import league
from league import config as config_files
from league.games.find import find_game
from league.read import tables
from league.report import build, build_match
from league.report.briefs import COLUMNS, PartSpan, Shortlist, block_of, blocks_of
from league.report.charts import history, thinking
from league.report.charts.thinking import sides
from league.report.conditions import league_file
from league.report.encoding import Boards, change, changed
from league.report.facts import read_facts, slugs_of
from league.report.featured import Featured, in_order
from league.report.gather import SETS_LISTED, Gathered, gather
from league.report.live import Believed, is_live, write_live
from league.report.ranking import headline, ranking
from league.report.versus import listed_sets
from league.report.watching import comeback_of, swings_of, watch
from league.report.writing import data, duration, number, signed
from league.run.claim import claim
from league.store import ResultFolder
from league.store.parts import part_names, read_part
from tests.report.conftest import TRAP

WORDS = st.lists(st.integers(0, 5), max_size=30)


@given(WORDS, WORDS)
def test_a_change_leads_from_one_board_to_the_next(before: Sequence[int], now: Sequence[int]) -> None:
    assert changed(before, change(before, now)) == list(now)


@given(st.lists(st.text("<>ab/ \nM1", max_size=40), max_size=6))
def test_boards_unpack_to_what_was_packed(drawings: Sequence[str]) -> None:
    boards = Boards()
    assert boards.unpack(boards.pack(drawings)) == list(drawings)


@given(st.lists(st.text(max_size=8), max_size=12))
def test_slugs_differ_and_are_safe(names: Sequence[str]) -> None:
    slugs = slugs_of(names)
    assert len(set(slugs)) == len(names)
    assert all(slug and set(slug) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") for slug in slugs)


def test_json_cannot_end_its_element() -> None:
    assert "<" not in data({"name": "</script><script>alert(1)</script><!--"})


def test_numbers_for_people() -> None:
    assert (number(-1234.5, 1), signed(-0.04), duration(None), duration(0.25)) == (
        "−1,234.5",
        "0.0",
        "–",
        "250 µs",
    )


def test_gathering_does_not_depend_on_how_matches_are_cut(played: Path) -> None:
    facts = read_facts(str(played))
    whole = gather(facts)
    tables = [
        (name, read_part(facts.folder, name, facts.identity, COLUMNS)) for name in part_names(facts.folder)
    ]
    assert len(tables) > facts.seats
    once = Gathered(whole.bots, whole.seats, whole.seed, whole.mu)
    once.add(block_of(facts, 0, tables))
    assert once.best_sets == whole.best_sets
    assert (once.scores, once.turns, once.faults) == (whole.scores, whole.turns, whole.faults)
    assert once.fault_logs == whole.fault_logs
    assert [one.briefs() for one in once.best] == [one.briefs() for one in whole.best]
    assert once.closest.briefs()[0].match == whole.closest.briefs()[0].match
    assert np.array_equal(once.tally.pairs().wins, whole.tally.pairs().wins)


def test_gathered_counts_are_those_of_the_log(played: Path) -> None:
    gathered = gather(read_facts(str(played)))
    rows = [row for table in tables(str(played)) for row in table.to_pylist()]
    assert gathered.tally.matches == sum(gathered.turns.values()) == len(rows)
    assert sum(gathered.faults.values()) == sum(len(row["faults"]) for row in rows) > 0
    assert sum(gathered.scores.values()) == 2 * len(rows)
    clean = [row for row in rows if not row["faults"]]
    assert gathered.longest.briefs()[0].turns == max(row["turns"] for row in clean)
    margin = min(abs(row["scores"][0] - row["scores"][1]) for row in clean)
    assert abs(np.diff(gathered.closest.briefs()[0].scores)[0]) == margin


def test_listed_sets_are_the_first_whatever_the_parts(played: Path) -> None:
    facts = read_facts(str(played))
    gathered = gather(facts)
    first: dict[tuple[int, int], list[int]] = {}
    for block in blocks_of(facts):
        for row in range(0, len(block), 2):
            one, other = sorted(block.bots[row].tolist())
            first.setdefault((one, other), []).append(int(block.match[row]))
    assert first
    for (one, other), matches in first.items():
        listed = listed_sets(gathered, other, one)
        assert [set_of[0][0].match for set_of in listed] == matches[:SETS_LISTED]
        for set_of in listed:
            assert [brief.match for brief, _, _ in set_of] == gathered.mirror_set(set_of[0][0].match)
            assert len({brief.deal for brief, _, _ in set_of}) == 1
            assert all(
                (brief.bots[mine], brief.bots[theirs]) == (other, one) for brief, mine, theirs in set_of
            )


def test_names_beside_dots_cover_nothing() -> None:
    rows = [
        {"bot": name, "think_ms": think_ms, "mu": mu}
        for name, think_ms, mu in (
            ("strong_and_slow", 1000.0, 30.0),
            ("quick", 1.0, 25.0),
            ("in_the_middle", 30.0, 25.1),
            ("beside_it", 31.0, 25.0),
            ("between_the_two", 30.5, 25.05),
        )
    ]
    assert sides(rows) == ["left", "right", "left", "right", ""]
    assert "Point at a dot" in thinking.caption(rows)
    assert "Point at a dot" not in thinking.caption(rows[:3])


def test_one_checkpoint_is_no_history(played: Path) -> None:
    facts = read_facts(str(played))
    findings = SimpleNamespace(facts=facts, bots=facts.bots, names=[bot.name for bot in facts.bots])
    assert len(history.numbers(findings)) == len(facts.history) > len(facts.bots)  # type: ignore[arg-type]
    last = max(point.matches for point in facts.history)
    findings.facts = replace(facts, history=[point for point in facts.history if point.matches == last])
    assert history.numbers(findings) == []  # type: ignore[arg-type]


def test_best_sets_are_the_best(played: Path) -> None:
    facts = read_facts(str(played))
    gathered = gather(facts)
    blocks = list(blocks_of(facts))
    for (bot, other), briefs in gathered.best_sets.items():
        assert [brief.match for brief in briefs] == gathered.mirror_set(briefs[0].match)
        best = _points(briefs[0].bots.index(bot), briefs[0].ranks) + _points(
            briefs[1].bots.index(bot), briefs[1].ranks
        )
        for block in blocks:
            for first in range(0, len(block), 2):
                if {bot, other} == {*block.bots[first].tolist()}:
                    points = sum(
                        _points(block.bots[row].tolist().index(bot), block.ranks[row].tolist())
                        for row in (first, first + 1)
                    )
                    assert points <= best


def _points(seat: int, ranks: Sequence[int]) -> int:
    return 1 + int(np.sign(ranks[1 - seat] - ranks[seat]))


def test_a_short_list_keeps_the_smallest_and_the_earliest(played: Path) -> None:
    shortlist = Shortlist(3)
    for block in blocks_of(read_facts(str(played))):
        shortlist.offer(block, (block.match % 7).astype(float))
    assert [brief.match for brief in shortlist.briefs()] == [0, 7, 14]


def test_headline_says_who_is_best_and_how_surely(played: Path) -> None:
    facts = read_facts(str(played))
    rows = ranking(facts, gather(facts))
    said = headline(rows)
    assert said.startswith(rows[0].bot.name)
    unsure = any(row.rank_low == 1 for row in rows[1:])
    assert ("cannot be told apart" in said) == unsure
    assert headline([]) == "No match has been rated yet."


def test_swings_and_comebacks() -> None:
    scores = np.array([[0, 0], [0, 9], [1, 9], [12, 9], [12, 9]])
    assert swings_of(scores) == [1, 2, 3]
    assert comeback_of(scores, [0, 1]) == 9
    assert comeback_of(scores, [0, 0]) == 0


def test_the_most_interesting_matches_come_first_and_once() -> None:
    gathered = Gathered(2, 2, 0, np.zeros(2))
    gathered.spans = [PartSpan(batch // 2, 5 * batch, 5 * batch + 4, "") for batch in range(4)]
    worth = [Featured("Closest", "", 5), Featured("Closest", "", 9), Featured("Longest", "", 11)]
    own = [Featured("x: best", "", 9), Featured("y: best", "", 3)]
    assert in_order(worth, own, gathered) == [5, 11, 0, 16, 9, 3, 4, 8]


def test_the_league_file_plays_the_same_league(
    played: Path, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config_files, "require_name", lambda name: None)
    facts = read_facts(str(played))
    assert tomllib.loads(league_file(facts))["game"]["target"] == 35
    again = league.read_config(site / "league.toml")
    assert again.frozen == facts.config


PROGRAMS = """
[league]
name = "programs"
seed = 1
[game]
name = "regenwormen"
seats = 2
[schedule]
matches = 10
[[bots]]
use = "cmd:./of/play.sh --deep 'my data' python3 ./of/more"
[[bots]]
use = "cmd:python3 mine.py"
[[bots]]
use = "cmd:cat"
[[bots]]
use = "odds"
"""


def test_the_league_file_finds_the_programs_that_are_kept(tmp_path: Path) -> None:
    for name in ("of/play.sh", "my data/book.txt", "my data/deep/er.txt", "of/more/x.txt", "mine.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"#!/bin/sh\n# {name}\n")
    (tmp_path / "programs.toml").write_text(PROGRAMS)
    config = league.read_config(tmp_path / "programs.toml")
    kept = tmp_path / "elsewhere" / "programs"
    claim(ResultFolder(str(kept)), config, fresh=False)
    for name in ("of", "my data"):
        shutil.rmtree(tmp_path / name)
    (kept / "report").mkdir()
    (kept / "report" / "league.toml").write_text(league_file(read_facts(str(kept))))
    again = league.read_config(kept / "report" / "league.toml")
    assert again.frozen == config.frozen
    for was, now in zip(config.bots, again.bots, strict=True):
        assert now.entry.bundle.files == was.entry.bundle.files
    assert [bot.entry.bundle.main for bot in again.bots] == [
        "./play.sh --deep './my data' python3 ./more", "python3 ./mine.py", "cat", "odds.py",
    ]  # fmt: skip


def test_a_watched_match_ends_as_recorded_and_tells_a_seat_no_secret(played: Path) -> None:
    replay = league.replay(str(played), 3)
    shown = watch(replay)
    assert len(shown.moves) == len(replay.frames) + 1
    assert str(replay.result["scores"][0]) in shown.moves[-1].text
    drawn = [frame.event for frame in replay.frames if frame.event["event"] == "draw"]
    game = find_game("dominoes")(2)
    for event in drawn:
        assert game.tell(event, 1 - event["seat"]) == "draws a tile" != game.tell(event, event["seat"])


def test_same_results_same_bytes(played: Path, site: Path) -> None:
    before = {path: path.read_bytes() for path in sorted(site.rglob("*")) if path.is_file()}
    (site / "matches" / "9999.html").write_text("left by an earlier report")
    build(str(played))
    after = {path: path.read_bytes() for path in sorted(site.rglob("*")) if path.is_file()}
    assert before.keys() == after.keys()
    for path, was in before.items():
        at = next(
            (at for at, (one, other) in enumerate(zip(was, after[path], strict=False)) if one != other), None
        )
        assert was == after[path], (
            f"{path} at {at}: {was[at or 0 :][:200]!r}, then {after[path][at or 0 :][:200]!r}"
        )
    assert sum(map(len, after.values())) < 5_000_000


def test_a_page_of_the_report_is_not_replaced_by_a_lesser_one(played: Path, site: Path) -> None:
    page = sorted((site / "matches").glob("*.html"))[0]
    before = page.read_bytes()
    assert Path(build_match(str(played), int(page.stem))) == page
    assert page.read_bytes() == before


def test_a_site_is_built_twice_in_one_process(played: Path) -> None:
    """No module of the package hides the function."""
    for _ in range(2):
        assert Path(league.report.build(str(played))).is_file()


def test_a_page_to_watch_is_no_report(played: Path, empty: Path, tmp_path: Path) -> None:
    """An index over leagues builds what an interrupted run, or an earlier report, has not."""
    for name in ("reported", "watched"):
        shutil.copytree(empty, tmp_path / name)
        kept = json.loads((empty / "league.json").read_text())
        build(str(tmp_path / name))
        kept["config"]["league"]["name"] = name
        (tmp_path / name / "league.json").write_text(json.dumps(kept))
    before = (tmp_path / "reported" / "report" / "index.html").read_bytes()
    write_live(ResultFolder(str(tmp_path / "watched")), "trouble", 5, 48, [Believed(TRAP, 25.0, 8.0)])
    page = tmp_path / "watched" / "report" / "index.html"
    assert is_live(page.read_bytes())
    build(str(tmp_path))
    assert not is_live(page.read_bytes())
    assert "Rankings" in page.read_text()
    assert (tmp_path / "reported" / "report" / "index.html").read_bytes() == before


def test_the_index_around_a_league_is_renewed_with_its_report(single: Path, tmp_path: Path) -> None:
    shutil.copytree(single, tmp_path / "one")
    build(str(tmp_path / "one"))
    assert not (tmp_path / "index.html").exists(), "nobody asked for it"
    build(str(tmp_path))
    shutil.copytree(single, tmp_path / "two")
    build(str(tmp_path / "two"))
    assert 'href="two/report/index.html"' in (tmp_path / "index.html").read_text()
    (tmp_path / "one" / "league.json").write_text("broken")
    build(str(tmp_path / "two"))
    (tmp_path / "index.html").write_text("somebody's own page")
    build(str(tmp_path / "two"))
    assert (tmp_path / "index.html").read_text() == "somebody's own page"
