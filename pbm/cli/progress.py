"""A bar that shows how far a long command has got: on a terminal only, on standard error."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click


@contextmanager
def progress(length: int, label: str) -> Iterator[Callable[[], None]]:
    """Yield what is called after each of `length` steps; it does nothing beside a terminal.

    Standard output stays as it is, for a pipe or a file.
    """
    if not sys.stderr.isatty():
        yield _nothing
        return
    with click.progressbar(length=length, label=label, file=sys.stderr) as bar:
        bar.render_progress()
        yield lambda: bar.update(1)


def _nothing() -> None:
    """Show nothing."""
