"""What becomes of invitations: a match on its board, or nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbm.domain.errors import NotAllowed, NotNow, UnknownName
from pbm.domain.invitations import Answer, Invitation, InvitationState, Stance, Terms
from pbm.domain.player import Player, PlayerId
from pbm.engine import AnyGame, Setup
from pbm.service.context import Context
from pbm.service.letters import Message
from pbm.service.limits import Limit, count_each, count_received
from pbm.service.new_match import start_match
from pbm.service.notices.invitations import Declined, InvitationClosed, Invited
from pbm.service.robots import check_robots, robot_line
from pbm.service.steps.people import check_not_blocking, words_for
from pbm.service.tokens import Token, TokenKind, player_token

INVITATIONS = Limit("invitation", 30, 10)
"""Invitations that one player sends in an hour."""


def invite(
    context: Context, game: AnyGame, setup: Setup, terms: Terms, players: Sequence[Player]
) -> Iterator[Message]:
    """Ask `players`, in the order of seats, to a match; the sender agrees to it by asking.

    It starts at once if all have agreed by their standing answers. Raises a Refusal if one of
    them takes no such invitation, or the sender has invited enough for this hour.
    """
    inviter = context.sender()
    invited = [player for player in players if player.id != inviter.id]
    check_not_blocking(context, inviter, invited)
    check_robots(context, game, terms, inviter, players)
    count_each(context, INVITATIONS, inviter, invited)
    agreed = _answers_of(context, game, inviter, invited)
    count_received(context, INVITATIONS, invited, frozenset())
    seats = tuple(player.id for player in players)
    if all(player.is_robot for player in invited):
        context = replace(context, comment="")  # which nobody would read but its author
    invitation = Invitation(
        number=context.work.next_number(),
        game=game.info.key,
        setup=setup,
        terms=terms,
        players=seats,
        inviter=inviter.id,
        agreed=(agreed | {inviter.id}) & set(seats),
        made_at=context.now,
    )
    if invitation.missing:
        context.work.invitations.add(invitation)
        yield from _tell_invited(context, invitation)
    else:
        yield from start_match(context, invitation)


def agree(context: Context, invitation: Invitation, player: Player) -> Iterator[Message]:
    """Note that `player` accepts the open invitation; start the match if they were the last."""
    if player.id in invitation.agreed:
        raise NotNow(f"You have accepted {invitation.number} already; others have not yet.")
    invitation = replace(invitation, agreed=invitation.agreed | {player.id})
    if invitation.missing:
        context.work.invitations.save(invitation)
        yield from _tell_invited(context, invitation)
    else:
        context.work.invitations.save(replace(invitation, state=InvitationState.STARTED))
        yield from start_match(context, invitation)


def _answers_of(
    context: Context, game: AnyGame, inviter: Player, invited: Sequence[Player]
) -> frozenset[PlayerId]:
    """Return the ids of the `invited` players who have agreed by a standing answer, as robots do.

    Raises NotAllowed if one takes no invitations, or has as many boards as they want. Who blocks
    the inviter is said to take this one as little as who takes none: the sentence is true of both.
    """
    blockers = context.work.blocks.blockers_of(inviter.id)
    stances = context.work.wishes.stances(game.info.key, [player.id for player in invited])
    for player in invited:
        stance = stances.get(player.id, Stance())
        if stance.answer is Answer.REJECT or player.id in blockers:
            raise NotAllowed(f"{player.userid} takes no such invitation to {game.info.title}.")
        _check_limit(context, game, player, stance)
    accepting = [p for p, stance in stances.items() if stance.answer is Answer.ACCEPT]
    accepting += [player.id for player in invited if player.is_robot]
    seated = {player.id for player in invited}
    return frozenset(p for p in accepting if not context.work.blocks.blocked_by(p) & seated)


def _check_limit(context: Context, game: AnyGame, player: Player, stance: Stance) -> None:
    if not _has_room(context, game, player.id, stance):
        raise NotAllowed(f"{player.userid} has as many boards of {game.info.title} as they want.")


def _has_room(context: Context, game: AnyGame, player: PlayerId, stance: Stance) -> bool:
    if stance.limit is None:
        return True
    return context.work.wishes.active_boards(game.info.key, player) < stance.limit


def has_room(context: Context, game: AnyGame, player: PlayerId) -> bool:
    """Return whether `player` wants one more board of the game, by the limit that they set."""
    stance = context.work.wishes.stances(game.info.key, [player]).get(player, Stance())
    return _has_room(context, game, player, stance)


def _tell_invited(context: Context, invitation: Invitation) -> Iterator[Message]:
    people = context.people((*invitation.players, invitation.inviter))
    game = context.services.catalogue.get(invitation.game)
    for player in dict.fromkeys((*invitation.players, invitation.inviter)):
        token = Token(TokenKind.INVITATION, invitation.number, player)
        seated = player in invitation.players
        reply = token if seated else None
        words = words_for(context, people[player])
        yield Invited(people[player], invitation, game, people, words, reply=reply)


def close_invitation(context: Context, invitation: Invitation) -> None:
    """Close `invitation`, so that nobody can accept it any more."""
    context.work.invitations.save(replace(invitation, state=InvitationState.EXPIRED))


def closed(context: Context, invitation: Invitation) -> Iterator[Message]:
    """Yield a notice for each of its players and the inviter."""
    everybody = dict.fromkeys((*invitation.players, invitation.inviter))
    people = context.people(everybody)
    game = context.services.catalogue.get(invitation.game)
    robot = robot_line(context, invitation.game)
    for player in everybody:
        seated = player in invitation.players
        # An inviter without a seat invited only others. A new challenge sent by reply would
        # give the inviter a seat.
        reply = player_token(player) if seated else None
        offered = robot if seated else ""
        yield InvitationClosed(people[player], invitation, game, people, offered, reply=reply)


def decline_invitation(context: Context, player: Player, number: int) -> Iterator[Message]:
    """Turn the invitation `number` down for `player`; tell its players and the inviter.

    From the inviter this takes it back. A seek asks nobody in particular, so it is not declined.
    """
    if context.work.invitations.get(number) is None:
        raise UnknownName(f"There is no invitation {number}. A seek needs no answer.", "list")
    invitation = open_invitation(context, player, number)
    mine = invitation.inviter == player.id
    state = InvitationState.WITHDRAWN if mine else InvitationState.DECLINED
    yield from _end(context, invitation, player, state)


def withdraw_invitation(context: Context, player: Player, number: int) -> Iterator[Message]:
    """Take back the invitation `number`, which `player` has made; tell those it is for."""
    invitation = context.work.invitations.get(number)
    if invitation is None or context.game not in (None, invitation.game):
        raise UnknownName(f"There is no invitation or seek {number} of yours.", "list")
    if invitation.inviter != player.id:
        who = f"{player.userid} your-password"
        raise NotAllowed(
            f"Invitation {number} is not yours; you can decline it."
            if player.id in invitation.players
            else f"Invitation {number} is not yours.",
            f"decline {number} {who}" if player.id in invitation.players else "games",
        )
    if invitation.state is not InvitationState.OPEN:
        raise NotNow(f"Invitation {number} {invitation.state.fate}; it is closed.", "games")
    yield from _end(context, invitation, player, InvitationState.WITHDRAWN)


def _end(
    context: Context, invitation: Invitation, player: Player, state: InvitationState
) -> Iterator[Message]:
    invitation = replace(invitation, state=state)
    context.work.invitations.save(invitation)
    people = context.people((*invitation.players, invitation.inviter))
    game = context.services.catalogue.get(invitation.game)
    for reader in dict.fromkeys((*invitation.players, invitation.inviter)):
        words = words_for(context, people[reader])
        # Whoever wanted to play is offered a robot, not who has just said that they do not.
        left = reader in invitation.players and reader != player.id
        robot = robot_line(context, invitation.game) if left else ""
        reply = player_token(reader) if robot else None
        yield Declined(people[reader], invitation, game, people, player, words, robot, reply=reply)


def open_invitation(context: Context, player: Player, number: int) -> Invitation:
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
