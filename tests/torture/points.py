"""Named points in the product, at which a server under torture kills itself.

The product knows nothing of them: functions are wrapped from outside, in the process that is to
die, before it serves.
"""

import importlib
import itertools
import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Point:
    """A moment in the life of a role: before or after each call of `target`."""

    role: str
    name: str
    target: str
    after: bool
    most: int
    """The most times that it may be passed before the process dies."""


def _points(row: str) -> Iterator[Point]:
    role, when, name, target, most = (word.strip() for word in row.split("|"))
    for word, after in (("before", False), ("after", True)):
        if when in (word, "both"):
            yield Point(role, f"{word} {name}", target, after, int(most))


_TABLE = Path(__file__).with_name("points.txt").read_text("utf-8").splitlines()

POINTS = tuple(point for row in _TABLE if row[:1] != "#" for point in _points(row))


def place_of(point: Point) -> tuple[Any, str]:
    """Return the module or class that has the function of `point`, and the function's name."""
    module, _, path = point.target.partition(":")
    holder: Any = importlib.import_module(module)
    *owners, name = path.split(".")
    for owner in owners:
        holder = getattr(holder, owner)
    return holder, name


def arm(point: Point, passes: int) -> None:
    """Let this process kill itself when `point` is passed so often."""
    holder, name = place_of(point)
    setattr(holder, name, _deadly(getattr(holder, name), point, passes))


def _deadly(function: Callable[..., Any], point: Point, passes: int) -> Callable[..., Any]:
    counter = itertools.count(1)

    def pass_by() -> None:
        if next(counter) == passes:
            os.kill(os.getpid(), signal.SIGKILL)

    @wraps(function)
    def wrapped(*arguments: Any, **more: Any) -> Any:
        if not point.after:
            pass_by()
        result = function(*arguments, **more)
        if point.after:
            pass_by()
        return result

    return wrapped
