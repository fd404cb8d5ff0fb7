"""Who is told what: the facts of each mail that goes out, before they are put into words.

A notice knows its facts: who reads it, which board it belongs to, how it can be answered, and
whether it tells of something done. Each subject has its notices in a module of its own;
pbm.mail.writing turns them into mails.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from pbm.domain.player import Player
from pbm.service.tokens import Token


@dataclass(frozen=True, slots=True, kw_only=True)
class Message(ABC):
    """What one mail tells one reader.

    `reply` is the token that the mail's Reply-To carries: with it the mail can be answered
    without a password. A class that does not say whether it is `idle` is refused at import; a
    base class of others names ABC among its bases.
    """

    reply: Token | None = None

    threadless = False
    """Whether the mail joins no thread, not even that of the mail that it answers."""

    def __init_subclass__(cls) -> None:
        if ABC not in cls.__bases__ and getattr(cls.idle, "__isabstractmethod__", False):
            raise TypeError(f"{cls.__name__} must say whether it is idle: does it only answer?")

    @property
    @abstractmethod
    def idle(self) -> bool:
        """Whether it reports nothing done: it only answers, and such answers are limited."""

    @property
    @abstractmethod
    def recipient(self) -> str | None:
        """The address that the mail goes to; None if its reader cannot be reached."""

    @property
    def reader(self) -> Player | None:
        """The player who reads it; None if it goes to a bare address."""
        return None

    @property
    def thread(self) -> int | None:
        """The number of the board or invitation whose thread it belongs to."""
        return None


@dataclass(frozen=True, slots=True)
class ToPlayer(Message, ABC):
    """A notice to a player, wherever that player's mails go."""

    to: Player

    @property
    def recipient(self) -> str | None:
        return self.to.address

    @property
    def reader(self) -> Player:
        return self.to


@dataclass(frozen=True, slots=True)
class ToAddress(Message, ABC):
    """A notice to a bare address: of a stranger, of the operator, or of a changing account."""

    address: str

    @property
    def recipient(self) -> str:
        return self.address
