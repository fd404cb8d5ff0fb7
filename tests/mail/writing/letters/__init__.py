"""Samples of letters: each module has those of a feature, one or more of every template."""

from pbm.service.letters import Letter
from pbm.subjects import modules_of

LETTERS: tuple[Letter, ...] = tuple(
    letter for module in modules_of(__name__) for letter in vars(module).get("LETTERS", ())
)
