"""Samples of letters: each module has those of a feature, one or more of every template."""

import pkgutil
from importlib import import_module

from pbm.service.letters import Letter

LETTERS: tuple[Letter, ...] = tuple(
    letter
    for found in pkgutil.iter_modules(__path__, f"{__name__}.")
    for letter in vars(import_module(found.name)).get("LETTERS", ())
)
