"""Bugs: they are caught where others must go on, and the log has only their places, no values.

Values may be secret.
"""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from errno import errorcode

from pbm.store.errors import Conflict, StoreUnavailable


@contextmanager
def isolate_bugs() -> Iterator[list[Exception]]:
    """Catch any bug or Refusal of the work inside; the list that is yielded has it afterwards.

    Failures of the store are raised, because the whole unit of work is lost.
    """
    bugs: list[Exception] = []
    try:
        yield bugs
    except (Conflict, StoreUnavailable):
        raise
    except Exception as bug:  # noqa: BLE001 - any bug of a game: all others must go on
        bugs.append(bug)


def trace_of(bug: BaseException) -> str:
    """Return the places that `bug` passed through, one a line, and its type last.

    The name that the system gives its error has no values in it.
    """
    frames = traceback.extract_tb(bug.__traceback__)
    lines = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    system = errorcode.get(bug.errno or 0) if isinstance(bug, OSError) else None
    return "\n".join([*lines, type(bug).__name__ + (f": {system}" if system else "")])
