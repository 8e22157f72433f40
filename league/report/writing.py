"""Write pages: templates with everything escaped, numbers with sensible digits, files under `report/`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from league.store import ResultFolder
from league.words import counted

HERE = Path(__file__).parent


class Site:
    """The pages of a report, written one by one.

    Args:
        folder: Where its files go.
        shared: What every page is told.
    """

    def __init__(self, folder: ResultFolder, shared: Mapping[str, Any]) -> None:
        self.folder = folder
        self.shared = dict(shared)
        self.written: set[str] = set()

    def page(self, name: str, template: str, **told: Any) -> None:
        """Write a page; `root` leads from it to the site's own folder."""
        root = "../" * name.count("/")
        self.file(
            name, environment().get_template(template).render(self.shared, root=root, here=name, **told)
        )

    def file(self, name: str, text: str) -> None:
        """Write a file."""
        self.folder.write(name, text.encode())
        self.written.add(name)

    def sweep(self) -> None:
        """Delete what an earlier report left and this one did not write."""
        for folder in ("", "assets", "bots", "pairs", "matches"):
            for name in self.folder.list(folder):
                path = f"{folder}/{name}" if folder else name
                if path not in self.written:
                    self.folder.delete(path)

    def static(self, *names: str) -> None:
        """Write styles and scripts that come with the package."""
        for name in names:
            self.file(f"assets/{name}", (HERE / "static" / name).read_text(encoding="utf-8"))


@cache
def environment() -> Environment:
    """The templates with their filters."""
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        number=number,
        percent=percent,
        signed=signed,
        duration=duration,
        data=data,
        breakable=breakable,
        counted=counted,
    )
    return made


def number(value: float | None, digits: int = 0) -> str:
    """A number for people.

    >>> number(12345.678, 1), number(None)
    ('12,345.7', '–')
    """
    return "–" if value is None else f"{value:,.{digits}f}".replace("-", "−")


def percent(share: float | None, digits: int = 1) -> str:
    """A share as per cent.

    >>> percent(0.4567)
    '45.7'
    """
    return number(None if share is None else 100 * share, digits)


def signed(value: float, digits: int = 1) -> str:
    """A difference with its sign.

    >>> signed(-0.04), signed(2.5)
    ('0.0', '+2.5')
    """
    text = f"{value:+.{digits}f}"
    return f"{0:.{digits}f}" if float(text) == 0 else text.replace("-", "−")


def duration(milliseconds: float | None) -> str:
    """A time with three digits that mean something.

    >>> duration(0.0123), duration(12.3), duration(4560)
    ('12.3 µs', '12.3 ms', '4.56 s')
    """
    if milliseconds is None:
        return "–"
    for unit, size in (("s", 1000.0), ("ms", 1.0)):
        if milliseconds >= size:
            return (
                f"{milliseconds / size:.3g} {unit}"
                if milliseconds < 1e6
                else f"{milliseconds / size:,.0f} {unit}"
            )
    return f"{milliseconds * 1000:.3g} µs"


def breakable(name: str) -> Markup:
    """A name that may go on in the next line after a dash, a dot or an underline, as it would after a space.

    >>> breakable("<b>_1")
    Markup('&lt;b&gt;_<wbr>1')
    """
    return Markup(re.sub(r"(?<=[-_.])(?=\w)", "<wbr>", escape(name)))


def data(value: Any) -> Markup:
    """JSON for a `<script type="application/json">`: no text in it can end the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))
