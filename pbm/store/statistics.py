"""Statistics: numbers of boards, players, mails and clocks, each by one statement."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, ScalarSelect, bindparam, case, func, or_, select

from pbm.domain.invitations import InvitationState
from pbm.domain.pauses import PauseKind
from pbm.domain.player import PlayerKind, PlayerState
from pbm.store import outbox as post
from pbm.store.inbox import SHUNTED
from pbm.store.repository import Repository
from pbm.store.tables import inbox, invitations, matches, outbox, pauses, players, seats, seeks


@dataclass(frozen=True, slots=True)
class BoardCounts:
    """Boards of a game: open and over now, and those `started` and `ended` recently."""

    open: int
    over: int
    started: int
    ended: int


@dataclass(frozen=True, slots=True)
class MailCounts:
    """Mails in the shunt and given up, and those `taken` in and `sent` recently."""

    shunted: int
    taken: int
    waiting: int
    dead: int
    sent: int


@dataclass(frozen=True, slots=True)
class LookCounts:
    """The number of boards due for a look by now, and when the `next` one is, or was, due."""

    due: int
    next: datetime | None


def _number(condition: ColumnElement[bool]) -> Any:
    """Return the number of rows of a group for which `condition` is true."""
    return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)


def _how_many(table: Any, *conditions: ColumnElement[bool]) -> ScalarSelect[int]:
    return select(func.count()).select_from(table).where(*conditions).scalar_subquery()


# One pass over the boards gives all four numbers.
_BOARDS = select(
    matches.c.game,
    _number(matches.c.over.is_(False)).label("open"),
    _number(matches.c.over.is_(True)).label("over"),
    _number(matches.c.started_at > bindparam("since")).label("started"),
    _number(matches.c.ended_at > bindparam("since")).label("ended"),
).group_by(matches.c.game)


_IS_PERSON = players.c.kind == PlayerKind.PERSON.value


_PLAYERS = (
    select(players.c.state, func.count().label("players"))
    .where(_IS_PERSON)
    .group_by(players.c.state)
)


_PLAYING = (
    select(func.count(seats.c.player_id.distinct()))
    .join_from(matches, seats)
    .join(players, players.c.id == seats.c.player_id)
    .where(matches.c.over.is_(False), _IS_PERSON)
)


_AWAY = (
    select(pauses.c.kind, func.count(pauses.c.player_id.distinct()).label("players"))
    .join_from(pauses, players)
    .where(
        # The end of a running pause has not been told, and an index holds those few pauses.
        pauses.c.kind.in_([kind.value for kind in PauseKind]),
        pauses.c.told.is_(False),
        pauses.c.began_at <= bindparam("now"),
        or_(pauses.c.until.is_(None), pauses.c.until > bindparam("now")),
        players.c.state == PlayerState.ACTIVE.value,
    )
    .group_by(pauses.c.kind)
)


_WANTED = select(
    _how_many(invitations, invitations.c.state == InvitationState.OPEN.value),
    _how_many(seeks.join(players), players.c.state == PlayerState.ACTIVE.value),
)


# A mail that is sent keeps the end of its last lease, which is later, so the index on what is
# due finds the recent ones.
_MAILS = select(
    _how_many(inbox, inbox.c.state == SHUNTED),
    _how_many(inbox, inbox.c.received_at > bindparam("since")),
    _how_many(outbox, outbox.c.state == post.WAITING),
    _how_many(outbox, outbox.c.state == post.DEAD),
    _how_many(
        outbox,
        outbox.c.state == post.SENT,
        outbox.c.next_try_at > bindparam("since"),
        outbox.c.sent_at > bindparam("since"),
    ),
)


_LOOKS = select(
    _how_many(matches, matches.c.look_at <= bindparam("now")),
    select(func.min(matches.c.look_at)).scalar_subquery(),
)


class Statistics(Repository):
    """Numbers, each found with one statement, however much is stored."""

    def boards(self, since: datetime) -> dict[str, BoardCounts]:
        """Return the boards by game; recently means after `since`."""
        rows = self._connection.execute(_BOARDS, {"since": since})
        return {game: BoardCounts(*map(int, counts)) for game, *counts in rows}

    def players(self) -> dict[PlayerState, int]:
        """Return how many people are in each state; states with none are left out."""
        return {PlayerState(row.state): row.players for row in self._connection.execute(_PLAYERS)}

    def playing(self) -> int:
        """Return how many people have an open board."""
        return int(self._connection.execute(_PLAYING).scalar_one())

    def away(self, now: datetime) -> dict[PauseKind, int]:
        """Return how many active players' own clocks stand at `now`, by the reason."""
        rows = self._connection.execute(_AWAY, {"now": now})
        return {PauseKind(row.kind): row.players for row in rows}

    def wanted(self) -> tuple[int, int]:
        """Return how many invitations wait for an answer, and how many seeks of active players."""
        invited, sought = self._connection.execute(_WANTED).one()
        return invited, sought

    def mails(self, since: datetime) -> MailCounts:
        """Return the mails of inbox and outbox; recent ones already pruned are not counted."""
        return MailCounts(*self._connection.execute(_MAILS, {"since": since}).one())

    def looks(self, now: datetime) -> LookCounts:
        """Return how many clocks are due for a look, and when the next one is."""
        return LookCounts(*self._connection.execute(_LOOKS, {"now": now}).one())
