"""The charts of a report: each is one file with a function for its numbers and one for its drawing.

A chart's numbers are rows of plain values, testable without any drawing. They go into the page as JSON, together with
a Vega-Lite specification; a browser draws them with tooltips. The same specification, drawn once while the page is
written, is the picture that stands there without JavaScript and in print. Colours are the page's own variables, so
both follow its theme.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

from markupsafe import Markup

from league.user_cache import user_cache

if TYPE_CHECKING:
    from league.report.findings import Findings

Rows: TypeAlias = list[dict[str, Any]]
Drawing: TypeAlias = Any
"""A chart of Altair, plain or in layers; its operators and `properties` are not typed."""

ORDER = (
    "intervals",
    "head_to_head",
    "history",
    "expectation",
    "seats",
    "scores",
    "lengths",
    "thinking",
)
"""The files of this package, in the order of the page."""

COLOURS = [f"var(--c{number})" for number in range(1, 9)]
"""Colours that people of every colour vision tell apart, light or dark."""

STATIC_WIDTH = {False: 640, True: 1300}
"""Of pictures without JavaScript, by whether they have the whole width of the page."""


class Chart(Protocol):
    """What a file of this package offers.

    Attributes:
        TITLE: Its heading.
        COLUMNS: Headings of its table, by key of its rows.
        BROAD: Whether it wants the whole width of the page.
    """

    TITLE: str
    COLUMNS: Mapping[str, str]
    BROAD: bool

    def numbers(self, findings: Findings) -> Rows:
        """The rows to draw; none where there is nothing to show."""

    def caption(self, rows: Rows) -> str:
        """How to read it, and what it says here."""

    def draw(self, rows: Rows) -> Drawing:
        """The drawing of the rows."""


def chart(rows: Rows) -> Any:
    """An empty chart over rows."""
    import altair as alt

    return alt.Chart(alt.Data(values=rows))  # type: ignore[no-untyped-call]


def tooltips(columns: Mapping[str, str], *words: str) -> list[Any]:
    """What is told of a mark: all columns, of which `words` are texts and the others numbers."""
    import altair as alt

    return [alt.Tooltip(f"{key}:{'N' if key in words else 'Q'}", title=name) for key, name in columns.items()]


@dataclass(frozen=True)
class Figure:
    """A chart with its numbers, ready for a page."""

    key: str
    title: str
    caption: str
    columns: Mapping[str, str]
    rows: Sequence[Mapping[str, Any]]
    spec: Mapping[str, Any]
    picture: Markup
    broad: bool


def figures(findings: Findings) -> list[Figure]:
    """All charts for which the league has numbers."""
    made = []
    for key in ORDER:
        offered = cast(Chart, import_module(f"league.report.charts.{key}"))
        rows = offered.numbers(findings)
        if rows:
            made.append(
                figure_of(
                    key,
                    offered.TITLE,
                    offered.caption(rows),
                    offered.COLUMNS,
                    rows,
                    offered.draw(rows),
                    offered.BROAD,
                )
            )
    return made + _measures(findings)


def _measures(findings: Findings) -> list[Figure]:
    """A chart for each thing that the game counts."""
    from league.report.charts import measures

    made = []
    for number, measure in enumerate(findings.game.measures):
        rows = measures.numbers(findings, number)
        if rows:
            drawn, text = measures.draw(rows, measure), measures.caption(findings, measure)
            made.append(
                figure_of(f"measure-{number}", measure.title, text, measures.COLUMNS, rows, drawn, False)
            )
    return made


def figure_of(
    key: str,
    title: str,
    caption: str,
    columns: Mapping[str, str],
    rows: Rows,
    drawing: Drawing,
    broad: bool,
) -> Figure:
    """A drawing with its picture."""
    spec = drawing.configure(**_CONFIG).to_dict()
    spec.pop("$schema")
    return Figure(key, title, caption, columns, rows, spec, picture_of(key, spec, STATIC_WIDTH[broad]), broad)


def picture_of(key: str, spec: Mapping[str, Any], width: int) -> Markup:
    """The picture of a specification, the same bytes each time.

    Vega numbers its clip paths from when the process began; they are numbered anew from 1, under the chart's name.
    """
    import vl_convert

    fixed = {**spec, "width": width} if spec.get("width") == "container" else dict(spec)
    if max(json.dumps(fixed, ensure_ascii=False)) > "\uffff":
        fixed = _uncut(fixed)
    drawn = vl_convert.vegalite_to_svg(fixed, vl_version=_version())
    numbers: dict[str, int] = {}
    fresh = re.sub(r"\b(clip|gradient_)(\d+)\b", lambda found: f"{key}-{_numbered(numbers, found[0])}", drawn)
    return Markup(fresh)


def _uncut(spec: Any) -> Any:
    """A specification that cuts no labels: Vega would cut letters beyond U+FFFF in half, which nothing can draw."""
    if isinstance(spec, dict):
        return {key: 0 if key == "labelLimit" else _uncut(value) for key, value in spec.items()}
    return [_uncut(value) for value in spec] if isinstance(spec, list) else spec


def _numbered(numbers: dict[str, int], name: str) -> str:
    return f"clip{numbers.setdefault(name, len(numbers) + 1)}"


@cache
def runtime() -> str:
    """Vega, Vega-Lite and their embedding as one classic script, kept in the user's cache: making it takes seconds."""
    import vl_convert

    kept = user_cache() / f"vega-{_version()}-{version('vl-convert-python')}.js"
    if kept.exists():
        return kept.read_text(encoding="utf-8")
    bundle = vl_convert.javascript_bundle(vl_version=_version())  # type: ignore[call-arg]
    script = f"(function () {{\n{bundle}\n}})();\n"
    aside = kept.with_suffix(f".{os.getpid()}.tmp")
    aside.write_text(script, encoding="utf-8")
    aside.replace(kept)
    return script


def _version() -> str:
    """The version of Vega-Lite whose specifications Altair writes, without its last number."""
    import altair as alt

    return ".".join(alt.SCHEMA_VERSION.lstrip("v").split(".")[:2])


_TEXT = {"labelColor": "currentColor", "titleColor": "currentColor", "labelFontSize": 12, "titleFontSize": 12}
_CONFIG: dict[str, Any] = {
    "background": "transparent",
    "font": "system-ui, DejaVu Sans, sans-serif",
    "aria": False,
    "view": {"stroke": None},
    "axis": {
        **_TEXT,
        "titleFontWeight": "normal",
        "gridColor": "var(--grid)",
        "domainColor": "var(--line)",
        "tickColor": "var(--line)",
        "labelLimit": 150,
        "labelSeparation": 4,
    },
    "legend": {**_TEXT, "titleFontWeight": "normal", "labelLimit": 200, "orient": "top"},
    "text": {"color": "currentColor"},
    "range": {"category": COLOURS},
}
