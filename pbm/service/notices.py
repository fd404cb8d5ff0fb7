"""Who is told what: the facts of each mail that goes out, before they are put into words.

A notice is addressed to a player, or to the bare address of somebody who asked for an
account. `reply` is the token that the mail's Reply-To carries, if it can be answered
without a password. pbm.mail turns notices into mails.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from pbm.domain.match import Invitation
from pbm.domain.player import People, Player, PlayerId
from pbm.domain.playing import LiveMatch
from pbm.engine import AnyGame
from pbm.service.absence_notices import InvitationClosed, SeekClosed, StayAsked
from pbm.service.account_notices import SettingsShown, ToAddress
from pbm.service.bounce_notices import (
    AddressFailed,
    OpponentReachable,
    OpponentUnreachable,
    ReachableAgain,
    ToBareAddress,
)
from pbm.service.happenings import Event, Happening
from pbm.service.help_pages import Page
from pbm.service.news_notices import NewsTold
from pbm.service.ports import MatchRow
from pbm.service.reminder_notices import Reminders
from pbm.service.result_notices import (
    FinishedGames,
    GameRecord,
    GamesOffered,
    RatingList,
    RatingsOfPlayer,
)
from pbm.service.talk_notices import Noted, Passed
from pbm.service.tokens import Token
from pbm.service.vacation_notices import (
    OpponentAway,
    OpponentBack,
    VacationBegun,
    VacationOver,
    VacationShown,
)


@dataclass(frozen=True, slots=True)
class BoardNotice:
    """A board as it stands after what has happened on it, in order.

    `followers` are told too, without playing; `to` may be one of them.
    """

    to: Player
    happenings: tuple[Happening, ...]
    table: LiveMatch
    people: People
    now: datetime
    reply: Token | None = None
    followers: tuple[PlayerId, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardsShown:
    """Boards that the reader asked for, in one mail; answerable if it is one, as it stands now.

    `earlier` are the places in `tables` of boards as they stood before their last move.
    """

    to: Player
    tables: tuple[LiveMatch, ...]
    people: People
    now: datetime
    reply: Token | None = None
    earlier: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Previewed:
    """A position that is stored nowhere, after `moves`; a board numbered 0 is a new one.

    `submitted`: the one move is the reader's own and waits for his word to be played.
    """

    to: Player
    table: LiveMatch
    moves: tuple[str, ...]
    people: People
    reply: Token | None = None
    submitted: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a request was not carried out, and a line that would work.

    `table` is the board it was about, shown with it, if the reader may answer from there.
    `candidates` complete an unfinished move.
    """

    to: Player
    sentence: str
    example: str
    now: datetime
    candidates: tuple[str, ...] = ()
    table: LiveMatch | None = None
    people: People | None = None
    reply: Token | None = None


@dataclass(frozen=True, slots=True)
class ConfirmSignup:
    """The one mail that a stranger gets. It holds nothing that he wrote."""

    address: str
    reply: Token
    taken: bool = False


@dataclass(frozen=True, slots=True)
class Welcome:
    """The account is open."""

    to: Player
    game: AnyGame


@dataclass(frozen=True, slots=True)
class ChooseUserid:
    """The address is proven, but the userid is taken: another one is asked for."""

    address: str
    reply: Token


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation, to each of its players: to the inviter as a receipt."""

    to: Player
    invitation: Invitation
    game: AnyGame
    people: People
    comment: str = ""
    reply: Token | None = None


@dataclass(frozen=True, slots=True)
class Declined:
    """An invitation came to nothing; `by` said no."""

    to: Player
    invitation: Invitation
    game: AnyGame
    people: People
    by: Player
    comment: str = ""


@dataclass(frozen=True, slots=True)
class HelpPage:
    """A page of help."""

    to: Player
    page: Page


@dataclass(frozen=True, slots=True)
class GamesTable:
    """A table of boards; `more` of them are left out."""

    to: Player
    rows: tuple[MatchRow, ...]
    now: datetime
    more: int = 0


@dataclass(frozen=True, slots=True)
class TokenMisused:
    """Somebody wrote from another address with this player's reply token; nothing was done."""

    to: Player
    number: int


@dataclass(frozen=True, slots=True)
class MailShunted:
    """To the operator: a mail met a bug and waits in the shunt under this number."""

    address: str
    number: int


Notice = (
    BoardNotice
    | BoardsShown
    | Previewed
    | Refused
    | ConfirmSignup
    | ChooseUserid
    | Welcome
    | Invited
    | Declined
    | HelpPage
    | GamesTable
    | GamesOffered
    | RatingList
    | RatingsOfPlayer
    | FinishedGames
    | GameRecord
    | Reminders
    | NewsTold
    | TokenMisused
    | MailShunted
    | StayAsked
    | InvitationClosed
    | SeekClosed
    | VacationShown
    | VacationBegun
    | VacationOver
    | OpponentAway
    | OpponentBack
    | SettingsShown
    | Passed
    | Noted
    | ToAddress
    | AddressFailed
    | OpponentUnreachable
    | OpponentReachable
    | ReachableAgain
    | ToBareAddress
)


def recipient(notice: Notice) -> str | None:
    """Return the address that `notice` goes to; None if its player has none."""
    if isinstance(notice, ConfirmSignup | ChooseUserid | MailShunted | ToAddress | ToBareAddress):
        return notice.address
    return notice.to.address


_IDLE = (
    Refused | HelpPage | GamesTable | BoardsShown | Previewed
    | GamesOffered | RatingList | RatingsOfPlayer | FinishedGames | GameRecord | VacationShown
)  # fmt: skip


def is_idle(notice: Notice) -> bool:
    """Return whether `notice` tells of nothing done: it only answers."""
    if isinstance(notice, BoardNotice):
        return all(happening.event is Event.QUEUED for happening in notice.happenings)
    return isinstance(notice, _IDLE)


def merged(notices: Iterable[Notice]) -> list[Notice]:
    """Return the notices with those of one board and reader made one: one mail a person.

    The mail tells all that has happened, in order, and shows the board as it stands last, and
    so the queue.
    """
    found: dict[object, Notice] = {}
    for notice in notices:
        if isinstance(notice, BoardNotice):
            key = (notice.to.id, notice.table.match.number)
            found[key] = _joined(found.pop(key, None), notice)
        else:
            found[id(notice)] = notice
    return list(found.values())


def _joined(earlier: Notice | None, later: BoardNotice) -> BoardNotice:
    if not isinstance(earlier, BoardNotice):
        return later
    newer_queue = any(happening.event is Event.QUEUED for happening in later.happenings)
    before = (h for h in earlier.happenings if not (newer_queue and h.event is Event.QUEUED))
    return replace(later, happenings=(*before, *later.happenings))


def commented_in(notices: Iterable[Notice]) -> frozenset[int]:
    """Return the numbers of the boards whose notices pass on a comment."""
    return frozenset(
        notice.table.match.number
        for notice in notices
        if isinstance(notice, BoardNotice) and any(h.comment for h in notice.happenings)
    )
