"""The use cases: one function a command, gathered from the modules of the subjects.

A handler takes the request's context and the command, changes what is stored through the
unit of work, and yields who is to be told what. It raises a Refusal, or lets a game's
MoveError pass, and then nothing it did stays. Handlers import no handlers: what several of
them do, or a chore or the operator as well, is a step (pbm.service.steps).
"""

from collections.abc import Mapping
from functools import cache

from pbm.service.handlers.base import Handler
from pbm.subjects import gathered


@cache
def handlers() -> Mapping[type, Handler]:
    """Return which function carries out which command."""
    return gathered(__package__, "HANDLERS")
