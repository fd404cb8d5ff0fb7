"""Who is told what about boards."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from pbm.domain.play import LiveMatch
from pbm.domain.player import People, PlayerId
from pbm.service.letters import Message, ToPlayer
from pbm.service.notices.common import Common
from pbm.service.notices.happenings import Event, Happening
from pbm.service.ports import MatchRow

MOST_PICTURES = 3
"""The most boards of one mail that are shown as pictures; more are text alone."""


@dataclass(frozen=True, slots=True)
class Followers:
    """Those who are told of a board without playing there: some by name, and how many `more`."""

    names: tuple[PlayerId, ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True)
class BoardNotice(ToPlayer):
    """A board as it stands after what has happened on it, in order; `to` may be a follower.

    Notices of one event share what is `common` to their mails: all but the reader, what they are
    told of it, and their token.
    """

    happenings: tuple[Happening, ...]
    board: LiveMatch
    people: People
    now: datetime
    followers: Followers = Followers()
    common: Common = field(default_factory=Common, compare=False, repr=False)

    @property
    def follows(self) -> bool:
        """Whether its reader follows the board without a seat there."""
        return not self.board.match.seats_of(self.to.id)

    @property
    def idle(self) -> bool:
        return all(happening.event is Event.QUEUED for happening in self.happenings)

    @property
    def thread(self) -> int:
        return self.board.match.number


@dataclass(frozen=True, slots=True)
class BoardsShown(ToPlayer):
    """Boards that the reader asked for, in one mail; answerable if it is one, as it is now.

    `earlier` are the indices in `boards` of those shown as they stood before their last move.
    """

    idle = True

    boards: tuple[LiveMatch, ...]
    people: People
    now: datetime
    earlier: frozenset[int] = frozenset()

    @property
    def thread(self) -> int | None:
        return self.boards[0].match.number if len(self.boards) == 1 else None


@dataclass(frozen=True, slots=True)
class Refused(ToPlayer):
    """Why a request was not carried out, and a line that would work.

    `board` is the board it was about, shown with it, if the reader may answer from there.
    `candidates` complete an unfinished move.
    """

    idle = True

    sentence: str
    example: str
    now: datetime
    candidates: tuple[str, ...] = ()
    board: LiveMatch | None = None
    people: People | None = None

    @property
    def thread(self) -> int | None:
        return self.board.match.number if self.board else None


@dataclass(frozen=True, slots=True)
class GamesTable(ToPlayer):
    """A table of boards; `more` of them are left out.

    `deadlines` of those that are not over, by number, None for a clock that stands; without them
    the table tells since when each board waits. `own`: they are the reader's; who has none may
    try `game`, a key, or `robot`, the line for a match with one. `which` of them are shown:
    active, next, inactive or all.
    """

    idle = True

    rows: tuple[MatchRow, ...]
    now: datetime
    more: int = 0
    deadlines: Mapping[int, datetime | None] | None = None
    own: bool = False
    which: str = "active"
    game: str = ""
    robot: str = ""


def merged(notices: Iterable[Message]) -> list[Message]:
    """Return the notices with those of one board and reader joined: one mail a person.

    The mail tells all that has happened, in order, and shows the board and the queue as they
    stand at the end.
    """
    found: dict[object, Message] = {}
    for notice in notices:
        if isinstance(notice, BoardNotice):
            key = (notice.to.id, notice.board.match.number)
            found[key] = _joined(found.pop(key, None), notice)
        else:
            found[id(notice)] = notice
    return list(found.values())


def _joined(earlier: Message | None, later: BoardNotice) -> BoardNotice:
    if not isinstance(earlier, BoardNotice):
        return later
    newer_queue = any(happening.event is Event.QUEUED for happening in later.happenings)
    before = (h for h in earlier.happenings if not (newer_queue and h.event is Event.QUEUED))
    return replace(later, happenings=(*before, *later.happenings))


def commented_in(notices: Iterable[Message]) -> frozenset[int]:
    """Return the numbers of the boards whose notices pass on a comment."""
    return frozenset(
        notice.board.match.number
        for notice in notices
        if isinstance(notice, BoardNotice) and any(h.comment for h in notice.happenings)
    )
