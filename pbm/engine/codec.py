"""States as plain JSON values, these as canonical texts, and back."""

import json
import math
from collections.abc import Callable, Iterable, Mapping
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


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"))
_DECODER = json.JSONDecoder()
"""Made once: `json.dumps` makes an encoder for each call, and `json.loads` takes more than text."""


def to_json(plain: Any) -> str:
    """Return plain values as canonical JSON: keys sorted, no spaces, ASCII."""
    return _ENCODER.encode(plain)


def from_json(text: str) -> Any:
    """Return what `to_json` turned into `text`."""
    return _DECODER.decode(text)


def _order(plain: Any) -> tuple[float, str]:
    """Return what the members of a set are sorted by: numbers first, the rest by their JSON."""
    if isinstance(plain, int | float):
        return plain, ""
    return math.inf, json.dumps(plain, sort_keys=True)


def from_plain(kind: Any, data: Any) -> Any:
    """Return a value of the annotated type `kind` from what `to_plain` made of it.

    A field that is not known here is left out: a newer program beside this one may have stored it.
    """
    return _reader(kind)(data)


Reader = Callable[[Any], Any]
"""Gives a value for its plain form."""


@cache
def _reader(kind: Any) -> Reader:
    """Return what reads values of `kind`: a type is looked at once, and not with each value."""
    origin = get_origin(kind)
    if origin is not None:
        return _generic_reader(origin, get_args(kind))
    if is_dataclass(kind) and isinstance(kind, type):
        types = get_type_hints(kind)
        return lambda data: kind(
            **{name: _reader(types[name])(data[name]) for name in data if name in types}
        )
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind
    return _as_it_is


def _as_it_is(data: Any) -> Any:
    return data


def _generic_reader(origin: Any, arguments: tuple[Any, ...]) -> Reader:
    if origin in (Union, UnionType):
        chosen = next(a for a in arguments if a is not NoneType)
        return lambda data: None if data is None else _reader(chosen)(data)
    if origin is frozenset or (origin is tuple and arguments[1:] == (Ellipsis,)):
        return _of_many(origin, _reader(arguments[0]))
    if origin is tuple:
        return lambda data: tuple(
            _reader(kind)(item) for kind, item in zip(arguments, data, strict=True)
        )
    if isinstance(origin, type) and issubclass(origin, Mapping):
        inner = _reader(arguments[1])
        return lambda data: {key: inner(item) for key, item in data.items()}
    raise TypeError(f"{origin!r} cannot be read back; write dump and load for this state")


def _of_many(origin: Callable[[Iterable[Any]], Any], inner: Reader) -> Reader:
    return origin if inner is _as_it_is else lambda data: origin(map(inner, data))
