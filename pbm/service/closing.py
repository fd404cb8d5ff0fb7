"""Invitations that are closed because not everybody has answered them."""

from collections.abc import Iterator
from dataclasses import replace

from pbm.domain.match import Invitation, InvitationState
from pbm.domain.player import Player
from pbm.service.absence_notices import InvitationClosed
from pbm.service.context import Context
from pbm.service.notices import Notice
from pbm.service.tokens import Token, TokenKind


def close_invitation(context: Context, invitation: Invitation) -> None:
    """Let nobody take up `invitation` any more."""
    context.work.invitations.save(replace(invitation, state=InvitationState.EXPIRED))


def closed(
    context: Context, invitation: Invitation, absent: Player | None = None
) -> Iterator[Notice]:
    """Yield a notice for each of its players and the inviter, but not for who is `absent`."""
    everybody = dict.fromkeys((*invitation.players, invitation.inviter))
    people = context.people(everybody)
    game = context.services.catalogue.get(invitation.game)
    for player in everybody:
        if absent is None or player != absent.id:
            seated = player in invitation.players
            # Who has no seat invites the others, and a reply would put himself on the board.
            token = Token(TokenKind.PLAYER, 0, player) if seated else None
            yield InvitationClosed(people[player], invitation, game, people, token, absent)
