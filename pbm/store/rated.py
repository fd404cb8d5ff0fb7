"""The rated matches of a game in the order in which they ended, and what they did to ratings."""

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from operator import attrgetter

from sqlalchemy import Connection, bindparam, or_, select, update

from pbm.domain.match import Outcome
from pbm.engine import from_json, from_plain, to_json, to_plain
from pbm.service.ports import RatedRow
from pbm.store.tables import matches, seats

_AFTER = (
    select(matches.c.number, matches.c.outcome, matches.c.ended_at, seats.c.player_id)
    .join_from(matches, seats)
    .where(
        matches.c.game == bindparam("game"),
        matches.c.over.is_(True),
        or_(
            matches.c.ended_at > bindparam("at"),
            (matches.c.ended_at == bindparam("at")) & (matches.c.number > bindparam("number")),
        ),
    )
    .order_by(matches.c.ended_at, matches.c.number, seats.c.seat)
)

_SET = (
    update(matches)
    .where(matches.c.number == bindparam("wanted"))
    .values(outcome=bindparam("ended"), version=matches.c.version + 1)
)


def rated_after(connection: Connection, game: str, at: datetime, number: int) -> Iterator[RatedRow]:
    """Yield what `pbm.service.ports.Matches.rated_after` promises."""
    rows = connection.execute(_AFTER, {"game": game, "at": at, "number": number}).all()
    for found, of_seats in groupby(rows, attrgetter("number")):
        seated = tuple(of_seats)
        outcome = from_plain(Outcome, from_json(seated[0].outcome))
        if outcome.ratings:
            players = tuple(row.player_id for row in seated)
            yield RatedRow(found, players, outcome, seated[0].ended_at)


def set_outcome(connection: Connection, number: int, outcome: Outcome) -> None:
    """Replace how a match ended; who has read it before cannot save it any more."""
    connection.execute(_SET, {"wanted": number, "ended": to_json(to_plain(outcome))})
