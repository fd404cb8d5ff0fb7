"""What is asked of PostgreSQL together, and what it finds; `libpq` sends it.

psycopg is an extra, so what uses it is imported when something is asked, in this place alone.
"""

from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import psycopg

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A statement with its parameters as `$1`, `$2` and so on, and their values."""

    sql: str
    values: Sequence[Any]


@dataclass(frozen=True, slots=True)
class Found:
    """The rows that a statement has found, and how many it has changed or found."""

    rows: list[Row]
    changed: int


def ask_together(
    driver: "psycopg.Connection", info: MutableMapping[Any, Any], questions: Sequence[Question]
) -> list[Found]:
    """Return what was found for each of the questions, which are run in their order.

    `info` belongs to the connection of psycopg for as long as that lives. Raises psycopg's error
    for the first statement that fails; those after it are not run. If it is interrupted, the
    connection is closed, because answers would still be on their way.
    """
    from pbm.store import libpq  # noqa: PLC0415 - psycopg is an extra

    return libpq.ask_together(driver, info, questions)
