"""What is wrong with a value that pydantic refuses: one line that names it and the remedy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from league.errors import unknown

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_WANTED = {
    "bool_type": "give true or false",
    "dict_type": "write it as a table",
    "float_type": "give a number",
    "greater_than": "give more than {gt}",
    "greater_than_equal": "give at least {ge}",
    "int_type": "give a whole number",
    "less_than": "give less than {lt}",
    "less_than_equal": "give at most {le}",
    "list_type": "give a list",
    "model_type": "write it as a table",
    "string_pattern_mismatch": "give a name without / or control characters that starts with no dot or space",
    "string_too_long": "give at most {max_length} characters",
    "string_too_short": "give at least {min_length} character",
    "string_type": "give a text in quotes",
    "too_short": "give at least {min_length}",
}
"""Remedies by the kind of mistake, as pydantic calls it."""


def mistake(place: str, error: ErrorDetails) -> str:
    """Say what is wrong at a place, which is a key as people write it; misspelt keys are the caller's to tell."""
    kind, details = error["type"], error.get("ctx", {})
    if kind == "missing":
        return f"{place} is missing: add it"
    if kind == "value_error":
        return f"{place}: {details['error']}"
    if kind == "literal_error":
        allowed = [word.strip("' ") for word in details["expected"].replace(" or ", ", ").split(",")]
        return f"{place}: {unknown('value', str(error['input'])[:60], allowed)}"
    remedy = _WANTED.get(kind, error["msg"]).format(**details)
    return f"{place} = {shown(error['input'])}: {remedy}"


def shown(value: Any) -> str:
    """A value as Python writes it, cut where it is long."""
    try:
        text = repr(value)
    except ValueError:  # Python writes no number of thousands of digits
        return "(a number of thousands of digits)"
    return text if len(text) <= 60 else f"{text[:57]}..."
