"""Invitations: a match starts when every player has agreed."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

from pbm.domain.errors import NotAllowed, NotNow, NotUnderstood
from pbm.domain.invitations import Invitation, Terms, asked_seat, exchanged, moved_to
from pbm.domain.match import Match
from pbm.domain.offers import open_offer
from pbm.domain.play import seat_of
from pbm.domain.player import Player, PlayerId, fold_userid
from pbm.engine import AnyGame
from pbm.features.offers import accept_offer, reject_offer
from pbm.features.turns import give_up
from pbm.service.commands.invitations import Accept, Challenge, Decline, Rematch
from pbm.service.context import Context, Handler
from pbm.service.letters import Message
from pbm.service.new_match import challenge_line, is_for_two, setup_of, terms_for
from pbm.service.robots import is_robot, robot_named, terms_with_robots
from pbm.service.steps.invitations import agree, decline_invitation, invite, open_invitation
from pbm.service.steps.seeks import come_too_late, take


def challenge(context: Context, command: Challenge) -> Iterator[Message]:
    """Invite the players named; the sender has already agreed, if they play."""
    game = context.services.catalogue.get(command.game)
    sender = context.sender()
    setup = setup_of(game, command.options, context.services.chance.seed())
    seat, given = asked_seat(command.terms, game.info.seats)
    players = tuple(_player(context, game, name) for name in command.players)
    terms = terms_for(game, Terms.read(terms_with_robots(players, given)))
    _check_seats(players, game, sender)
    if seat is not None:
        players = moved_to(seat, sender if sender in players else players[0], players)
    elif terms.draw_seats:
        drawn = context.services.chance.shuffled([player.id for player in players])
        players = tuple(context.people(drawn)[player] for player in drawn)
    yield from invite(context, game, setup, terms, players)


def _player(context: Context, game: AnyGame, name: str) -> Player:
    """Return the player of that name; "robot" is one, and "robot-9" if there is one."""
    found = context.work.players.by_userid(name)
    if found.is_robot if found else is_robot(name):
        return robot_named(context, game, fold_userid(name), context.sender())
    (player,) = context.players([name])
    return player


def _check_seats(players: tuple[Player, ...], game: AnyGame, sender: Player) -> None:
    seats = len(game.info.seats)
    if len(players) != seats:
        raise NotUnderstood(
            f"{game.info.title} is for {seats} players; {len(players)} are named.",
            "" if is_for_two(game) else challenge_line(game, sender),
        )
    for one, other in pairwise(sorted(players, key=lambda player: player.id)):
        if one.id == other.id:
            raise NotAllowed("Nobody can play against themselves here. Name another opponent.")


def rematch(context: Context, command: Rematch) -> Iterator[Message]:
    """Invite the opponents of a match that is over to another one, with sides exchanged.

    If one of them has asked for the same, this accepts it.
    """
    sender, board = context.sender(), context.board(command.number)
    match = board.match
    if sender.id not in match.starters:
        raise NotAllowed(f"You did not play on board {match.number}.", f"show {match.number}")
    if not match.over:
        raise _not_over(context, match, sender)
    seats = exchanged(match.starters)
    people = context.people(seats)
    for player in people.values():
        if not player.active:
            raise NotNow(f"{player.userid} does not play here any more.")
    waiting = _same_again(context, sender, match, seats)
    if waiting is None:
        setup = setup_of(board.game, match.setup.options, context.services.chance.seed())
        terms = replace(match.terms, draw_seats=False)
        players = tuple(people[player] for player in seats)
        yield from invite(context, board.game, setup, terms, players)
    else:
        yield from agree(context, waiting, sender)


def _not_over(context: Context, match: Match, sender: Player) -> NotNow:
    """Return the refusal of a rematch while a match goes on, with the line for one beside it."""
    people = context.people(match.players)
    others = " ".join(people[p].userid for p in match.players if p != sender.id)
    return NotNow(
        f"Board {match.number} is not over yet. You can play another match beside it.",
        f"{match.game} challenge {sender.userid} your-password {others}",
    )


def _same_again(
    context: Context, sender: Player, match: Match, seats: tuple[PlayerId, ...]
) -> Invitation | None:
    """Return an open invitation of the same players to the same match, whatever the seats."""
    for invitation in context.work.invitations.open_for(sender.id):
        same = invitation.game == match.game and set(invitation.players) == set(seats)
        options = invitation.setup.options == match.setup.options
        terms = replace(match.terms, draw_seats=invitation.terms.draw_seats) == invitation.terms
        if same and options and terms:
            return invitation
    return None


def accept(context: Context, command: Accept) -> Iterator[Message]:
    """Agree to an invitation, a seek or an offer; a match starts once the last one has agreed."""
    player = context.sender()
    number = context.board_number(command.number)
    match = context.work.matches.get(number)
    sought = context.work.wishes.seek(number)
    if match and player.id in match[0].players:
        yield from accept_offer(context, number)
    elif sought and context.game in (None, sought.game):
        yield from take(context, player, sought)
    elif match or context.work.invitations.get(number) is None:
        raise come_too_late(context, player, number)
    else:
        yield from agree(context, open_invitation(context, player, number), player)


def decline(context: Context, command: Decline) -> Iterator[Message]:
    """Turn down an invitation, an offer, or a match before the player's first move."""
    player = context.sender()
    number = context.board_number(command.number)
    if context.work.matches.get(number) is not None:
        yield from _decline_match(context, player, number)
    else:
        yield from decline_invitation(context, player, number)


def _decline_match(context: Context, player: Player, number: int) -> Iterator[Message]:
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


HANDLERS: Mapping[type, Handler] = {
    Challenge: challenge,
    Rematch: rematch,
    Accept: accept,
    Decline: decline,
}
