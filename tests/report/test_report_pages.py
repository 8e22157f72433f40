"""The site in a real browser, opened from disk as a reader opens it."""

from __future__ import annotations

import platform
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page

import league
from league.report import build, build_match, gather
from league.report.charts import picture_of
from league.report.live import Believed, write_live
from league.run import cores
from league.store import ResultFolder
from tests.report.conftest import EVIL, LONG, TRAP

SERIOUS = ("serious", "critical")


class Watchful:
    """Opens pages from disk and notes what must not happen: requests that leave, errors, alerts."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.wrong: list[str] = []

    def open(self, file: Path, mark: str = "") -> Page:
        page = self.context.new_page()
        page.on("request", lambda sent: self._check(sent.url))
        page.on("console", lambda said: self.wrong.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("dialog", lambda dialog: self.wrong.append(f"dialog {dialog.message}"))
        page.goto(file.as_uri() + mark)
        return page

    def _check(self, url: str) -> None:
        if not url.startswith(("file:", "data:")):
            self.wrong.append(f"request to {url}")


@pytest.fixture
def watchful(browser: Browser) -> Iterator[Watchful]:
    context = browser.new_context(viewport={"width": 1300, "height": 900}, reduced_motion="reduce")
    watching = Watchful(context)
    yield watching
    context.close()
    assert watching.wrong == []


def first(folder: Path) -> Path:
    return sorted(folder.iterdir())[0]


def a_match(site: Path) -> Path:
    """A match with faults, if there is one."""
    pages = sorted((site / "matches").iterdir())
    return next((page for page in pages if ' fault"' in page.read_text()), pages[0])


def names(page: Page) -> list[str]:
    """The bots shown in the ranking, from the top."""
    return page.locator("#ranking tbody tr:not([hidden]) .bot").all_inner_texts()


def drawn(page: Page) -> None:
    """Scroll through, and wait until every chart is drawn."""
    for figure in page.locator("figure.chart").all():
        figure.scroll_into_view_if_needed()
    page.wait_for_function("[...document.querySelectorAll('.picture')].every((box) => box.dataset.drawn)")


def test_ranking_sorts_and_filters_and_escapes_names(site: Path, watchful: Watchful) -> None:
    page = watchful.open(site / "index.html")
    page.set_viewport_size({"width": 2000, "height": 900})  # wide enough for all columns
    best_first = names(page)
    assert {EVIL, TRAP, LONG, "fine"} == set(best_first)
    page.get_by_role("button", name="μ", exact=True).click()
    assert page.locator("th[aria-sort]").get_attribute("aria-sort") == "descending"
    page.get_by_role("button", name="Rank", exact=True).click()
    assert names(page) == best_first
    page.get_by_role("button", name="Rank", exact=True).press("Enter")
    assert names(page) == best_first[::-1]
    page.get_by_label("Filter").fill("somebody-made")
    assert names(page) == [LONG]
    assert page.locator("output[for=filter]").inner_text() == "1 of 4 shown"


def test_conditions_say_on_what_and_how_much_mirror_sets_gained(site: Path, watchful: Watchful) -> None:
    said = watchful.open(site / "index.html").locator("#conditions").inner_text()
    assert f"Python {platform.python_version()}" in said
    assert f"{cores()} cores" in said
    assert re.search(r"made the intervals \d+ % (narrower|wider) than as many independent matches", said)


def test_a_partial_league_says_so(site: Path, single: Path, watchful: Watchful) -> None:
    whole = watchful.open(site / "index.html")
    assert " of 48 matches" not in whole.locator("header").inner_text()
    page = watchful.open(Path(build(str(single))))
    assert page.locator("header").inner_text().splitlines()[0].endswith("1 of 48 matches")
    assert page.locator("#ranking caption").inner_text().startswith("1 of 48 matches so far.")


def test_pairs_list_their_mirror_sets(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, watchful: Watchful
) -> None:
    monkeypatch.setattr(gather, "SETS_LISTED", 2)
    shutil.copytree(played, tmp_path / "trouble")
    page = watchful.open(first(Path(build(str(tmp_path / "trouble"))).parent / "pairs"))
    assert "The first 2 deals of 4" in page.locator("table.sets caption").inner_text()
    assert page.locator("table.sets tbody tr").count() == 2
    assert page.locator("table.sets tbody td").count() == 4


def test_the_best_and_the_worst_match_of_each_bot_can_be_watched(site: Path, watchful: Watchful) -> None:
    page = watchful.open(site / "matches.html")
    own = page.locator("section, h2", has_text="Best and worst of each bot").locator(
        "xpath=following::table[1]"
    )
    rows = own.locator("tbody tr")
    assert rows.count() == rows.locator("a").count() >= 6


def test_every_link_leads_to_a_page_of_the_site(site: Path) -> None:
    for page in site.rglob("*.html"):
        for target in re.findall(r'(?:href|src)="([^"#]+)', page.read_text()):
            if target != "data:,":
                assert (page.parent / target).is_file(), (page, target)


PAGES = ("index.html", "plots.html", "pairs.html", "matches.html", "bots", "pairs", "matches")


@pytest.mark.parametrize(
    ("name", "scheme"),
    [*((name, "light") for name in PAGES), ("index.html", "dark"), ("matches", "dark")],
)
def test_pages_are_accessible(site: Path, watchful: Watchful, name: str, scheme: str) -> None:
    page = watchful.open(site / name if name.endswith("html") else first(site / name))
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    found = Axe().run(page, options={"preload": False})  # else it fetches the styles, which files may not
    serious = [each for each in found.response["violations"] if each["impact"] in SERIOUS]
    assert not serious, [(each["id"], each["nodes"][0]["html"][:200]) for each in serious]


def fits(page: Page) -> None:
    """Wait until the first table is all to be seen, as far as it has columns."""
    page.wait_for_function(
        "(() => { const box = document.querySelector('.scroll'); return box.scrollWidth <= box.clientWidth; })()"
    )


@pytest.mark.parametrize("width", [390, 768, 1024, 1400])
def test_tables_do_without_columns_where_the_screen_is_narrow(
    site: Path, watchful: Watchful, width: int
) -> None:
    page = watchful.open(site / "index.html")
    page.set_viewport_size({"width": width, "height": 800})
    fits(page)
    button = page.get_by_role("button", name="All columns")
    columns = page.locator("#ranking thead th")
    shown = columns.locator("visible=true")
    fewer = shown.count()
    assert shown.first.inner_text() == "Rank"
    assert page.locator("#ranking thead th", has_text="Interval").is_visible()
    assert button.inner_text() == f"All columns ({columns.count() - fewer} more)"
    button.click()
    assert shown.count() == columns.count()
    button.click()
    assert shown.count() == fewer
    page.emulate_media(media="print")
    assert shown.count() == columns.count()


def test_a_pair_fits_a_phone(site: Path, watchful: Watchful) -> None:
    file = next(
        page
        for page in sorted((site / "pairs").iterdir())
        if "fine" in page.name and "a-bot" not in page.name
    )
    page = watchful.open(file)
    page.set_viewport_size({"width": 390, "height": 800})
    fits(page)
    assert page.locator(".scroll table thead th").first.is_visible()


def test_legends_name_all_parts_on_a_phone(site: Path, watchful: Watchful) -> None:
    page = watchful.open(site / "plots.html")
    page.set_viewport_size({"width": 390, "height": 800})
    drawn(page)
    assert page.locator(".picture svg .mark-text text").count() > 10
    page.wait_for_function(  # charts are drawn anew some time after the page changed its width
        """() => [...document.querySelectorAll(".picture")].every((box) =>
            [...box.querySelectorAll("svg .mark-text text")].every((text) => {
                const at = text.getBoundingClientRect(), of = box.getBoundingClientRect();
                return !at.width || (at.left >= of.left - 2 && at.right <= of.right + 2);
            }))"""
    )


@pytest.mark.parametrize("width", [360, 1600])
def test_pages_fit_the_screen(site: Path, watchful: Watchful, width: int) -> None:
    for file in (site / "index.html", site / "plots.html", first(site / "bots"), a_match(site)):
        page = watchful.open(file)
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, file


def test_pages_fit_a_sheet_of_paper_and_are_light_on_it(site: Path, watchful: Watchful) -> None:
    for file in (
        site / "index.html",
        site / "plots.html",
        first(site / "bots"),
        first(site / "pairs"),
        a_match(site),
    ):
        page = watchful.open(file)
        page.set_viewport_size({"width": 718, "height": 1000})  # A4 within margins of a centimetre
        page.emulate_media(media="print", color_scheme="dark")
        assert page.evaluate("document.documentElement.scrollWidth") <= 718, file
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_rows_have_their_line_under_names_of_two_lines(site: Path, watchful: Watchful) -> None:
    page = watchful.open(site / "index.html")
    page.set_viewport_size({"width": 390, "height": 800})
    cells = page.locator("#ranking tbody tr", has_text=LONG).locator("th, td")
    lines = cells.evaluate_all("cells => cells.map((cell) => getComputedStyle(cell).borderTopWidth)")
    assert set(lines) == {"1px"}
    how = page.locator("#ranking").evaluate("table => getComputedStyle(table).borderCollapse")
    assert how == "separate", "collapsed borders vanish under sticky cells"


def test_names_break_where_their_words_end(site: Path, watchful: Watchful) -> None:
    page = watchful.open(site / "index.html")
    page.set_viewport_size({"width": 390, "height": 800})
    name = page.locator("#ranking .bot", has_text=LONG)
    assert name.inner_html().startswith("a-<wbr>bot-<wbr>with-<wbr>")
    lines = -(-len(LONG) // 12)  # that no word is cut costs no more than a few lines
    assert name.evaluate("link => link.offsetHeight / parseFloat(getComputedStyle(link).lineHeight)") <= lines


def test_charts_draw_and_name_their_bots(site: Path, watchful: Watchful) -> None:
    page = watchful.open(site / "plots.html")
    drawn(page)
    assert page.locator("figure.chart").count() >= 8
    assert page.locator("#intervals .picture svg text", has_text="fine").count() == 1


def test_charts_are_there_without_scripts(site: Path, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((site / "plots.html").as_uri())
    assert page.locator("figure.chart").count() == page.locator("figure.chart .picture svg").count()
    page.goto(a_match(site).as_uri())
    assert page.locator(".board svg").is_visible()
    assert page.locator(".moves li").last.inner_text().strip().startswith("Result")
    context.close()


def test_dark_and_light(site: Path, watchful: Watchful) -> None:
    page = watchful.open(site / "index.html")
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(colour)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(colour)
    assert light != dark
    page.locator(".theme").click()
    assert page.evaluate(colour) == light
    page.reload()
    assert page.evaluate(colour) == light


def test_replay_by_keyboard_to_the_recorded_result(played: Path, site: Path, watchful: Watchful) -> None:
    file = a_match(site)
    replay = league.replay(str(played), int(file.stem))
    page = watchful.open(file)
    page.wait_for_function("window.league.viewer")
    where = page.locator(".where")
    assert where.inner_text() == f"Move 0 of {len(replay.frames)}"
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert where.inner_text().startswith("Move 3 ")
    assert page.locator(".moves [aria-current]").get_attribute("id") == "m3"
    board = page.locator(".board").inner_html()
    page.keyboard.press("End")
    assert page.locator(".board").inner_html() != board
    said = page.locator(".now").inner_text()
    for seat, (score, rank) in enumerate(zip(replay.result["scores"], replay.result["ranks"], strict=True)):
        assert f"{rank + 1}. seat {seat} with {score}" in said
    inside = (
        "li => { const at = li.getBoundingClientRect(), of = li.closest('.moves').getBoundingClientRect();"
    )
    inside += " return at.top >= of.top - 1 && at.bottom <= of.bottom + 1; }"
    assert page.locator(".moves [aria-current]").evaluate(inside), "the move is scrolled to"
    page.keyboard.press("f")
    assert "fault" in (page.locator(".moves [aria-current]").get_attribute("class") or "")
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    page.wait_for_function("window.league.viewer.at > 0")
    page.keyboard.press(" ")


def test_buttons_stay_where_they_are_however_tall_the_board(site: Path, watchful: Watchful) -> None:
    page = watchful.open(a_match(site))
    page.set_viewport_size({"width": 600, "height": 1400})
    page.wait_for_function("window.league.viewer")
    boards, buttons = set(), set()
    for key in ("Home", *["ArrowRight"] * 30, "End"):
        page.keyboard.press(key)
        boards.add(page.locator(".board svg").evaluate("svg => svg.getBoundingClientRect().height"))
        buttons.add(page.locator("[data-go=play]").evaluate("button => button.getBoundingClientRect().top"))
    assert len(boards) > 1
    assert len(buttons) == 1


def test_every_board_of_a_replay_is_the_drawn_one(played: Path, site: Path, watchful: Watchful) -> None:
    file = a_match(site)
    replay = league.replay(str(played), int(file.stem))
    page = watchful.open(file)
    page.wait_for_function("window.league.viewer")
    texts = page.evaluate(
        "[0, 1, 2].map((view) => window.league.viewer.data.views[view].map((_, at) => {"
        "  window.league.viewer.setView(view); window.league.viewer.at = at; return window.league.viewer.board(); }))"
    )
    for view, seat in enumerate((None, 0, 1)):
        for frame, text in zip(replay.frames, texts[view], strict=False):
            if frame.event["event"] != "fault":
                assert text == replay.game.draw_svg(frame.state, frame.event, seat)


def test_permalinks_lead_to_the_move_and_the_view(site: Path, watchful: Watchful) -> None:
    page = watchful.open(a_match(site), "#m5s1")
    page.wait_for_function("window.league.viewer && window.league.viewer.at === 5")
    assert page.locator(".view").input_value() == "2"
    page.keyboard.press("ArrowRight")
    assert page.url.endswith("#m6s1")
    page.locator("#m2 a").click()
    assert page.url.endswith("#m2s1")
    page.evaluate("location.hash = '#m4'")
    page.wait_for_function("window.league.viewer.at === 4")


def test_mirror_matches_are_one_click_away(played: Path, site: Path, watchful: Watchful) -> None:
    deals = league.matches(played, ["deal"])["deal"]
    for file in sorted((site / "matches").iterdir()):
        if ".html" in file.read_text().split('class="mirrors"')[-1].split("</nav>")[0]:
            page = watchful.open(file)
            page.locator(".mirrors a").first.click()
            there = int(Path(page.url.split("#")[0]).stem)
            assert there != int(file.stem)
            assert deals[there] == deals[int(file.stem)]
            return
    pytest.fail("no match has its mirror match on the site")


@pytest.mark.parametrize("kind", ["empty", "lonely", "single", "crowd"])
def test_odd_leagues(kind: str, request: pytest.FixtureRequest, watchful: Watchful) -> None:
    built = Path(build(str(request.getfixturevalue(kind))))
    for name in ("index.html", "plots.html", "pairs.html", "matches.html"):
        page = watchful.open(built.parent / name)
        assert page.locator("h1").is_visible()
        drawn(page)
    rows = len(names(watchful.open(built)))
    assert rows == {"empty": 0, "lonely": 0, "single": 4, "crowd": 40}[kind]


def test_one_match_as_a_page(played: Path, watchful: Watchful) -> None:
    page = watchful.open(Path(build_match(str(played), 7)))
    page.wait_for_function("window.league.viewer")
    assert page.locator("h1").inner_text() == "Match 7"


def test_an_index_over_leagues(played: Path, site: Path, watchful: Watchful) -> None:
    page = watchful.open(Path(build(str(played.parent))))
    page.get_by_role("link", name="trouble").click()
    assert page.locator("h1").inner_text() == "Rankings"


def test_the_live_page(tmp_path: Path, watchful: Watchful) -> None:
    write_live(
        ResultFolder(str(tmp_path)),
        "spring",
        500,
        2000,
        [Believed("b", 20.0, 1.0), Believed(EVIL, 30.0, 2.0)],
    )
    page = watchful.open(tmp_path / "report" / "index.html")
    assert page.locator("tbody th").all_inner_texts() == [EVIL, "b"]
    assert page.locator("progress").get_attribute("value") == "500"


def test_no_letter_of_a_name_is_cut_in_half() -> None:
    """Vega counts letters beyond U+FFFF as two, and cuts long labels anywhere."""
    name = "\N{GRINNING FACE}" * 30
    spec = {"data": {"values": [{"x": 1, "y": name}]}, "mark": "bar", "config": {"axis": {"labelLimit": 150}}}
    axes = {"x": {"field": "x", "type": "quantitative"}, "y": {"field": "y", "type": "nominal"}}
    assert name in picture_of("bars", spec | {"encoding": axes}, 300)
