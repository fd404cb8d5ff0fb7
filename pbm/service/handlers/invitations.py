"""Invitations: a match starts when every player has agreed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from pbm.domain.errors import NotAllowed, NotNow, NotUnderstood
from pbm.domain.match import Invitation, InvitationState, Terms
from pbm.domain.offers import open_offer
from pbm.domain.play import seat_of
from pbm.domain.player import Player, PlayerId
from pbm.domain.wishes import Answer, Stance
from pbm.engine import AnyGame
from pbm.service.commands.invitations import Accept, Challenge, Decline
from pbm.service.context import Context, Handler
from pbm.service.notices import Notice
from pbm.service.notices.invitations import Invited
from pbm.service.steps.bounds import INVITATIONS, count_each
from pbm.service.steps.invitations import decline_invitation, open_invitation, setup_of, start_match
from pbm.service.steps.offers import accept_offer, reject_offer
from pbm.service.steps.people import check_not_blocking, words_for
from pbm.service.steps.turns import give_up
from pbm.service.tokens import Token, TokenKind


def challenge(context: Context, command: Challenge) -> Iterator[Notice]:
    """Invite the players named; the sender has already agreed, if they play."""
    game = context.services.catalogue.get(command.game)
    inviter = context.sender()
    setup = setup_of(game, command.options, context.services.chance.seed())
    terms = Terms.read(command.terms)
    players = context.players(command.players)
    _check_seats(players, len(game.info.seats), game.info.title)
    invited = [player for player in players if player != context.player]
    _check_invited(context, inviter, invited)
    agreed = _answers_of(context, game, inviter, invited)
    seats = tuple(player.id for player in players)
    invitation = Invitation(
        number=context.work.next_number(),
        game=game.info.key,
        setup=setup,
        terms=terms,
        players=context.services.chance.shuffled(seats) if terms.draw_seats else seats,
        inviter=inviter.id,
        agreed=(agreed | {inviter.id}) & set(seats),
        made_at=context.now,
    )
    if invitation.missing:
        context.work.invitations.add(invitation)
        yield from _tell_invited(context, invitation)
    else:
        yield from start_match(context, invitation)


def _check_invited(context: Context, inviter: Player, invited: Sequence[Player]) -> None:
    """Raise a Refusal if the inviter blocks one of them, or has invited enough for this hour."""
    check_not_blocking(context, inviter, invited)
    count_each(context, INVITATIONS, inviter, (p for p in invited if p != inviter))


def _answers_of(
    context: Context, game: AnyGame, inviter: Player, invited: Sequence[Player]
) -> frozenset[PlayerId]:
    """Return the ids of the `invited` players who have agreed by a standing answer.

    Raises NotAllowed if one takes no invitations, or has as many boards as they want. Who blocks
    the inviter is said to take this one as little as who takes none: the sentence is true of both.
    """
    blockers = context.work.blocks.blockers_of(inviter.id)
    stances = context.work.wishes.stances(game.info.key, [player.id for player in invited])
    for player in invited:
        stance = stances.get(player.id, Stance())
        if stance.answer is Answer.REJECT or player.id in blockers:
            raise NotAllowed(f"{player.userid} takes no such invitation to {game.info.title}.")
        if stance.limit is not None and _boards(context, game, player) >= stance.limit:
            raise NotAllowed(
                f"{player.userid} has as many boards of {game.info.title} as they want."
            )
    accepting = (p for p, stance in stances.items() if stance.answer is Answer.ACCEPT)
    seated = {player.id for player in invited}
    return frozenset(p for p in accepting if not context.work.blocks.blocked_by(p) & seated)


def _boards(context: Context, game: AnyGame, player: Player) -> int:
    return context.work.wishes.active_boards(game.info.key, player.id)


def _check_seats(players: tuple[Player, ...], seats: int, title: str) -> None:
    if len(players) != seats:
        raise NotUnderstood(f"{title} is for {seats} players; {len(players)} are named.")
    for one, other in pairwise(sorted(players, key=lambda player: player.id)):
        if one.id == other.id:
            raise NotAllowed("Nobody can play against themselves here. Name another opponent.")


def _tell_invited(context: Context, invitation: Invitation) -> Iterator[Notice]:
    people = context.people((*invitation.players, invitation.inviter))
    game = context.services.catalogue.get(invitation.game)
    for player in dict.fromkeys((*invitation.players, invitation.inviter)):
        token = Token(TokenKind.INVITATION, invitation.number, player)
        seated = player in invitation.players
        reply = token if seated else None
        words = words_for(context, people[player])
        yield Invited(people[player], invitation, game, people, words, reply=reply)


def accept(context: Context, command: Accept) -> Iterator[Notice]:
    """Agree to an invitation or an offer; a match starts once the last player has agreed."""
    player = context.sender()
    number = context.board_number(command.number)
    if context.work.matches.get(number) is not None:
        yield from accept_offer(context, number)
        return
    invitation = open_invitation(context, player, number)
    if player.id in invitation.agreed:
        raise NotNow(f"You have accepted {invitation.number} already; others have not yet.")
    invitation = replace(invitation, agreed=invitation.agreed | {player.id})
    if invitation.missing:
        context.work.invitations.save(invitation)
        yield from _tell_invited(context, invitation)
    else:
        context.work.invitations.save(replace(invitation, state=InvitationState.STARTED))
        yield from start_match(context, invitation)


def decline(context: Context, command: Decline) -> Iterator[Notice]:
    """Turn down an invitation, an offer, or a match before the player's first move."""
    player = context.sender()
    number = context.board_number(command.number)
    if context.work.matches.get(number) is not None:
        yield from _decline_match(context, player, number)
    else:
        yield from decline_invitation(context, player, number)


def _decline_match(context: Context, player: Player, number: int) -> Iterator[Notice]:
    board = context.boards.get(number, context.game)
    seat = seat_of(board, player.id)
    offered = open_offer(board.match)
    if offered and offered.seat != seat:
        yield from reject_offer(context, number)
        return
    if any(entry.seat == seat for entry in board.match.plies):
        raise NotNow(
            f"You have moved on board {number}; it can be resigned, not declined.",
            f"resign {number}",
        )
    yield from give_up(context, board, player.id)


HANDLERS: Mapping[type, Handler] = {Challenge: challenge, Accept: accept, Decline: decline}
