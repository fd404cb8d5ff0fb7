"""What a player keeps for a board: queued moves, and a move submitted to be confirmed."""

from collections.abc import Callable, Collection, Sequence

from sqlalchemy import Connection, bindparam, delete, insert, select

from pbm.domain.plans import QueuedMove
from pbm.domain.player import PlayerId
from pbm.engine import from_json, to_json
from pbm.store.dialects import replacing
from pbm.store.prepared import Prepared, among
from pbm.store.repository import Repository
from pbm.store.tables import queued_moves, submitted_moves

_QUEUE_OF = (queued_moves.c.match_number == bindparam("board")) & (
    queued_moves.c.player_id == bindparam("player")
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

_UNQUEUE = delete(queued_moves).where(_QUEUE_OF)

_QUEUE = insert(queued_moves)

_SUBMISSION_OF = (submitted_moves.c.match_number == bindparam("board")) & (
    submitted_moves.c.player_id == bindparam("player")
)

_SUBMITTED = select(submitted_moves.c.ply, submitted_moves.c.text).where(_SUBMISSION_OF)

_WITHDRAW = delete(submitted_moves).where(_SUBMISSION_OF)

_SUBMIT = replacing(submitted_moves)

Queues = dict[PlayerId, tuple[QueuedMove, ...]]
"""The moves queued on one board, by player."""


class SqlPlans(Repository):
    """`pbm.service.ports.Plans`."""

    def queued(self, number: int, player: PlayerId) -> tuple[QueuedMove, ...]:
        return self._on(number).get(player, ())

    def set_queued(self, number: int, player: PlayerId, moves: Sequence[QueuedMove]) -> None:
        self._connection.execute(_UNQUEUE, {"board": number, "player": player})
        rows = [
            {
                "match_number": number,
                "player_id": player,
                "position": position,
                "text": move.text,
                "base": move.base,
                "line": to_json(move.condition),
            }
            for position, move in enumerate(moves)
        ]
        if rows:
            self._connection.execute(_QUEUE, rows)

    def queuers(self, number: int) -> frozenset[PlayerId]:
        return frozenset(player for player, moves in self._on(number).items() if moves)

    def submitted(self, number: int, player: PlayerId) -> tuple[int, str] | None:
        row = self._connection.execute(_SUBMITTED, {"board": number, "player": player}).first()
        return None if row is None else (row.ply, row.text)

    def set_submitted(self, number: int, player: PlayerId, move: tuple[int, str] | None) -> None:
        if move is None:
            self._connection.execute(_WITHDRAW, {"board": number, "player": player})
            return
        ply, text = move
        self._connection.execute(
            _SUBMIT[self._connection.dialect.name],
            {"match_number": number, "player_id": player, "ply": ply, "text": text},
        )

    def _on(self, number: int) -> Queues:
        """Return all moves that are queued on a board."""
        return find_queues(self._connection, [number])().get(number, {})


def find_queues(
    connection: Connection, numbers: Collection[int]
) -> Callable[[], dict[int, Queues]]:
    """Ask for the moves queued on these boards, by number."""
    asked = _QUEUES.ask(connection, numbers)

    def found() -> dict[int, Queues]:
        queues: dict[int, Queues] = {}
        for number, player, text, base, line in asked.rows:
            own = queues.setdefault(number, {})
            own[player] = (*own.get(player, ()), QueuedMove(text, base, tuple(from_json(line))))
        return queues

    return found
