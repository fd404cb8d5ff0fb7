"""Beginning a match: for how many players, with what setup, and on which board."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pbm.domain.errors import NotAllowed, UnknownName
from pbm.domain.invitations import Invitation, Terms
from pbm.domain.match import Match
from pbm.domain.pauses import Pause
from pbm.domain.player import Player, PlayerId, fold_userid
from pbm.engine import AnyGame, OptionError, Setup
from pbm.service.board_messages import Event, Happening
from pbm.service.context import Context
from pbm.service.letters import Message
from pbm.service.readers import board_notices

MOST_BOARDS = 200
"""Open boards of one player. Leaving, or a vacation, concerns all of them in one mail."""

_OPPONENTS = ("bob", "carol", "dave", "erin", "frank", "grace", "heidi", "alice")
"""The opponents in an example."""


def is_for_two(game: AnyGame) -> bool:
    """Return whether two people play the game. Seeks and ratings are for such games only."""
    return len(game.info.seats) == 2


def terms_for(game: AnyGame, terms: Terms) -> Terms:
    """Return the terms of a match of `game`: only games of two are rated."""
    return terms if is_for_two(game) else replace(terms, rated=False)


def challenge_line(game: AnyGame, player: Player) -> str:
    """Return an example of a challenge by `player` to as many as the game needs."""
    others = [name for name in _OPPONENTS if name != fold_userid(player.userid)]
    needed = others[: len(game.info.seats) - 1]
    return " ".join([game.info.key, "challenge", player.userid, "your-password", *needed])


def setup_of(game: AnyGame, options: Mapping[str, str], seed: int = 0) -> Setup:
    """Return the setup that a command asks for; raise UnknownName for an unknown option."""
    try:
        return game.info.setup(options, seed)
    except OptionError as error:
        raise UnknownName(str(error), f"help {game.info.key}") from error


def agreed_by_all(
    context: Context,
    game: AnyGame,
    setup: Setup,
    terms: Terms,
    players: tuple[PlayerId, ...],
    number: int | None = None,
) -> Invitation:
    """Return an invitation to which all `players` have agreed; without `number`, with a new one."""
    return Invitation(
        number=context.work.next_number() if number is None else number,
        game=game.info.key,
        setup=setup,
        terms=terms,
        players=players,
        inviter=players[0],
        agreed=frozenset(players),
        made_at=context.now,
    )


def start_match(context: Context, invitation: Invitation) -> Iterator[Message]:
    """Store the match of `invitation`; write to its players and to followers of the game.

    Raises NotAllowed if one of the players has too many boards already.
    """
    _check_room(context, invitation.players)
    game = context.services.catalogue.get(invitation.game)
    match = Match(
        number=invitation.number,
        game=invitation.game,
        rules_version=game.info.rules_version,
        setup=invitation.setup,
        terms=invitation.terms,
        starters=invitation.players,
        players=invitation.players,
        started_at=context.now,
        turn_since=context.now,
        pauses=_pauses_of_robots(context, invitation.players),
    )
    board = context.boards.add(match)
    by = context.player.id if context.player else None
    started = Happening(Event.STARTED, by, comment=context.comment)
    yield from board_notices(context, board, started)


def _check_room(context: Context, players: Sequence[PlayerId]) -> None:
    """Raise NotAllowed if one of them plays on as many boards as one can.

    Only the operator can go beyond that.
    """
    people = context.people(players)
    for player in (p for p in players if context.player and not people[p].is_robot):
        if context.work.matches.count(None, [player], over=False) >= MOST_BOARDS:
            raise NotAllowed(
                f"{people[player].userid} plays on {MOST_BOARDS} boards, the most at a time."
            )


def _pauses_of_robots(context: Context, players: Sequence[PlayerId]) -> tuple[Pause, ...]:
    """Return the endless pauses that stop the clocks of the robots among `players`."""
    robots = [player.id for player in context.people(players).values() if player.is_robot]
    return tuple(pause for robot in robots for pause in context.work.pauses.of(robot))
