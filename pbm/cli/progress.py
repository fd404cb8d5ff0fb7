"""A bar that shows how far a long command has got: on a terminal only, on standard error."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import click


class Tick(Protocol):
    """Moves the bar on."""

    def __call__(self, steps: int = 1, /) -> None:
        """Note that so many more steps are done."""


@contextmanager
def progress(length: int, label: str) -> Iterator[Tick]:
    """Yield what is called after each of `length` steps, or several; it shows nothing in a pipe.

    Standard output stays as it is, for a pipe or a file.
    """
    if not sys.stderr.isatty():
        yield _nothing
        return
    with click.progressbar(length=length, label=label, file=sys.stderr) as bar:
        bar.render_progress()
        yield lambda steps=1: bar.update(steps)


def _nothing(_steps: int = 1, /) -> None:
    """Show nothing."""
