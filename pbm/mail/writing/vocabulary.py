"""What is said for every kind of notice, gathered from the modules of the subjects beside this."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import is_dataclass
from functools import cache
from typing import Any

from pbm.mail.writing.wording import Wording
from pbm.render.templates import Context
from pbm.subjects import gathered, modules_of


@cache
def wordings() -> Mapping[type, Callable[[Any, str], Wording]]:
    """Return for each kind of notice what puts it into words; examples carry the server's address.

    It takes the notice and that address.
    """
    return gathered(__package__, "WORDINGS")


@cache
def contexts() -> tuple[type[Context], ...]:
    """Return what every template is given: the dataclasses that name one."""
    found: Iterator[type[Any]] = (
        kind
        for module in modules_of(__package__)
        for kind in vars(module).values()
        if is_dataclass(kind) and isinstance(kind, type) and hasattr(kind, "template")
    )
    return tuple(dict.fromkeys(found))
