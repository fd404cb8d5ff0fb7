"""What players plan: queued and submitted moves, invitations, standing answers and seeks."""

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from itertools import groupby

from sqlalchemy import ColumnElement, Connection, bindparam, delete, func, insert, select, update

from pbm.domain.invitations import Answer, Invitation, InvitationState, Seek, Stance, Terms
from pbm.domain.plans import QueuedMove
from pbm.domain.player import PlayerId, PlayerState
from pbm.engine import Setup, from_json, from_plain, to_json, to_plain
from pbm.service.ports import Conflict
from pbm.store.dialects import AnyRow, replacing
from pbm.store.statements import Repository, Statement, among
from pbm.store.tables import (
    invitation_seats,
    invitations,
    matches,
    players,
    queued_moves,
    seats,
    seeks,
    stances,
    submitted_moves,
)

_QUEUE_OF = (queued_moves.c.match_number == bindparam("board")) & (
    queued_moves.c.player_id == bindparam("player")
)

_QUEUES = Statement(
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


class Plans(Repository):
    """What a player keeps for a board: queued moves, and a move submitted to be confirmed."""

    def queued(self, number: int, player: PlayerId) -> tuple[QueuedMove, ...]:
        """Return the moves in the order in which they were given."""
        return self._on(number).get(player, ())

    def set_queued(self, number: int, player: PlayerId, moves: Sequence[QueuedMove]) -> None:
        """Replace them all."""
        kept = tuple(moves)
        self._unit.write(
            store_queues, (number, player, kept),
            change=(find_queues, number, lambda before: {**(before or {}), player: kept}),
        )  # fmt: skip

    def queuers(self, number: int) -> frozenset[PlayerId]:
        """Return the players who have moves queued on the board."""
        return frozenset(player for player, moves in self._on(number).items() if moves)

    def submitted(self, number: int, player: PlayerId) -> tuple[int, str] | None:
        """Return (the ply it was meant for, the move), or None."""
        row = self._connection.execute(_SUBMITTED, {"board": number, "player": player}).first()
        return None if row is None else (row.ply, row.text)

    def set_submitted(self, number: int, player: PlayerId, move: tuple[int, str] | None) -> None:
        """Keep one move, or none."""
        self._unit.write(store_submissions, (number, player, move))

    def _on(self, number: int) -> Queues:
        """Return all moves that are queued on a board."""
        return self._unit.look(find_queues, [number]).get(number, {})


def store_queues(
    connection: Connection, queues: Sequence[tuple[int, PlayerId, Sequence[QueuedMove]]]
) -> None:
    """Store what is queued on boards, in place of what was; of the same queue the last counts."""
    for (number, player), moves in {each[:2]: each[2] for each in queues}.items():
        connection.execute(_UNQUEUE, {"board": number, "player": player})
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
            connection.execute(_QUEUE, rows)


def store_submissions(
    connection: Connection, moves: Sequence[tuple[int, PlayerId, tuple[int, str] | None]]
) -> None:
    """Store submitted moves, or withdraw them."""
    for number, player, move in moves:
        if move is None:
            connection.execute(_WITHDRAW, {"board": number, "player": player})
        else:
            row = {"match_number": number, "player_id": player, "ply": move[0], "text": move[1]}
            connection.execute(_SUBMIT[connection.dialect.name], row)


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


_INVITED = (
    select(invitations, invitation_seats.c.player_id, invitation_seats.c.agreed)
    .join_from(invitations, invitation_seats)
    .order_by(invitations.c.made_at, invitations.c.number, invitation_seats.c.seat)
)


_IS_OPEN = invitations.c.state == InvitationState.OPEN.value


class Invitations(Repository):
    """Matches that wait for agreement."""

    def get(self, number: int) -> Invitation | None:
        found = self._where(invitations.c.number == number)
        return found[0] if found else None

    def add(self, invitation: Invitation) -> None:
        self._connection.execute(
            insert(invitations),
            {
                "number": invitation.number,
                "game": invitation.game,
                "options": to_json(dict(invitation.setup.options)),
                "seed": invitation.setup.seed,
                "terms": to_json(to_plain(invitation.terms)),
                "inviter_id": invitation.inviter,
                "made_at": invitation.made_at,
                "state": invitation.state.value,
            },
        )
        self._connection.execute(
            insert(invitation_seats),
            [
                {
                    "number": invitation.number,
                    "seat": seat,
                    "player_id": player,
                    "agreed": player in invitation.agreed,
                }
                for seat, player in enumerate(invitation.players)
            ],
        )

    def save(self, invitation: Invitation) -> None:
        """Write `agreed` and `state`; raise Conflict unless it is stored as an open one."""
        changed = self._connection.execute(
            update(invitations)
            .where((invitations.c.number == invitation.number) & _IS_OPEN)
            .values(state=invitation.state.value)
        )
        if changed.rowcount != 1:
            raise Conflict(f"invitation {invitation.number} is no longer open")
        if not self._agreed(invitation.number) <= invitation.agreed:
            raise Conflict(f"somebody else has agreed to invitation {invitation.number}")
        agreed = invitation_seats.c.player_id.in_(sorted(invitation.agreed))
        self._connection.execute(
            update(invitation_seats)
            .where(invitation_seats.c.number == invitation.number)
            .values(agreed=agreed)
        )

    def _agreed(self, number: int) -> frozenset[PlayerId]:
        """Return the players who agreed. Nobody else changes this after an update of the row."""
        seats = invitation_seats.c
        said_yes = select(seats.player_id).where(seats.number == number, seats.agreed.is_(True))
        return frozenset(self._connection.scalars(said_yes))

    def open_for(self, player: PlayerId) -> tuple[Invitation, ...]:
        """Return the open invitations that have a seat for `player`, oldest first."""
        seated = select(invitation_seats.c.number).where(invitation_seats.c.player_id == player)
        return self._where(_IS_OPEN & invitations.c.number.in_(seated))

    def open_by(self, player: PlayerId) -> tuple[Invitation, ...]:
        """Return the open invitations that `player` has made, oldest first."""
        return self._where(_IS_OPEN & (invitations.c.inviter_id == player))

    def open_since(self, until: datetime, limit: int) -> tuple[Invitation, ...]:
        """Return open invitations that were made by `until`, oldest first."""
        oldest = (
            select(invitations.c.number)
            .where(_IS_OPEN & (invitations.c.made_at <= until))
            .order_by(invitations.c.made_at, invitations.c.number)
            .limit(limit)
        )
        return self._where(invitations.c.number.in_(oldest))

    def _where(self, condition: ColumnElement[bool]) -> tuple[Invitation, ...]:
        """Return the invitations, oldest first, with one query."""
        rows = self._reader.execute(_INVITED.where(condition))
        return tuple(
            _invitation(tuple(group)) for _, group in groupby(rows, key=lambda row: int(row.number))
        )


def _invitation(rows: Sequence[AnyRow]) -> Invitation:
    """Return the invitation of one row for each seat."""
    first = rows[0]
    return Invitation(
        number=first.number,
        game=first.game,
        setup=Setup(from_json(first.options), first.seed),
        terms=from_plain(Terms, from_json(first.terms)),
        players=tuple(row.player_id for row in rows),
        inviter=first.inviter_id,
        agreed=frozenset(row.player_id for row in rows if row.agreed),
        made_at=first.made_at,
        state=InvitationState(first.state),
    )


_STANCES = select(stances.c.player_id, stances.c.answer, stances.c.most_boards).where(
    stances.c.game == bindparam("game"),
    stances.c.player_id.in_(bindparam("players", expanding=True)),
)

_SET_STANCE = replacing(stances)

_ACTIVE_BOARDS = select(func.count()).where(
    matches.c.game == bindparam("game"),
    matches.c.over.is_(False),
    matches.c.number.in_(
        select(seats.c.match_number).where(seats.c.player_id == bindparam("player"))
    ),
)

_SEEKS = (
    select(seeks)
    .join_from(seeks, players)
    .where(players.c.state == PlayerState.ACTIVE.value)
    .order_by(seeks.c.made_at, seeks.c.player_id, seeks.c.game)
)

_SEEKS_OF_GAME = _SEEKS.where(seeks.c.game == bindparam("game"))

_SEEKS_OF = select(seeks).where(seeks.c.player_id == bindparam("player")).order_by(seeks.c.game)

_SEEKS_SINCE = (
    select(seeks)
    .where(seeks.c.made_at <= bindparam("until"))
    .order_by(seeks.c.made_at, seeks.c.player_id, seeks.c.game)
    .limit(bindparam("most"))
)

_SEEK = _SEEKS.where(seeks.c.number == bindparam("wanted"))

_SET_SEEK = replacing(seeks)

_AS_SEEN = (seeks.c.number == bindparam("wanted")) & (seeks.c.boards == bindparam("seen"))
_TAKE_ONE = update(seeks).where(_AS_SEEN).values(boards=seeks.c.boards - 1)
_TAKE_LAST = delete(seeks).where(_AS_SEEN)

_END_SEEK = delete(seeks).where(
    seeks.c.player_id == bindparam("player"), seeks.c.game == bindparam("game")
)


class Wishes(Repository):
    """Standing answers and seeks."""

    def stances(self, game: str, players: Iterable[PlayerId]) -> dict[PlayerId, Stance]:
        """Return what has been set; players who have set nothing are left out."""
        wanted = sorted(set(players))
        rows = self._reader.execute(_STANCES, {"game": game, "players": wanted})
        return {row.player_id: Stance(Answer(row.answer), row.most_boards) for row in rows}

    def set_stance(self, game: str, player: PlayerId, stance: Stance) -> None:
        self._connection.execute(
            _SET_STANCE[self._connection.dialect.name],
            {
                "player_id": player,
                "game": game,
                "answer": stance.answer.value,
                "most_boards": stance.limit,
            },
        )

    def active_boards(self, game: str, player: PlayerId) -> int:
        """Return how many open boards of the game the player has."""
        counted = self._connection.execute(_ACTIVE_BOARDS, {"game": game, "player": player})
        return int(counted.scalar_one())

    def seeks(self, game: str | None = None) -> tuple[Seek, ...]:
        """Return the open seeks of active players, oldest first."""
        if game is None:
            return tuple(map(_seek, self._connection.execute(_SEEKS)))
        return tuple(map(_seek, self._connection.execute(_SEEKS_OF_GAME, {"game": game})))

    def seeks_of(self, player: PlayerId) -> tuple[Seek, ...]:
        """Return the seeks of a player in order of game."""
        return tuple(map(_seek, self._reader.execute(_SEEKS_OF, {"player": player})))

    def seeks_since(self, until: datetime, limit: int) -> tuple[Seek, ...]:
        """Return seeks made by `until`, the oldest first, even of players who cannot play."""
        wanted = {"until": until, "most": limit}
        return tuple(map(_seek, self._connection.execute(_SEEKS_SINCE, wanted)))

    def seek(self, number: int) -> Seek | None:
        """Return the open seek of that number, of an active player."""
        row = self._reader.execute(_SEEK, {"wanted": number}).first()
        return _seek(row) if row else None

    def take_seek(self, seek: Seek) -> None:
        """Count one match less; the seek is over with the last of them.

        Raises Conflict unless it is stored with the count that it has here.
        """
        taking = _TAKE_ONE if seek.count > 1 else _TAKE_LAST
        taken = self._connection.execute(taking, {"wanted": seek.number, "seen": seek.count})
        if taken.rowcount != 1:
            raise Conflict(f"somebody else has taken a match of seek {seek.number}")

    def set_seek(self, seek: Seek) -> None:
        """Store a player's seek for its game in place of an earlier one; count 0 removes it."""
        if seek.count == 0:
            self._connection.execute(_END_SEEK, {"player": seek.player, "game": seek.game})
            return
        self._connection.execute(
            _SET_SEEK[self._connection.dialect.name],
            {
                "player_id": seek.player,
                "game": seek.game,
                "options": to_json(dict(seek.setup.options)),
                "seed": seek.setup.seed,
                "terms": to_json(to_plain(seek.terms)),
                "boards": seek.count,
                "made_at": seek.made_at,
                "number": seek.number,
                "seat": seek.seat,
            },
        )


def _seek(row: AnyRow) -> Seek:
    return Seek(
        number=row.number,
        player=row.player_id,
        game=row.game,
        setup=Setup(from_json(row.options), row.seed),
        terms=from_plain(Terms, from_json(row.terms)),
        count=row.boards,
        made_at=row.made_at,
        seat=row.seat,
    )
