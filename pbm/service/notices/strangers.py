"""What people are told who have no account; nothing in it is in anybody else's words."""

from dataclasses import dataclass
from datetime import datetime

from pbm.engine import AnyGame
from pbm.service.letters import ToAddress


@dataclass(frozen=True, slots=True)
class Introduced(ToAddress):
    """The answer to whatever a stranger writes: what this is, and how to open an account."""

    idle = True
    threadless = True

    games: tuple[AnyGame, ...]


@dataclass(frozen=True, slots=True)
class SignupRefused(ToAddress):
    """What is wrong with a signup, without a word of it."""

    idle = True
    threadless = True

    sentence: str


@dataclass(frozen=True, slots=True)
class ConfirmSignup(ToAddress):
    """The question whether to open the account that was asked for at `asked_at`.

    `again`: other signups for this address wait for a reply as well.
    """

    idle = False
    threadless = True

    asked_at: datetime
    again: bool = False


@dataclass(frozen=True, slots=True)
class Unclear(ToAddress):
    """The answer to a reply that is neither yes nor no: nothing was done."""

    idle = True
    threadless = True
