"""What each template is given: facts, chosen and named, never whole objects of the house."""

from dataclasses import dataclass
from typing import ClassVar

from pbm.mail import (
    absence_contexts,
    account_contexts,
    bounce_contexts,
    happening_contexts,
    help_contexts,
    news_contexts,
    preview_contexts,
    reminder_contexts,
    result_contexts,
    talk_contexts,
    vacation_contexts,
)
from pbm.render.templates import Context


@dataclass(frozen=True, slots=True)
class Remark:
    """What somebody wrote."""

    by: str
    text: str


@dataclass(frozen=True, slots=True)
class StandingOffer:
    """An offer that waits: `asked` of the reader, or `mine` if it is his own.

    `moves` are those that an undo takes back.
    """

    by: str
    asked: bool
    mine: bool
    draw: bool
    moves: str


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """What every board mail tells, for one reader (commands.md, "What a board mail holds").

    `turn_of` is the player to move, "" once it is over; `side` and `sign` are his. `reader`
    is "" for somebody who does not play on this board. `deadline` is "" once it is over, or while
    nobody knows it; `standing` says why the clock stands, "" while it runs. `total` tells of the
    time for the whole match, "" if that has no end.
    """

    number: int
    key: str
    about: str
    reader: str
    your_turn: bool
    turn_of: str
    side: str
    sign: str
    due: int
    example: str
    may_swap: bool
    offer: StandingOffer | None
    deadline: str
    standing: str
    total: str
    picture: str
    moves: str
    ratings: tuple[str, ...]
    remarks: tuple[Remark, ...]
    followers: str


@dataclass(frozen=True, slots=True)
class BoardMail:
    """A board after what has happened; the happenings are contexts of their own sentences."""

    template: ClassVar[str] = "board.txt.j2"
    happened: tuple[Context, ...]
    board: BoardFacts


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """One of the boards asked for, after `moves` ("1 move"); `earlier`: it has gone on since.

    `outcome` is one sentence, "" while it goes on.
    """

    moves: str
    earlier: bool
    outcome: str
    facts: BoardFacts


@dataclass(frozen=True, slots=True)
class ShownMail:
    """The boards that were asked for."""

    template: ClassVar[str] = "shown.txt.j2"
    boards: tuple[ShownBoard, ...]


@dataclass(frozen=True, slots=True)
class RefusedMail:
    """A refusal; `candidates` complete an unfinished move, `board` is shown if it helps."""

    template: ClassVar[str] = "refused.txt.j2"
    sentence: str
    example: str
    candidates: str
    board: BoardFacts | None


@dataclass(frozen=True, slots=True)
class ConfirmMail:
    """What a stranger gets; nothing in it is his."""

    template: ClassVar[str] = "confirm.txt.j2"
    server: str
    taken: bool


@dataclass(frozen=True, slots=True)
class ChooseMail:
    """Another userid is asked for."""

    template: ClassVar[str] = "choose_userid.txt.j2"
    server: str


@dataclass(frozen=True, slots=True)
class WelcomeMail:
    """The account is open."""

    template: ClassVar[str] = "welcome.txt.j2"
    userid: str
    server: str
    key: str


@dataclass(frozen=True, slots=True)
class InvitedMail:
    """`asked` is True for a reader whose answer is missing, `waiting` names all who are asked.

    `until` is the last moment for an answer, in the reader's zone.
    """

    template: ClassVar[str] = "invited.txt.j2"
    reader: str
    inviter: str
    mine: bool
    asked: bool
    until: str
    title: str
    key: str
    number: int
    seats: str
    terms: str
    waiting: str
    comment: str


@dataclass(frozen=True, slots=True)
class DeclinedMail:
    """An invitation was turned down."""

    template: ClassVar[str] = "declined.txt.j2"
    by: str
    title: str
    number: int
    players: str
    comment: str


@dataclass(frozen=True, slots=True)
class GamesMail:
    """A table of boards, laid out already."""

    template: ClassVar[str] = "games.txt.j2"
    header: str
    rows: tuple[str, ...]
    more: int


@dataclass(frozen=True, slots=True)
class MisusedMail:
    """A token came from a strange address."""

    template: ClassVar[str] = "misused.txt.j2"
    userid: str
    number: int


@dataclass(frozen=True, slots=True)
class ShuntedMail:
    """The operator is told of a mail in the shunt."""

    template: ClassVar[str] = "shunted.txt.j2"
    number: int


TEMPLATES = (
    BoardMail,
    ShownMail,
    RefusedMail,
    ConfirmMail,
    ChooseMail,
    WelcomeMail,
    InvitedMail,
    DeclinedMail,
    GamesMail,
    MisusedMail,
    ShuntedMail,
    *absence_contexts.TEMPLATES,
    *account_contexts.TEMPLATES,
    *bounce_contexts.TEMPLATES,
    *happening_contexts.TEMPLATES,
    *help_contexts.TEMPLATES,
    *news_contexts.TEMPLATES,
    *preview_contexts.TEMPLATES,
    *reminder_contexts.TEMPLATES,
    *result_contexts.TEMPLATES,
    *talk_contexts.TEMPLATES,
    *vacation_contexts.TEMPLATES,
)
"""Every context, so that a test can hold each against its template."""
