"""`pbm stats`: how the server is doing, in numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbm.domain.pauses import PauseKind
from pbm.domain.player import PlayerState
from pbm.store.statistics import BoardCounts
from pbm.store.unit import UnitOfWork

RECENT_MATCHES = timedelta(days=30)
RECENT_MAILS = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class MatchFigures:
    """Boards of one game, or of all."""

    open: int
    over: int
    started_in_30_days: int
    ended_in_30_days: int


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """Accounts by state; `playing` have an open board, the last two are away just now."""

    active: int
    disabled: int
    gone: int
    playing: int
    on_vacation: int
    unreachable: int
    undelivered: int


@dataclass(frozen=True, slots=True)
class WishFigures:
    """Invitations and seeks that wait for another player."""

    invitations: int
    seeks: int


@dataclass(frozen=True, slots=True)
class InboxFigures:
    """Mails on their way in; `oldest_waiting` is when the longest-waiting mail came."""

    waiting: int
    waiting_octets: int
    oldest_waiting: datetime | None
    shunted: int
    taken_in_24_hours: int


@dataclass(frozen=True, slots=True)
class OutboxFigures:
    """Mails on their way out; `next_due` is when the next waiting mail is due."""

    waiting: int
    next_due: datetime | None
    dead: int
    sent_in_24_hours: int


@dataclass(frozen=True, slots=True)
class Sign:
    """The last sign of life of a part; `silent`: the next one should have come by now."""

    part: str
    at: datetime
    good_until: datetime
    silent: bool
    failing: bool


@dataclass(frozen=True, slots=True)
class ClockFigures:
    """Boards whose clocks are due for a look; many `overdue` ones mean that no reminders run."""

    overdue: int
    next_due: datetime | None


@dataclass(frozen=True, slots=True)
class ThoughtFigures:
    """Questions to robots: those `waiting`, the oldest since then, and those being answered now."""

    waiting: int
    oldest_due: datetime | None
    held: int


@dataclass(frozen=True, slots=True)
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


def figures(work: UnitOfWork, now: datetime) -> Figures:
    """Return the figures at `now`, by a number of statements that does not depend on their size."""
    boards = work.statistics.boards(now - RECENT_MATCHES)
    mails = work.statistics.mails(now - RECENT_MAILS)
    looks = work.statistics.looks(now)
    thoughts = work.thoughts.counts(now)
    return Figures(
        at=now,
        matches=_matches(*boards.values()),
        games={game: _matches(boards[game]) for game in sorted(boards)},
        players=_players(work, now),
        open=WishFigures(*work.statistics.wanted()),
        inbox=InboxFigures(
            work.inbox.waiting(),
            work.inbox.waiting_octets(),
            work.inbox.oldest(),
            mails.shunted,
            mails.taken,
        ),
        outbox=OutboxFigures(mails.waiting, work.outbox.next_due(), mails.dead, mails.sent),
        signs_of_life=tuple(
            Sign(pulse.name, pulse.at, pulse.good_until, pulse.good_until < now, pulse.failing)
            for pulse in work.pulses.all()
        ),
        clocks=ClockFigures(looks.due, looks.next),
        thoughts=ThoughtFigures(thoughts.waiting, thoughts.oldest, thoughts.held),
    )


def _matches(*games: BoardCounts) -> MatchFigures:
    return MatchFigures(
        sum(each.open for each in games),
        sum(each.over for each in games),
        sum(each.started for each in games),
        sum(each.ended for each in games),
    )


def _players(work: UnitOfWork, now: datetime) -> PlayerFigures:
    states, away = work.statistics.players(), work.statistics.away(now)
    return PlayerFigures(
        active=states.get(PlayerState.ACTIVE, 0),
        disabled=states.get(PlayerState.DISABLED, 0),
        gone=states.get(PlayerState.GONE, 0),
        playing=work.statistics.playing(),
        on_vacation=away.get(PauseKind.VACATION, 0),
        unreachable=away.get(PauseKind.UNREACHABLE, 0),
        undelivered=away.get(PauseKind.UNDELIVERED, 0),
    )
