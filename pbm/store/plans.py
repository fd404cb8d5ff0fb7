"""The plans of players: queued and submitted moves, notes, invitations, standing answers, seeks."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    Table,
    delete,
    insert,
    literal,
    select,
)

from pbm.domain.invitations import (
    Invitation,
    InvitationState,
    Seek,
    StandingAnswer,
    StandingOffer,
    Terms,
)
from pbm.domain.plans import PrivateNotes, QueuedMove
from pbm.domain.player import PlayerId, PlayerState
from pbm.engine import Setup, from_json, from_plain, to_json, to_plain
from pbm.store.driver.dialects import AnyRow, among, replace_row
from pbm.store.errors import Conflict
from pbm.store.repository import Repository, Write, writes
from pbm.store.tables import (
    invitation_seats,
    invitations,
    matches,
    notes,
    players,
    queued_moves,
    seats,
    seeks,
    stances,
    submitted_moves,
)

_NOTE = -1
"""The position of a note before the queued moves, in the rows of both."""


def _kept_on() -> CompoundSelect[Any]:
    """Return the queued moves and notes of boards, in one statement."""
    moves = select(
        queued_moves.c.match_number,
        queued_moves.c.player_id,
        queued_moves.c.position,
        queued_moves.c.text,
        queued_moves.c.base,
        queued_moves.c.line,
    ).where(among(queued_moves.c.match_number, "numbers"))
    written = select(
        notes.c.match_number,
        notes.c.player_id,
        literal(_NOTE),
        notes.c.text,
        literal(0),
        literal(""),
    ).where(among(notes.c.match_number, "numbers"))
    return moves.union_all(written).order_by("match_number", "player_id", "position")


_KEPT = _kept_on()

AllPrivateNotes = dict[PlayerId, PrivateNotes]
"""The plans and notes that players keep for one board, by player."""


class Plans(Repository):
    """The plans of a player for a board: queued moves, a note, and one move to be confirmed."""

    def private_notes(self, number: int, player: PlayerId) -> PrivateNotes:
        """Return the queued moves, in the order in which they were given, and the note."""
        return self._on(number).get(player, PrivateNotes())

    def queued(self, number: int, player: PlayerId) -> tuple[QueuedMove, ...]:
        """Return the queued moves, in the order in which they were given."""
        return self.private_notes(number, player).moves

    def set_queued(self, number: int, player: PlayerId, moves: Sequence[QueuedMove]) -> None:
        """Replace them all."""
        self._change(store_queues, number, player, moves=tuple(moves))

    def set_note(self, number: int, player: PlayerId, note: str) -> None:
        """Replace the note; "" removes it."""
        self._change(store_notes, number, player, note=note)

    def queuers(self, number: int) -> frozenset[PlayerId]:
        """Return the players who have moves queued on the board."""
        return frozenset(player for player, own in self._on(number).items() if own.moves)

    def submitted(self, number: int, player: PlayerId) -> tuple[int, str] | None:
        """Return (the ply it was meant for, the move), or None."""
        kept = select(submitted_moves.c.ply, submitted_moves.c.text)
        row = self._unit.read(kept.where(*_of(submitted_moves, number, player))).first()
        return None if row is None else (row.ply, row.text)

    def set_submitted(self, number: int, player: PlayerId, move: tuple[int, str] | None) -> None:
        """Keep one move, or none."""
        self._unit.write(store_submissions, (number, player, move))

    def _on(self, number: int) -> AllPrivateNotes:
        """Return what all players keep for a board."""
        return self._unit.look(find_kept, [number]).get(number, {})

    def _change(
        self, store: Write[tuple[int, PlayerId, Any]], number: int, player: PlayerId, **value: Any
    ) -> None:
        """Store a new value of what a player keeps for a board."""

        def changed(before: AllPrivateNotes | None) -> AllPrivateNotes:
            known = before or {}
            return {**known, player: replace(known.get(player, PrivateNotes()), **value)}

        self._unit.write(
            store, (number, player, *value.values()), change=(find_kept, number, changed)
        )


@writes(queued_moves)
def store_queues(
    connection: Connection, queues: Sequence[tuple[int, PlayerId, Sequence[QueuedMove]]]
) -> None:
    """Store what is queued on boards, in place of what was; of the same queue the last counts."""
    for (number, player), moves in {each[:2]: each[2] for each in queues}.items():
        connection.execute(delete(queued_moves).where(*_of(queued_moves, number, player)))
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
            connection.execute(insert(queued_moves), rows)


@writes(notes)
def store_notes(connection: Connection, written: Sequence[tuple[int, PlayerId, str]]) -> None:
    """Store the notes of players on boards, in place of those before; "" removes one."""
    for number, player, text in written:
        if text:
            row = {"match_number": number, "player_id": player, "text": text}
            replace_row(connection, notes, row)
        else:
            connection.execute(delete(notes).where(*_of(notes, number, player)))


@writes(submitted_moves)
def store_submissions(
    connection: Connection, moves: Sequence[tuple[int, PlayerId, tuple[int, str] | None]]
) -> None:
    """Store submitted moves, or withdraw them."""
    for number, player, move in moves:
        if move is None:
            theirs = _of(submitted_moves, number, player)
            connection.execute(delete(submitted_moves).where(*theirs))
        else:
            row = {"match_number": number, "player_id": player, "ply": move[0], "text": move[1]}
            replace_row(connection, submitted_moves, row)


def _of(table: Table, number: int, player: PlayerId) -> tuple[ColumnElement[bool], ...]:
    return table.c.match_number == number, table.c.player_id == player


def find_kept(connection: Connection, numbers: Collection[int]) -> dict[int, AllPrivateNotes]:
    """Return what players keep for these boards, by number."""
    boards: dict[int, AllPrivateNotes] = {}
    for number, player, position, text, base, line in connection.execute(
        _KEPT, {"numbers": numbers}
    ):
        there = boards.setdefault(number, {})
        own = there.get(player, PrivateNotes())
        if position == _NOTE:
            there[player] = replace(own, note=text)
        else:
            move = QueuedMove(text, base, tuple(from_json(line)))
            there[player] = replace(own, moves=(*own.moves, move))
    return boards


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
        still = invitations.c.number == invitation.number, _IS_OPEN
        if self._update(invitations, *still, state=invitation.state.value) != 1:
            raise Conflict(f"invitation {invitation.number} is no longer open")
        if not self._agreed(invitation.number) <= invitation.agreed:
            raise Conflict(f"somebody else has agreed to invitation {invitation.number}")
        agreed = invitation_seats.c.player_id.in_(sorted(invitation.agreed))
        seats = invitation_seats.c.number == invitation.number
        self._update(invitation_seats, seats, agreed=agreed)

    def _agreed(self, number: int) -> frozenset[PlayerId]:
        """Return the players who agreed. Nobody else changes this after an update of the row."""
        seats = invitation_seats.c
        said_yes = select(seats.player_id).where(seats.number == number, seats.agreed.is_(True))
        return frozenset(self._connection.scalars(said_yes))

    def open_for(self, player: PlayerId) -> tuple[Invitation, ...]:
        """Return the open invitations that have a seat for `player`, oldest first."""
        seated = select(invitation_seats.c.number).where(invitation_seats.c.player_id == player)
        return self._where(_IS_OPEN & invitations.c.number.in_(seated))

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
        rows = self._unit.read(_INVITED.where(condition))
        return tuple(
            _invitation(tuple(group)) for _, group in groupby(rows, key=lambda row: int(row.number))
        )


def _invitation(rows: Sequence[AnyRow]) -> Invitation:
    """Return the invitation of one row for each seat."""
    first = rows[0]
    return Invitation(
        number=first.number,
        game=first.game,
        setup=Setup(from_json(first.options)),
        terms=from_plain(Terms, from_json(first.terms)),
        players=tuple(row.player_id for row in rows),
        inviter=first.inviter_id,
        agreed=frozenset(row.player_id for row in rows if row.agreed),
        made_at=first.made_at,
        state=InvitationState(first.state),
    )


_OLDEST_FIRST = (seeks.c.made_at, seeks.c.player_id, seeks.c.game)

_SEEKS = (
    select(seeks)
    .join_from(seeks, players)
    .where(players.c.state == PlayerState.ACTIVE.value)
    .order_by(*_OLDEST_FIRST)
)


class Wishes(Repository):
    """Standing answers and seeks."""

    def stances(self, game: str, players: Iterable[PlayerId]) -> dict[PlayerId, StandingOffer]:
        """Return what has been set; players who have set nothing are left out."""
        theirs = stances.c.game == game, stances.c.player_id.in_(sorted(set(players)))
        rows = self._unit.read(select(stances).where(*theirs))
        return {
            row.player_id: StandingOffer(StandingAnswer(row.answer), row.most_boards)
            for row in rows
        }

    def set_stance(self, game: str, player: PlayerId, stance: StandingOffer) -> None:
        row = {"player_id": player, "game": game, "most_boards": stance.limit}
        replace_row(self._connection, stances, {**row, "answer": stance.answer.value})

    def active_boards(self, game: str, player: PlayerId) -> int:
        """Return how many open boards of the game the player has."""
        theirs = select(seats.c.match_number).where(seats.c.player_id == player)
        is_open = matches.c.game == game, matches.c.over.is_(False)
        return self._count(*is_open, matches.c.number.in_(theirs))

    def seeks(self, game: str | None = None) -> tuple[Seek, ...]:
        """Return the open seeks of active players, oldest first."""
        wanted = _SEEKS if game is None else _SEEKS.where(seeks.c.game == game)
        return tuple(map(_seek, self._unit.read(wanted)))

    def seeks_of(self, player: PlayerId) -> tuple[Seek, ...]:
        """Return the seeks of a player in order of game."""
        theirs = select(seeks).where(seeks.c.player_id == player).order_by(seeks.c.game)
        return tuple(map(_seek, self._unit.read(theirs)))

    def seeks_since(self, until: datetime, limit: int) -> tuple[Seek, ...]:
        """Return seeks made by `until`, the oldest first, even of players who cannot play."""
        old = select(seeks).where(seeks.c.made_at <= until).order_by(*_OLDEST_FIRST).limit(limit)
        return tuple(map(_seek, self._connection.execute(old)))

    def seek(self, number: int) -> Seek | None:
        """Return the open seek of that number, of an active player."""
        row = self._unit.read(_SEEKS.where(seeks.c.number == number)).first()
        return _seek(row) if row else None

    def take_seek(self, seek: Seek) -> None:
        """Count one match less; the seek is over with the last of them.

        Raises Conflict unless it is stored with the count that it has here.
        """
        as_seen = seeks.c.number == seek.number, seeks.c.boards == seek.count
        if seek.count > 1:
            taken = self._update(seeks, *as_seen, boards=seek.count - 1)
        else:
            taken = self._delete(seeks, *as_seen)
        if taken != 1:
            raise Conflict(f"somebody else has taken a match of seek {seek.number}")

    def set_seek(self, seek: Seek) -> None:
        """Store a player's seek for its game in place of an earlier one; count 0 removes it."""
        if seek.count == 0:
            self._delete(seeks, seeks.c.player_id == seek.player, seeks.c.game == seek.game)
            return
        replace_row(
            self._connection,
            seeks,
            {
                "player_id": seek.player,
                "game": seek.game,
                "options": to_json(dict(seek.setup.options)),
                "terms": to_json({**to_plain(seek.terms), "ratings": seek.ratings}),
                "boards": seek.count,
                "made_at": seek.made_at,
                "number": seek.number,
                "seat": seek.seat,
            },
        )


def _seek(row: AnyRow) -> Seek:
    terms = from_json(row.terms)
    return Seek(
        number=row.number,
        player=row.player_id,
        game=row.game,
        setup=Setup(from_json(row.options)),
        terms=from_plain(Terms, terms),
        count=row.boards,
        made_at=row.made_at,
        seat=row.seat,
        ratings=tuple(terms.get("ratings") or ()) or None,
    )
