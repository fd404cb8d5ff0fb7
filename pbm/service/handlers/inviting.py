"""Invitations: a match starts when every player has agreed."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from pbm.domain.commands import Accept, Challenge, Decline, Reject
from pbm.domain.errors import NotAllowed, NotNow, NotUnderstood, UnknownName
from pbm.domain.match import Invitation, InvitationState, Terms
from pbm.domain.offers import standing_offer
from pbm.domain.player import Player
from pbm.domain.playing import resign, seat_of
from pbm.service.context import Context, board_notices
from pbm.service.handlers.offering import accept_offer, reject_offer
from pbm.service.handlers.starting import setup_of, start_match
from pbm.service.handlers.wishing import answers_of
from pbm.service.happenings import Event, Happening
from pbm.service.notices import Declined, Invited, Notice
from pbm.service.tokens import Token, TokenKind


def challenge(context: Context, command: Challenge) -> Iterator[Notice]:
    """Invite the players named; the one who is proven to write has agreed already."""
    game = context.services.catalogue.get(command.game)
    inviter = context.known_reader()
    setup = setup_of(game, command.options, context.services.chance.seed())
    terms = Terms.read(command.terms)
    players = context.players(command.players)
    _check_seats(players, len(game.info.seats), game.info.title)
    seats = tuple(player.id for player in players)
    if terms.draw_seats:
        seats = context.services.chance.shuffled(seats)
    agreed = answers_of(context, game, [player for player in players if player != context.player])
    invitation = Invitation(
        number=context.work.next_number(),
        game=game.info.key,
        setup=setup,
        terms=terms,
        players=seats,
        inviter=inviter.id,
        agreed=(agreed | ({context.player.id} if context.player else set())) & set(seats),
        made_at=context.now,
    )
    if invitation.missing:
        context.work.invitations.add(invitation)
        yield from _tell_invited(context, invitation)
    else:
        yield from start_match(context, invitation)


def _check_seats(players: tuple[Player, ...], seats: int, title: str) -> None:
    if len(players) != seats:
        raise NotUnderstood(f"{title} is for {seats} players; {len(players)} are named.")
    for one, other in pairwise(sorted(players, key=lambda player: player.id)):
        if one.id == other.id:
            raise NotAllowed("Nobody can play against himself here. Name another opponent.")


def _tell_invited(context: Context, invitation: Invitation) -> Iterator[Notice]:
    people = context.people((*invitation.players, invitation.inviter))
    game = context.services.catalogue.get(invitation.game)
    for player in dict.fromkeys((*invitation.players, invitation.inviter)):
        token = Token(TokenKind.INVITATION, invitation.number, player)
        seated = player in invitation.players
        yield Invited(
            people[player], invitation, game, people, context.comment, token if seated else None
        )


def accept(context: Context, command: Accept) -> Iterator[Notice]:
    """Agree to an invitation, or to an offer; a match starts with the last player who does."""
    player = context.sender()
    number = context.board_number(command.number)
    if context.work.matches.get(number) is not None:
        yield from accept_offer(context, number)
        return
    invitation = _open_invitation(context, player, number)
    if player.id in invitation.agreed:
        raise NotNow(f"You have accepted {invitation.number} already; others have not yet.")
    invitation = replace(invitation, agreed=invitation.agreed | {player.id})
    if invitation.missing:
        context.work.invitations.save(invitation)
        yield from _tell_invited(context, invitation)
    else:
        context.work.invitations.save(replace(invitation, state=InvitationState.STARTED))
        yield from start_match(context, invitation)


def reject(context: Context, command: Reject) -> Iterator[Notice]:
    """Say no to an offer, or to an invitation."""
    number = context.board_number(command.number)
    if context.work.matches.get(number) is not None:
        yield from reject_offer(context, number)
    else:
        yield from decline(context, Decline(number))


def decline(context: Context, command: Decline) -> Iterator[Notice]:
    """Turn down an invitation, an offer, or a match before one's first move."""
    player = context.sender()
    number = context.board_number(command.number)
    if context.work.matches.get(number) is not None:
        yield from _decline_match(context, player, number)
        return
    invitation = _open_invitation(context, player, number)
    context.work.invitations.save(replace(invitation, state=InvitationState.DECLINED))
    people = context.people((*invitation.players, invitation.inviter))
    game = context.services.catalogue.get(invitation.game)
    for reader in dict.fromkeys((*invitation.players, invitation.inviter)):
        yield Declined(people[reader], invitation, game, people, player, context.comment)


def _decline_match(context: Context, player: Player, number: int) -> Iterator[Notice]:
    table = context.tables.get(number, context.game)
    seat = seat_of(table, player.id)
    standing = standing_offer(table.match)
    if standing and standing.seat != seat:
        yield from reject_offer(context, number)
        return
    if any(entry.seat == seat for entry in table.match.plies):
        raise NotNow(
            f"You have moved on board {number}; it can be resigned, not declined.",
            f"resign {number}",
        )
    after = resign(table, seat, comment=context.comment, now=context.now)
    after = context.tables.save(table, after)
    declined = Happening(Event.ENDED, player.id, comment=context.comment)
    yield from board_notices(context, after, declined)


def _open_invitation(context: Context, player: Player, number: int) -> Invitation:
    """Return the open invitation `number` with a seat for `player`, or raise a Refusal."""
    invitation = context.work.invitations.get(number)
    if invitation is None or context.game not in (None, invitation.game):
        raise UnknownName(f"There is no invitation {number}.", "games")
    if player.id not in invitation.players:
        raise NotAllowed(f"Invitation {number} is not for you.", "games")
    if invitation.state is InvitationState.STARTED:
        raise NotNow(f"Board {number} has started already.", f"show {number}")
    if invitation.state is not InvitationState.OPEN:
        raise NotNow(f"Invitation {number} {invitation.state.fate}; it is closed.", "games")
    return invitation
