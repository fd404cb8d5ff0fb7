"""What the mails of one event have in common, made for its first reader and kept for the others."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Common:
    """Values by what made them and of what; it lasts as long as the notices that share it.

    It knows again the very objects that a value was made of, which it keeps, and so needs not
    compare boards or people. A notice with another board or moment gets its own values.
    """

    __slots__ = ("_made",)

    def __init__(self) -> None:
        self._made: dict[tuple[object, ...], tuple[object, Any]] = {}

    def once(self, make: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """Return what `make` makes of these objects, made only the first time."""
        key = (make, *map(id, given), *map(id, named.values()))
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = ((given, named), make(*given, **named))
        made: T = found[1]
        return made
