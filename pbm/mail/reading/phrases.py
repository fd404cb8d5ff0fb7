"""Phrases that mail clients, gateways and mail programs write around a text, in many languages.

They are in `phrases.toml`, with a comment on each table.
"""

import tomllib
from enum import Enum
from pathlib import Path
from typing import Any

_TABLES: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)


def _phrases(table: str) -> tuple[str, ...]:
    """Return the phrases of all languages in a table."""
    return tuple(phrase for row in _TABLES[table].values() for phrase in row)


def _labels(column: int) -> frozenset[str]:
    return frozenset(" ".join(row[column] for row in _TABLES["labels"].values()).split())


OPENINGS, VERBS = _phrases("openings"), _phrases("verbs")

FROM_LABELS, DATE_LABELS, TO_LABELS, SUBJECT_LABELS = map(_labels, range(4))

LABELS = FROM_LABELS | DATE_LABELS | TO_LABELS | SUBJECT_LABELS

SEPARATORS = frozenset(_phrases("separators"))

SIGNATURES = tuple(
    (begin, end) for begin, _, end in (s.partition("…") for s in _phrases("signatures"))
)
"""The beginning and the end of each signature."""

BANNERS, DISCLAIMERS = _phrases("banners"), _phrases("disclaimers")

ANSWERED, WARNED = _phrases("answered"), _phrases("warned")

AUTOMATIC_REPLIES, READ_RECEIPTS = _phrases("automatic_replies"), _phrases("read_receipts")

CALENDAR_ANSWERS = _phrases("calendar_answers")


class ElementRole(Enum):
    """The role of an element of HTML for the client that wrote it."""

    HOLDS_BLOCKQUOTE = "holds_blockquote"
    QUOTE = "quote"
    INTRODUCTION = "introduction"
    SIGNATURE = "signature"
    QUOTE_BELOW = "quote_below"


ROLES = {mark: ElementRole(role) for role, marks in _TABLES["elements"].items() for mark in marks}
"""The role of an element by its class, id or name, in lower case."""
