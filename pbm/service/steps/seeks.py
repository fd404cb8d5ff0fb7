"""Seeks: open to everybody, told to those who want to know, taken by the first who accepts."""

from collections.abc import Iterator
from dataclasses import replace

from pbm.domain.errors import NotAllowed, NotNow, UnknownName
from pbm.domain.invitations import SEEKS_HEARD, SEEKS_TOLD, Seek, moved_to
from pbm.domain.player import Player, PlayerId
from pbm.engine import AnyGame, listing
from pbm.service.budget import QUERY
from pbm.service.context import Context, day_of
from pbm.service.letters import Message
from pbm.service.limits import Limit, count_each
from pbm.service.new_match import agreed_by_all, challenge_line, is_for_two, start_match
from pbm.service.notices.wishes import SeekTold
from pbm.service.robots import robot_line
from pbm.service.steps.invitations import has_room
from pbm.service.steps.people import apart_from
from pbm.service.tokens import Token, TokenKind

ACCEPTED = Limit("seek", 10, 3)
"""Seeks of others that one player accepts in an hour."""

NAMED = 3
"""Other seeks that are named to somebody who came too late."""


def open_to(context: Context, player: Player, game: str | None = None) -> tuple[Seek, ...]:
    """Return the seeks that `player` could accept, the oldest first."""
    context.budget.work(QUERY * 2)
    apart = apart_from(context, player)
    seeks = context.work.wishes.seeks(game)
    people = context.people(seek.player for seek in seeks)
    return tuple(
        seek
        for seek in seeks
        if seek.player not in apart and not is_same_person(player, people[seek.player])
    )


def check_can_be_sought(game: AnyGame, player: Player) -> None:
    """Raise NotAllowed if a game is not for two, so that one who accepts is not enough."""
    if not is_for_two(game):
        raise NotAllowed(
            f"{game.info.title} is for {len(game.info.seats)} players, and a seek finds one "
            "opponent. Name all of them in a challenge.",
            challenge_line(game, player),
        )


def is_same_person(one: Player, other: Player) -> bool:
    """Return whether two accounts show that they belong to one person."""
    return one.id == other.id or bool(set(one.addresses) & set(other.addresses))


def close_seeks(context: Context, player: PlayerId) -> bool:
    """Close the seeks of `player`; return whether there was one."""
    seeks = context.work.wishes.seeks_of(player)
    for seek in seeks:
        context.work.wishes.set_seek(replace(seek, count=0))
    return bool(seeks)


def take(context: Context, player: Player, seek: Seek) -> Iterator[Message]:
    """Begin a match of `seek` with `player`, who accepts it; raise a Refusal if they cannot."""
    if seek.player == player.id:
        raise NotNow(
            f"That is your own seek; it waits for somebody else to accept {seek.number}.",
            f"withdraw {seek.number} {player.userid} your-password",
        )
    seeker = context.people([seek.player])[seek.player]
    game = context.services.catalogue.get(seek.game)
    check_can_be_sought(game, player)
    if is_same_person(player, seeker):
        raise NotAllowed("Nobody can play against themselves here.")
    if seek.player in apart_from(context, player):
        # As if there were none: nobody is told who blocks them.
        raise come_too_late(context, player, seek.number)
    if not has_room(context, game, seeker.id):
        raise NotAllowed(f"{seeker.userid} has as many boards of {game.info.title} as they want.")
    count_each(context, ACCEPTED, player, [seeker])
    yield from begin(context, game, seek, player)


def begin(
    context: Context, game: AnyGame, seek: Seek, player: Player, seat: int | None = None
) -> Iterator[Message]:
    """Begin a match of `seek` with `player`, who wants `seat`; None: they take any."""
    context.work.wishes.take_seek(seek)
    chance = context.services.chance
    seats = chance.shuffled((seek.player, player.id))
    if seek.seat is not None:
        seats = moved_to(seek.seat, seek.player, seats)
    elif seat is not None:
        seats = moved_to(seat, player.id, seats)
    setup = replace(seek.setup, seed=chance.seed())
    number = seek.number if seek.count == 1 else None
    agreed = agreed_by_all(context, game, setup, seek.terms, seats, number)
    yield from start_match(context, agreed)


def come_too_late(context: Context, player: Player, number: int) -> NotNow | UnknownName:
    """Return the refusal of somebody who accepts `number`: who plays there, and what is open."""
    match = context.work.matches.get(number)
    others = open_to(context, player)[:NAMED]
    seated = match[0].players if match else ()
    people = context.people({*(seek.player for seek in others), *seated})
    if match:
        names = listing((people[one].userid for one in seated), last="and")
        played = "have played" if match[0].over else "play"
        said = f"{number} is taken: {names} {played} there."
    else:
        said = f"There is no invitation {number}, or it is closed."
    still = (
        f"{seek.number} ({people[seek.player].userid}, {_title(context, seek)})" for seek in others
    )
    example = "list"
    if match:
        wish = robot_line(context, match[0].game) or f"{match[0].game} seek"
        example = f"{wish} {player.userid} your-password"
    if others:
        example = f"accept {others[0].number} {player.userid} your-password"
        said += f" Still open: {listing(still, last='and')}."
    return NotNow(said, example) if match else UnknownName(said, example)


def _title(context: Context, seek: Seek) -> str:
    return context.services.catalogue.get(seek.game).info.title


def may_be_told(context: Context, seeker: PlayerId) -> bool:
    """Count one more seek of `seeker` that others get mails of; return False if it is too many."""
    return context.work.tally(f"seeks-told:{seeker}", day_of(context.now)) <= SEEKS_TOLD


def may_hear_of(context: Context, seek: Seek, reader: Player) -> bool:
    """Return whether `reader` gets a mail of `seek`, and count it.

    Not if it is their own, if one of both blocks the other, or if they have had their share today.
    """
    seeker = context.people([seek.player])[seek.player]
    if is_same_person(reader, seeker):
        return False
    return seek.player not in apart_from(context, reader) and _may_hear(context, reader.id)


def _may_hear(context: Context, reader: PlayerId) -> bool:
    """Count one more mail of a seek to `reader`; return False if it is one too many today."""
    return context.work.tally(f"seeks-heard:{reader}", day_of(context.now)) <= SEEKS_HEARD


def seek_told(context: Context, seek: Seek, reader: Player) -> SeekTold:
    """Return the notice by which `reader` can accept `seek`."""
    seeker = context.people([seek.player])[seek.player]
    game = context.services.catalogue.get(seek.game)
    token = Token(TokenKind.INVITATION, seek.number, reader.id)
    return SeekTold(reader, seek, game, seeker.userid, reply=token)
