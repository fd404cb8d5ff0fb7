"""States as plain JSON values, and back."""

import json
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints


def to_plain(value: Any) -> Any:
    """Return `value` as JSON values: dataclasses as objects, tuples and sets as lists.

    Knows None, bool, int, str, float, enums, tuples, frozensets (sorted), mappings with
    text keys and dataclasses of these. Raises TypeError for anything else.
    """
    if isinstance(value, Enum):
        return to_plain(value.value)
    if value is None or isinstance(value, bool | int | str | float):
        return value
    if isinstance(value, tuple):
        return [to_plain(item) for item in value]
    if isinstance(value, frozenset):
        return sorted((to_plain(item) for item in value), key=_order)
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {key: to_plain(item) for key, item in value.items()}
    if is_dataclass(value):
        return {f.name: to_plain(getattr(value, f.name)) for f in fields(value)}
    raise TypeError(f"a state may not hold a {type(value).__name__}; write dump and load for it")


def _order(plain: Any) -> tuple[float, str]:
    """Return what the members of a set are sorted by: numbers first, the rest by their JSON."""
    if isinstance(plain, int | float):
        return plain, ""
    return math.inf, json.dumps(plain, sort_keys=True)


def from_plain(kind: Any, data: Any) -> Any:
    """Return a value of the annotated type `kind` from what `to_plain` made of it."""
    origin = get_origin(kind)
    if origin is not None:
        return _from_generic(origin, get_args(kind), data)
    if is_dataclass(kind) and isinstance(kind, type):
        types = _field_types(kind)
        return kind(**{name: from_plain(types[name], item) for name, item in data.items()})
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(data)
    return data


def _from_generic(origin: Any, arguments: tuple[Any, ...], data: Any) -> Any:
    if origin in (Union, UnionType):
        chosen = NoneType if data is None else next(a for a in arguments if a is not NoneType)
        return from_plain(chosen, data)
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple(from_plain(arguments[0], item) for item in data)
    if origin is tuple:
        return tuple(from_plain(k, item) for k, item in zip(arguments, data, strict=True))
    if origin is frozenset:
        return frozenset(from_plain(arguments[0], item) for item in data)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {key: from_plain(arguments[1], item) for key, item in data.items()}
    raise TypeError(f"{origin!r} cannot be read back; write dump and load for this state")


@cache
def _field_types(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)
