"""Events: the kinds of things that happen on a board, each with its sentence and its effect.

    LEFT = Event("left", lambda seen: f"{seen.actor} has left the server.", Effect.OTHER)

An event is in the module that causes it. Nothing else needs to know it: digests, echoes, the news
of a mail and followers ask for the effect.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from enum import Enum, auto
from typing import Any

from pbm.domain.description import side_of, userid
from pbm.domain.player import People, Player, PlayerId
from pbm.domain.seen import SeenBoard
from pbm.engine import frozen


class Effect(Enum):
    """The effect of an event on the mails about it."""

    START = auto()
    """The match has begun."""
    TURN = auto()
    """A turn. It may wait for a digest; to its player it is an echo."""
    END = auto()
    """The match is over, which all followers learn. A `text` is the move that ended it."""
    UNDO = auto()
    """Turns are taken back, so turns before it in the same mail no longer count."""
    OFFER = auto()
    """An offer is open, which is the news of the mail."""
    TALK = auto()
    """Only words, which a player who blocks their author does not get."""
    PRIVATE = auto()
    """Plans and notes of one player; in one mail, only the last of each such event counts."""
    REMINDER = auto()
    """A board waits, which is the news of the mail."""
    OTHER = auto()
    """It is reported, and that is all."""

    __hash__ = object.__hash__  # that of Enum takes ten times as long


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """A kind of happening on a board.

    `name` is stored, so it stays as it is. `sentence` returns the sentences about a happening for
    one reader. Raises ValueError if another event has the name.
    """

    name: str
    sentence: Callable[["SeenHappening"], str]
    effect: Effect

    def __post_init__(self) -> None:
        if self.name in _EVENTS:
            raise ValueError(f"there are two events with the name {self.name!r}")
        _EVENTS[self.name] = self


_EVENTS: dict[str, Event] = {}
"""The events by their names, to read stored happenings."""


@frozen
class Happening:
    """One thing that happened on a board.

    `actor` is the player who did it; None is the operator, or time. `text` is the subject of the
    event, such as the move, the kind of a reminder, the days of an extension, or the end of the
    match. `comment` is the actor's text with it, for all to read. `queued`: the move had been
    queued, which is shown to its player only. `secret` is the text as the actor alone may know it,
    if that says more. `only_for` is the only player who gets the event, or
    None for everybody.
    """

    event: Event
    actor: PlayerId | None = None
    text: str = ""
    comment: str = ""
    queued: bool = False
    only_for: PlayerId | None = None
    secret: str = ""

    def stored(self) -> dict[str, Any]:
        """Return the values to store, with the name of the event."""
        return {**asdict(self), "event": self.event.name}

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> "Happening":
        """Return the happening that was stored."""
        return cls(**{**stored, "event": _EVENTS[stored["event"]]})


@frozen
class SeenHappening:
    """A happening as `reader` sees it, with the words for its sentence."""

    happening: Happening
    reader: Player
    board: SeenBoard
    people: People

    @property
    def text(self) -> str:
        """The subject of the event, as the reader may know it."""
        return (self.mine and self.happening.secret) or self.happening.text

    @property
    def mine(self) -> bool:
        """Whether the reader did it."""
        return self.happening.actor == self.reader.id

    @property
    def author(self) -> str:
        """The userid of the actor, or "The operator"."""
        actor = self.happening.actor
        return "The operator" if actor is None else userid(self.people, actor)

    @property
    def actor(self) -> str:
        """The actor: "You", a userid, or "The operator"."""
        return "You" if self.mine else self.author

    @property
    def sides(self) -> str:
        """The sides of all players: "alice is Eks (x), bob is Ohs (o)"."""
        info, players = self.board.game.info, self.board.match.players
        sides = zip(info.seats, info.signs, players, strict=False)
        return ", ".join(f"{userid(self.people, p)} is {side_of(n, sign)}" for n, sign, p in sides)

    @property
    def sentence(self) -> str:
        """The sentences about it."""
        return self.happening.event.sentence(self)
