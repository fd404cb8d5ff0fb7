"""What is said for each kind of notice, gathered from the modules beside this one."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import is_dataclass
from functools import cache
from typing import Any

from pbm.mail.writing.wording import Wording
from pbm.render.templates import Context
from pbm.subjects import gathered, modules_of


@cache
def wordings() -> Mapping[type, Callable[[Any, str], Wording]]:
    """Return the function that puts each kind of notice into words.

    It takes the notice and the server's address, which the examples use.
    """
    return gathered(__package__, "WORDINGS")


@cache
def contexts() -> tuple[type[Context], ...]:
    """Return the contexts of all templates: the dataclasses that name one."""
    found: Iterator[type[Any]] = (
        kind
        for module in modules_of(__package__)
        for kind in vars(module).values()
        if is_dataclass(kind)
        and isinstance(kind, type)
        and isinstance(getattr(kind, "template", None), str)
    )
    return tuple(dict.fromkeys(found))
