"""The use cases: one function a command, all in one table.

A handler takes the request's context and the command, changes what is stored through the
unit of work, and yields who is to be told what. It raises a Refusal, or lets a game's
MoveError pass, and then nothing it did stays.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pbm.domain import commands
from pbm.service.context import Context
from pbm.service.handlers import accounts, asking, inviting, offering, playing
from pbm.service.notices import Notice

Handler = Callable[[Context, Any], Iterator[Notice]]

HANDLERS: Mapping[type, Handler] = {
    commands.Help: asking.show_help,
    commands.Show: asking.show_boards,
    commands.Games: asking.list_games,
    commands.Signup: accounts.ask_signup,
    commands.Confirm: accounts.confirm_signup,
    commands.Challenge: inviting.challenge,
    commands.Accept: inviting.accept,
    commands.Decline: inviting.decline,
    commands.Reject: inviting.reject,
    commands.Offer: offering.make_offer,
    commands.Move: playing.move,
    commands.Swap: playing.swap,
    commands.Resign: playing.resign,
}
"""Which function carries out which command."""
