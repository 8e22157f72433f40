"""Words that tables, messages and pages share."""

from __future__ import annotations


def counted(count: int, thing: str, things: str = "") -> str:
    """So many of a thing, with its plural where it is not the singular and an s.

    >>> counted(1, "match", "matches"), counted(12000, "fault"), counted(0, "tile")
    ('1 match', '12,000 faults', '0 tiles')
    """
    return f"{count:,} {thing if count == 1 else things or f'{thing}s'}"
