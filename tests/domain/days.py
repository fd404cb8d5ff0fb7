"""Days from NOW, when alice (1) and bob (2) begin a match with alice to move; and its schedule."""

from dataclasses import replace
from datetime import datetime, timedelta

from pbm.domain.invitations import Terms
from pbm.domain.match import Match
from pbm.domain.pauses import Pause, PauseKind
from pbm.domain.play import LiveMatch, live
from pbm.domain.timekeeping import schedule
from tests.domain.matches import ALICE, NOW, match
from tests.engine.noughts import game


def day(count: float) -> datetime:
    return NOW + timedelta(days=count)


def days(count: float) -> timedelta:
    return timedelta(days=count)


def hours(count: float) -> timedelta:
    return timedelta(hours=count)


def begun(nag: int = 7, limit: int = 21, total: int | None = None) -> Match:
    return replace(match(), terms=Terms(nag, limit, total))


def pause(
    began: float,
    until: float | None,
    kind: PauseKind = PauseKind.VACATION,
    player: int | None = ALICE,
) -> Pause:
    return Pause(kind, day(began), None if until is None else day(until), player)


def outage(began: float, until: float) -> Pause:
    return pause(began, until, PauseKind.OUTAGE, None)


def board_of(found: Match) -> LiveMatch:
    return live(found, game)


def times(found: Match, player: int = ALICE) -> tuple[float | None, ...]:
    """Return the days on which nag, warning and forfeit are due; None if never."""
    due = schedule(found, player)
    return tuple(
        None if moment is None else (moment - NOW) / days(1)
        for moment in (due.nag_at, due.warning_at, due.forfeit_at)
    )
