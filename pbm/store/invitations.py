"""Matches that wait for agreement."""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby

from sqlalchemy import ColumnElement, insert, select, update

from pbm.domain.invitations import Invitation, InvitationState, Terms
from pbm.domain.player import PlayerId
from pbm.engine import Setup, from_json, from_plain, to_json, to_plain
from pbm.service.ports import Conflict
from pbm.store.dialects import AnyRow
from pbm.store.repository import Repository
from pbm.store.tables import invitation_seats, invitations

_ALL = (
    select(invitations, invitation_seats.c.player_id, invitation_seats.c.agreed)
    .join_from(invitations, invitation_seats)
    .order_by(invitations.c.made_at, invitations.c.number, invitation_seats.c.seat)
)


_OPEN = invitations.c.state == InvitationState.OPEN.value


class SqlInvitations(Repository):
    """`pbm.service.ports.Invitations`."""

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
        changed = self._connection.execute(
            update(invitations)
            .where((invitations.c.number == invitation.number) & _OPEN)
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
        seated = select(invitation_seats.c.number).where(invitation_seats.c.player_id == player)
        return self._where(_OPEN & invitations.c.number.in_(seated))

    def open_by(self, player: PlayerId) -> tuple[Invitation, ...]:
        return self._where(_OPEN & (invitations.c.inviter_id == player))

    def open_since(self, until: datetime, limit: int) -> tuple[Invitation, ...]:
        oldest = (
            select(invitations.c.number)
            .where(_OPEN & (invitations.c.made_at <= until))
            .order_by(invitations.c.made_at, invitations.c.number)
            .limit(limit)
        )
        return self._where(invitations.c.number.in_(oldest))

    def _where(self, condition: ColumnElement[bool]) -> tuple[Invitation, ...]:
        """Return the invitations, oldest first, with one query."""
        rows = self._reader.execute(_ALL.where(condition))
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
