"""What the laws of the contract are checked with: the error, and where a game's pages are."""

import inspect
import sys
from importlib import resources
from importlib.resources.abc import Traversable

from pbm.engine.game import AnyGame


class ConformanceError(AssertionError):
    """A game broke a law; the message names the law and shows where."""


def law(holds: object, law: str) -> None:
    """Raise ConformanceError unless `law` holds."""
    if not holds:
        raise ConformanceError(f"broken law: {law}")


def folder_of(game: AnyGame) -> Traversable:
    """Return the folder of the game's rules, in which its pages stand."""
    module = inspect.getmodule(type(game)) or sys.modules[type(game).__module__]
    return resources.files(module.__package__ or module.__name__)
