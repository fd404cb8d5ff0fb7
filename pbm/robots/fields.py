"""The fields of a JSON object, read strictly: each is of the type that is asked for."""

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from pbm.engine import quote


class ProtocolError(Exception):
    """A line that is not what the protocol asks for; `str()` is a sentence that says why."""


class Fields:
    """An object that was read. A field that is null is as good as one that is not there.

    Each method raises ProtocolError if the field is missing or of another type.
    """

    def __init__(self, plain: Mapping[str, Any], within: str = "") -> None:
        self.plain = plain
        self._within = within

    @classmethod
    def of(cls, line: bytes) -> "Fields":
        """Return the object that a line of UTF-8 holds."""
        try:
            plain = json.loads(line, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            shown = quote(line[:200].decode("utf-8", "replace"))
            raise ProtocolError(f"The line {shown} cannot be read as JSON.") from error
        if not isinstance(plain, dict):
            shown = quote(line[:200].decode("utf-8", "replace"))
            raise ProtocolError(f"The line {shown} is not a JSON object.")
        return cls(plain)

    def __contains__(self, name: str) -> bool:
        return self.plain.get(name) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self.plain)

    def text(self, name: str, default: str | None = None) -> str:
        """Return a text, or the default if there is one and the field is missing."""
        value = self.plain.get(name)
        found = default if value is None else value
        return found if isinstance(found, str) else self._refuse(name, "a text")

    def number(self, name: str) -> int:
        """Return a whole number from 0."""
        value = self.plain.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            self._refuse(name, "a whole number from 0")
        return value

    def share(self, name: str) -> float:
        """Return a number from 0 to 1."""
        value = self.plain.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            self._refuse(name, "a number from 0 to 1")
        return value

    def duration(self, name: str) -> float:
        """Return a number above 0."""
        value = self.plain.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            self._refuse(name, "a number")
        return value if 0 < value < math.inf else self._refuse(name, "a number above 0")

    def truth(self, name: str) -> bool:
        """Return true or false."""
        value = self.plain.get(name)
        return value if isinstance(value, bool) else self._refuse(name, "true or false")

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts."""
        values = self._items(name)
        if not all(isinstance(value, str) for value in values):
            self._refuse(name, "a list of texts")
        return tuple(values)

    def numbers(self, name: str) -> tuple[int, ...]:
        """Return a list of whole numbers."""
        values = self._items(name)
        if not all(isinstance(value, int) and not isinstance(value, bool) for value in values):
            self._refuse(name, "a list of whole numbers")
        return tuple(values)

    def objects(self, name: str) -> tuple["Fields", ...]:
        """Return a list of objects."""
        values = self._items(name)
        if not all(isinstance(value, dict) for value in values):
            self._refuse(name, "a list of objects")
        return tuple(Fields(value, name) for value in values)

    def inner(self, name: str) -> "Fields":
        """Return an object."""
        value = self.plain.get(name)
        return Fields(value, name) if isinstance(value, dict) else self._refuse(name, "an object")

    def _items(self, name: str) -> list[Any]:
        value = self.plain.get(name)
        return value if isinstance(value, list) else self._refuse(name, "a list")

    def _refuse(self, name: str, wanted: str) -> NoReturn:
        where = f' in "{self._within}"' if self._within else ""
        if name not in self:
            raise ProtocolError(f'"{name}" is missing{where}; it must be {wanted}.')
        shown = quote(json.dumps(self.plain[name]))
        raise ProtocolError(f'"{name}"{where} must be {wanted}, and is {shown}.')


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
