"""The use cases: one function per command, gathered from the modules of the subjects.

A handler takes the request's context and the command, changes what is stored through the
unit of work, and yields notices. If it raises a Refusal, or lets a game's MoveError pass,
nothing that it did is kept. Handlers import no other handlers: code that several handlers
share, or that a chore or the operator also needs, is a step (pbm.service.steps).
"""

from collections.abc import Mapping
from functools import cache

from pbm.service.context import Handler
from pbm.subjects import gathered


@cache
def handlers() -> Mapping[type, Handler]:
    """Return the function that carries out each command, by the command's type."""
    return gathered(__package__, "HANDLERS")
