"""What a batch reads ahead: matches, people and more, of many mails in one statement each.

Each function asks, and returns what gives the answer by key; what is missing there does not exist.
So several questions are asked before the first answer is looked at, which on PostgreSQL makes them
one round trip.
"""

from collections.abc import Callable, Collection

from sqlalchemy import Connection, select

from pbm.domain.plans import QueuedMove
from pbm.domain.player import PlayerId
from pbm.engine import from_json
from pbm.store.match_reading import by_first
from pbm.store.prepared import Prepared, among
from pbm.store.tables import bans, followers, queued_moves

_FOLLOWERS = Prepared(
    lambda dialect: select(followers.c.subject, followers.c.player_id, followers.c.only_end).where(
        among(dialect, followers.c.subject, "subjects")
    ),
    "subjects",
)

_QUEUES = Prepared(
    lambda dialect: (
        select(
            queued_moves.c.match_number,
            queued_moves.c.player_id,
            queued_moves.c.text,
            queued_moves.c.base,
            queued_moves.c.line,
        )
        .where(among(dialect, queued_moves.c.match_number, "numbers"))
        .order_by(queued_moves.c.match_number, queued_moves.c.player_id, queued_moves.c.position)
    ),
    "numbers",
)

_BANS = Prepared(
    lambda dialect: select(bans.c.pattern).where(among(dialect, bans.c.pattern, "patterns")),
    "patterns",
)


def find_followers(
    connection: Connection, subjects: Collection[str]
) -> Callable[[], dict[str, dict[PlayerId, bool]]]:
    """Ask who follows these boards and games, and whether only their ends, by subject."""
    asked = _FOLLOWERS.ask(connection, subjects)
    return lambda: {
        subject: {row[1]: bool(row[2]) for row in rows}
        for subject, rows in by_first(asked.rows).items()
    }


def find_queues(
    connection: Connection, numbers: Collection[int]
) -> Callable[[], dict[int, dict[PlayerId, tuple[QueuedMove, ...]]]]:
    """Ask for the moves queued on these boards, by number and player."""
    asked = _QUEUES.ask(connection, numbers)

    def found() -> dict[int, dict[PlayerId, tuple[QueuedMove, ...]]]:
        queues: dict[int, dict[PlayerId, tuple[QueuedMove, ...]]] = {}
        for number, player, text, base, line in asked.rows:
            own = queues.setdefault(number, {})
            own[player] = (*own.get(player, ()), QueuedMove(text, base, tuple(from_json(line))))
        return queues

    return found


def find_bans(connection: Connection, patterns: Collection[str]) -> Callable[[], dict[str, bool]]:
    """Ask which of these patterns are banned; there is True for each of them."""
    asked = _BANS.ask(connection, patterns)
    return lambda: {row[0]: True for row in asked.rows}
