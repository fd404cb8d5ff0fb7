"""What players ask for, as frozen values. The grammar makes them, the handlers carry them out."""

from pbm.domain.commands.accounts import Confirm, Signup
from pbm.domain.commands.asking import Games, Help, Show
from pbm.domain.commands.base import Command, Credentials, Request
from pbm.domain.commands.inviting import Accept, Challenge, Decline
from pbm.domain.commands.offering import Offer, Reject
from pbm.domain.commands.playing import Move, Resign, Swap

__all__ = [
    "Accept",
    "Challenge",
    "Command",
    "Confirm",
    "Credentials",
    "Decline",
    "Games",
    "Help",
    "Move",
    "Offer",
    "Reject",
    "Request",
    "Resign",
    "Show",
    "Signup",
    "Swap",
]
