"""What players ask for, as frozen values. The grammar makes them, the handlers carry them out."""

from pbm.domain.commands.accounts import (
    AddAddress,
    ChangeAddress,
    ChangePassword,
    Confirm,
    ConfirmErrand,
    Forgot,
    SignOff,
    Signup,
)
from pbm.domain.commands.asking import Games, Help, Show
from pbm.domain.commands.base import Command, Credentials, Request
from pbm.domain.commands.inviting import Accept, Challenge, Decline
from pbm.domain.commands.offering import Offer, Reject
from pbm.domain.commands.planning import (
    ClearQueue,
    PlaySubmitted,
    Preview,
    PreviewNew,
    Queue,
    Submit,
)
from pbm.domain.commands.playing import Move, Resign, Swap
from pbm.domain.commands.results import History, Overview, Record, Standings
from pbm.domain.commands.settings import Set
from pbm.domain.commands.talking import Broadcast, Chat, Follow, Message, Unfollow
from pbm.domain.commands.time import Vacation
from pbm.domain.commands.wishing import Limit, SeekMatches, Stand

__all__ = [
    "Accept",
    "AddAddress",
    "Broadcast",
    "Challenge",
    "ChangeAddress",
    "ChangePassword",
    "Chat",
    "ClearQueue",
    "Command",
    "Confirm",
    "ConfirmErrand",
    "Credentials",
    "Decline",
    "Follow",
    "Forgot",
    "Games",
    "Help",
    "History",
    "Limit",
    "Message",
    "Move",
    "Offer",
    "Overview",
    "PlaySubmitted",
    "Preview",
    "PreviewNew",
    "Queue",
    "Record",
    "Reject",
    "Request",
    "Resign",
    "SeekMatches",
    "Set",
    "Show",
    "SignOff",
    "Signup",
    "Stand",
    "Standings",
    "Submit",
    "Swap",
    "Unfollow",
    "Vacation",
]
