"""The view of the operator: the audit, the keys that have signed, the way of mails, and figures.

No index finds a mail by its Message-ID, because `pbm trace` is seldom asked for that. A figure is
found by one statement, however much is stored.
"""

from collections.abc import Collection, Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, ScalarSelect, bindparam, case, func, insert, or_, select

from pbm.domain.invitations import InvitationState
from pbm.domain.pauses import PauseKind
from pbm.domain.player import PlayerKind, PlayerState
from pbm.engine import from_json, frozen, to_json
from pbm.store import outbox as post
from pbm.store.driver.dialects import in_each_dialect
from pbm.store.inbox import SHUNTED
from pbm.store.intake import WAITING, WAITS
from pbm.store.repository import Repository, columns_of
from pbm.store.robots import Thoughts
from pbm.store.tables import (
    audit,
    inbox,
    invitations,
    matches,
    outbox,
    pauses,
    players,
    seats,
    seeks,
    token_keys,
)
from pbm.store.time import Pulses

Facts = Mapping[str, Any]
"""Facts about something, before or after, as plain values without secrets."""


@frozen
class AuditRow:
    """One act of an operator: who did what to whom, what it was before and after, and why."""

    at: datetime
    operator: str
    act: str
    subject: str
    before: Facts
    after: Facts
    why: str


@frozen
class IncomingLife:
    """A mail that came in: state is waiting, done, silenced or shunted.

    `outcome` says what became of it. A mail from before this was remembered has no listener and no
    outcome.
    """

    id: int
    state: str
    received_at: datetime
    listener: str
    octets: int
    played_at: datetime | None
    outcome: str
    shunted_at: datetime | None


@frozen
class OutgoingLife:
    """A mail that went out: state is waiting, sent or dead.

    `answers` is the mail that led to it. `words` are the relay's, when it took the mail, and
    `error` is why the last try failed, or that the mail came back though it was sent. `held` says
    that a process is delivering it now.
    """

    id: int
    answers: int | None
    recipient: str
    state: str
    created_at: datetime
    tries: int
    next_try_at: datetime
    held: bool
    sent_at: datetime | None
    words: str
    error: str


_ADD_AUDIT = insert(audit)


class Audit(Repository):
    """The acts of operators."""

    def add(self, row: AuditRow) -> None:
        facts = {"before": to_json(row.before), "after": to_json(row.after)}
        self._connection.execute(_ADD_AUDIT, {**asdict(row), **facts})

    def listing(
        self, subject: str | None = None, act: str | None = None, limit: int = 200
    ) -> tuple[AuditRow, ...]:
        """Return the newest rows about `subject`, in any case, and of `act`; the newest last."""
        newest = select(*columns_of(AuditRow, audit)).order_by(audit.c.id.desc()).limit(limit)
        if subject is not None:
            newest = newest.where(func.lower(audit.c.subject) == subject.lower())
        if act is not None:
            newest = newest.where(audit.c.act == act)
        rows = self._connection.execute(newest).all()
        return tuple(
            AuditRow(at, operator, act, about, from_json(before), from_json(after), why)
            for at, operator, act, about, before, after, why in reversed(rows)
        )


_KEYS = select(token_keys.c.fingerprint).order_by(token_keys.c.id)

_ADD_KEY = in_each_dialect(
    token_keys, lambda start: start.on_conflict_do_nothing(index_elements=["fingerprint"])
)


class TokenKeys(Repository):
    """The keys of reply tokens that have signed, by their fingerprints."""

    def all(self) -> tuple[str, ...]:
        """Return them in the order in which they began to sign."""
        return tuple(self._connection.scalars(_KEYS))

    def add(self, fingerprint: str, now: datetime) -> None:
        """Remember one; it may be there already."""
        row = {"fingerprint": fingerprint, "since": now}
        self._connection.execute(_ADD_KEY[self._connection.dialect.name], row)


_STATE = case((WAITS, WAITING), else_=inbox.c.state)

_INCOMING = select(*columns_of(IncomingLife, inbox, state=_STATE))

_OUTGOING = select(
    *columns_of(OutgoingLife, outbox, answers=outbox.c.inbox_id, held=outbox.c.owner.is_not(None))
).order_by(outbox.c.id)


class Lives(Repository):
    """Finds mails by what an operator has: a number, or a Message-ID."""

    def incoming(self, mail: int) -> IncomingLife | None:
        """Return the mail of that number in the inbox."""
        row = self._connection.execute(_INCOMING.where(inbox.c.id == mail)).first()
        return None if row is None else IncomingLife(*row)

    def outgoing(self, mail: int) -> OutgoingLife | None:
        """Return the mail of that number in the outbox."""
        row = self._connection.execute(_OUTGOING.where(outbox.c.id == mail)).first()
        return None if row is None else OutgoingLife(*row)

    def led_to(self, mail: int) -> tuple[OutgoingLife, ...]:
        """Return the mails that this one of the inbox led to. Reads the whole outbox."""
        rows = self._connection.execute(_OUTGOING.where(outbox.c.inbox_id == mail))
        return tuple(OutgoingLife(*row) for row in rows)

    def known_as(self, key: int) -> tuple[tuple[IncomingLife, ...], tuple[OutgoingLife, ...]]:
        """Return those whose Message-ID has this key. Reads the whole inbox and outbox."""
        came = self._connection.execute(_INCOMING.where(inbox.c.message_key == key))
        went = self._connection.execute(_OUTGOING.where(outbox.c.message_key == key))
        return tuple(IncomingLife(*row) for row in came), tuple(OutgoingLife(*row) for row in went)


RECENT_MATCHES = timedelta(days=30)
RECENT_MAILS = timedelta(hours=24)


@frozen
class MatchFigures:
    """Boards of one game, or of all."""

    open: int
    over: int
    started_in_30_days: int
    ended_in_30_days: int


@frozen
class PlayerFigures:
    """Accounts by state; `playing` have an open board, the last two are away just now."""

    active: int
    disabled: int
    gone: int
    playing: int
    on_vacation: int
    unreachable: int
    undelivered: int


@frozen
class WishFigures:
    """Invitations and seeks that wait for another player."""

    invitations: int
    seeks: int


@frozen
class InboxFigures:
    """Mails on their way in; `oldest_waiting` is when the longest-waiting mail came."""

    waiting: int
    waiting_octets: int
    oldest_waiting: datetime | None
    shunted: int
    taken_in_24_hours: int


@frozen
class OutboxFigures:
    """Mails on their way out; `next_due` is when the next waiting mail is due."""

    waiting: int
    next_due: datetime | None
    dead: int
    sent_in_24_hours: int


@frozen
class Sign:
    """The last sign of life of a part; `silent`: the next one should have come by now."""

    part: str
    at: datetime
    good_until: datetime
    silent: bool
    failing: bool


@frozen
class ClockFigures:
    """Boards whose clocks are due for a look; many `overdue` ones mean that no reminders run."""

    overdue: int
    next_due: datetime | None


@frozen
class ThoughtFigures:
    """Questions to robots: those `waiting`, the oldest since then, and those being answered now."""

    waiting: int
    oldest_due: datetime | None
    held: int


@frozen
class Figures:
    """All numbers of one moment."""

    at: datetime
    matches: MatchFigures
    games: Mapping[str, MatchFigures]
    players: PlayerFigures
    open: WishFigures
    inbox: InboxFigures
    outbox: OutboxFigures
    signs_of_life: tuple[Sign, ...]
    clocks: ClockFigures
    thoughts: ThoughtFigures


@frozen
class Queues:
    """The lengths of the queues.

    In the inbox: mails, their octets, and the `oldest` of them; in the outbox: mails. `due` is when
    the first of those is, or was. `shunted` met a bug, `dead` were given up.
    """

    waiting: int
    octets: int
    oldest: datetime | None
    shunted: int
    outgoing: int
    due: datetime | None
    dead: int


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


_WAITING = select(
    func.count(), func.coalesce(func.sum(inbox.c.octets), 0), func.min(inbox.c.received_at)
).where(WAITS)

_DUE = select(func.count(), func.min(outbox.c.next_try_at)).where(outbox.c.state == post.WAITING)

_HELD_BACK = select(
    _how_many(inbox, inbox.c.state == SHUNTED), _how_many(outbox, outbox.c.state == post.DEAD)
)


# A mail that is sent keeps the end of its last lease, which is later, so the index on what is
# due finds the recent ones.
_RECENT_MAILS = select(
    _how_many(inbox, inbox.c.received_at > bindparam("since")),
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

    def figures(self, now: datetime) -> Figures:
        """Return all numbers of `now`."""
        games, queues = self._games(now - RECENT_MATCHES), self.queues()
        thoughts = Thoughts(self._unit).counts(now)
        taken, sent = self._connection.execute(_RECENT_MAILS, {"since": now - RECENT_MAILS}).one()
        return Figures(
            at=now,
            matches=_total(games.values()),
            games=games,
            players=self._players(now),
            open=WishFigures(*self._connection.execute(_WANTED).one()),
            inbox=InboxFigures(queues.waiting, queues.octets, queues.oldest, queues.shunted, taken),
            outbox=OutboxFigures(queues.outgoing, queues.due, queues.dead, sent),
            signs_of_life=tuple(
                Sign(pulse.name, pulse.at, pulse.good_until, pulse.good_until < now, pulse.failing)
                for pulse in Pulses(self._unit).all()
            ),
            clocks=ClockFigures(*self._connection.execute(_LOOKS, {"now": now}).one()),
            thoughts=ThoughtFigures(thoughts.waiting, thoughts.oldest, thoughts.held),
        )

    def queues(self) -> Queues:
        """Return what waits, found by indexes only, however much is done."""
        waiting, octets, oldest = self._connection.execute(_WAITING).one()
        outgoing, due = self._connection.execute(_DUE).one()
        shunted, dead = self._connection.execute(_HELD_BACK).one()
        return Queues(waiting, int(octets), oldest, shunted, outgoing, due, dead)

    def away(self, now: datetime) -> dict[PauseKind, int]:
        """Return how many active players' own clocks stand at `now`, by the reason."""
        rows = self._connection.execute(_AWAY, {"now": now})
        return {PauseKind(row.kind): row.players for row in rows}

    def open_rules(self) -> dict[tuple[str, int], int]:
        """Return how many boards are open, by game and version of its rules."""
        rules = matches.c.game, matches.c.rules_version
        running = select(*rules, func.count()).where(matches.c.over.is_(False))
        found = self._connection.execute(running.group_by(*rules).order_by(*rules))
        return {(game, version): number for game, version, number in found}

    def _games(self, since: datetime) -> dict[str, MatchFigures]:
        rows = self._connection.execute(_BOARDS, {"since": since}).all()
        return {game: MatchFigures(*map(int, counts)) for game, *counts in sorted(rows)}

    def _players(self, now: datetime) -> PlayerFigures:
        found, away = self._connection.execute(_PLAYERS), self.away(now)
        states = {row.state: row.players for row in found}
        return PlayerFigures(
            active=states.get(PlayerState.ACTIVE.value, 0),
            disabled=states.get(PlayerState.DISABLED.value, 0),
            gone=states.get(PlayerState.GONE.value, 0),
            playing=self._connection.execute(_PLAYING).scalar_one(),
            on_vacation=away.get(PauseKind.VACATION, 0),
            unreachable=away.get(PauseKind.UNREACHABLE, 0),
            undelivered=away.get(PauseKind.UNDELIVERED, 0),
        )


def _total(games: Collection[MatchFigures]) -> MatchFigures:
    return MatchFigures(
        sum(each.open for each in games),
        sum(each.over for each in games),
        sum(each.started_in_30_days for each in games),
        sum(each.ended_in_30_days for each in games),
    )
