"""What a process is given to think about: values that go from one process to another."""

from collections.abc import Callable
from typing import Any, Protocol

from pbm.engine import AnyGame


class Task(Protocol):
    """Something to think about: a frozen value that can be pickled, and needs no database."""

    @property
    def game(self) -> str:
        """The key of the game."""

    @property
    def rules_version(self) -> int:
        """The version of its rules under which the match began."""

    def run(self, game: AnyGame, is_over: Callable[[], bool]) -> Any:
        """Return what was found, a frozen value as well; think no longer once `is_over`."""
