"""Packages with one module per subject: gathers the rows of their modules into one table.

So a new row stands with its subject and nowhere else, and none can be forgotten.
"""

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any


def modules_of(package: str) -> Iterator[ModuleType]:
    """Yield the modules of `package` in the order of their names."""
    for found in pkgutil.iter_modules(import_module(package).__path__, f"{package}."):
        yield import_module(found.name)


def gathered(package: str, table: str) -> dict[type, Any]:
    """Return one mapping, merged from those that the modules of `package` call `table`.

    Raises ValueError if two modules have a row for the same class.
    """
    whole: dict[type, Any] = {}
    for module in modules_of(package):
        rows = getattr(module, table, {})
        double = [kind.__name__ for kind in rows if kind in whole]
        if double:
            raise ValueError(f"{', '.join(double)}: twice in the {table} of {package}")
        whole.update(rows)
    return whole
