"""Beginning a match, and the open boards of a player."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from pbm.core.audience import board_messages
from pbm.core.board_messages import WaitingList
from pbm.core.budget import ENTRY_TIMED
from pbm.core.context import Context
from pbm.core.events import Effect, Event, Happening, SeenHappening
from pbm.core.letters import Message, letter
from pbm.domain.errors import NotAllowed, NotUnderstood, UnknownName
from pbm.domain.invitations import Invitation, Terms
from pbm.domain.match import Match, new_match
from pbm.domain.play import Board
from pbm.domain.player import Player, PlayerId, fold_userid
from pbm.domain.seen import seen
from pbm.domain.timekeeping import time_ends_at
from pbm.engine import PLAYERS, AnyGame, OptionError, Setup, deal, listing
from pbm.store.match_reading import MatchRow

MOST_BOARDS = 200
"""Open boards of one player. Leaving, or a vacation, concerns all of them in one mail."""

_OPPONENTS = ("bob", "carol", "dave", "erin", "frank", "grace", "heidi", "alice")
"""The opponents in an example."""


def is_for_two(game: AnyGame) -> bool:
    """Return whether two people play the game."""
    return game.info.sizes == (2,)


def challenge_line(game: AnyGame, userid: str, *named: str) -> str:
    """Return an example of a challenge to as many as usual, those `named` first."""
    others = [*named, *(name for name in _OPPONENTS if name != fold_userid(userid))]
    needed = others[: game.info.sizes[0] - 1]
    return " ".join([game.info.key, "challenge", userid, "your-password", *needed])


def setup_of(game: AnyGame, options: Mapping[str, str]) -> Setup:
    """Return the setup that a command asks for; raise UnknownName for an unknown option."""
    try:
        return game.info.setup(options)
    except OptionError as error:
        raise UnknownName(str(error), f"help {game.info.key}") from error


def setup_for(
    game: AnyGame, options: Mapping[str, str], named: int, userid: str = "alice"
) -> Setup:
    """Return the setup of a match for which so many players are named.

    Raise NotUnderstood if they are too many or too few; `userid` reads that.
    """
    sizes = sorted(game.info.sizes)
    if named in sizes and len(sizes) > 1:
        options = {PLAYERS: str(named), **options}
        sizes = [game.info.players(setup_of(game, options))]
    if named not in sizes:
        many = listing(map(str, sizes))
        raise NotUnderstood(
            f"{game.info.title} is for {many} players; {named} are named.",
            "" if is_for_two(game) else challenge_line(game, userid),
        )
    return setup_of(game, options)


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


def _welcomed(seen: SeenHappening) -> str:
    goal = seen.board.game.info.summary.rstrip(".")
    return (
        f"Welcome, {seen.reader.userid}, to your first board (the goal: "
        f"{goal[0].lower()}{goal[1:]})."
    )


WELCOMED = Event("welcomed", _welcomed, Effect.OTHER)

STARTED = Event("started", lambda seen: f"The match has begun: {seen.sides}.", Effect.START)


def start_match(
    context: Context, invitation: Invitation, newcomers: Iterable[PlayerId] = ()
) -> Iterator[Message]:
    """Store the match of `invitation`; write to its players and to followers of the game.

    `newcomers` get an introduction to their first board.
    Raises NotAllowed if one of the players has too many boards already.
    """
    _check_room(context, invitation.players)
    game = context.catalogue.get(invitation.game)
    players = invitation.players
    setup = deal(game, invitation.setup, context.draw)
    match = new_match(invitation.number, game, setup, invitation.terms, players, context.now)
    board = open_board(context, match)
    by = context.player.id if context.player else None
    started = Happening(STARTED, by, comment=context.comment)
    welcomes = (Happening(WELCOMED, only_for=player) for player in newcomers)
    yield from board_messages(context, board, *welcomes, started)


def open_board(context: Context, match: Match) -> Board:
    """Store a new match, and return it at its first position.

    The clocks of robots are stopped by endless pauses.
    """
    robots = [player for player in context.people(match.players).values() if player.is_robot]
    pauses = tuple(pause for robot in robots for pause in context.work.pauses.of(robot.id))
    return context.boards.add(replace(match, pauses=pauses))


def _check_room(context: Context, players: Sequence[PlayerId]) -> None:
    """Raise NotAllowed if one of them plays on as many boards as one can.

    Only the operator can exceed that.
    """
    people = context.people(players)
    for player in (p for p in players if context.player and not people[p].is_robot):
        if context.work.matches.count(None, [player], over=False) >= MOST_BOARDS:
            raise NotAllowed(
                f"{people[player].userid} plays on {MOST_BOARDS} boards, the most at a time."
            )


MOST_TOLD = 30
"""Boards that wait for a player and are shown in one mail; the others are in a list."""

_ALL = 1_000_000

NEVER = datetime.max.replace(tzinfo=UTC)


def waiting(context: Context, player: Player) -> WaitingList:
    """Return the boards that wait for `player`, at most MOST_TOLD of them."""
    boards = waiting_boards(context, player, MOST_TOLD)
    people = context.people({p for board in boards for p in board.match.players})
    views = tuple(seen(board, player.id) for board in boards)
    if len(boards) < MOST_TOLD:
        return WaitingList(player, views, 0, people)
    in_all = context.work.matches.count(None, [player.id], over=False, to_move=True)
    return WaitingList(player, views, in_all - len(boards), people)


def waiting_boards(context: Context, player: Player, most: int) -> tuple[Board, ...]:
    """Return the boards where `player` is to move, the most urgent first.

    Boards whose clock is stopped with no known end come last. Only the first `most` boards by
    number are looked at.
    """
    listing = context.work.matches.listing
    rows = listing(None, [player.id], over=False, to_move=True, limit=most)
    # A game may not be installed any more, and its boards cannot be loaded.
    boards = filter(None, [context.boards.find(row.number) for row in rows])
    return tuple(sorted(boards, key=lambda board: end_of_time(board.match, player.id)))


def end_of_time(match: Match, player: PlayerId) -> datetime:
    """Return when the time of `player` is over; NEVER while their clock is stopped."""
    return time_ends_at(match, player) or NEVER


def deadlines_of(context: Context, rows: Iterable[MatchRow]) -> dict[int, datetime | None]:
    """Return when the time of the players to move is over, by board; None if a clock is stopped.

    Boards that are over are left out.
    """
    going_on = [row for row in rows if not row.over]
    matches = context.work.matches.clocks([row.number for row in going_on])
    context.budget.record(ENTRY_TIMED * sum(len(match.log) for match in matches.values()))
    found: dict[int, datetime | None] = {}
    for row in going_on:
        match = matches[row.number]
        ends = [time_ends_at(match, match.players[seat]) for seat in row.to_move]
        found[row.number] = min(filter(None, ends), default=None)
    return found


def most_urgent_first(
    rows: Iterable[MatchRow], players: Container[PlayerId], deadlines: Mapping[int, datetime | None]
) -> tuple[MatchRow, ...]:
    """Return the boards: first where one of `players` is to move, then others, then ended ones.

    Each in the order of their deadlines.
    """

    def urgency(row: MatchRow) -> tuple[bool, bool, datetime]:
        theirs = any(row.players[seat] in players for seat in row.to_move)
        return row.over, not theirs, deadlines.get(row.number) or NEVER

    return tuple(sorted(rows, key=urgency))


def to_opponents(
    context: Context, player: Player, template: str, **facts: Any
) -> Iterator[Message]:
    """Yield a letter about `player` to each active player who has open boards with them.

    Its facts are also the userid of `player` and the numbers of these boards.
    """
    boards: dict[PlayerId, list[int]] = {}
    listing = context.work.matches.listing
    for row in listing(None, [player.id], over=False, to_move=False, limit=_ALL):
        for other in dict.fromkeys(row.players):
            boards.setdefault(other, []).append(row.number)
    people = context.people(boards)
    for other, numbers in boards.items():
        if people[other].active and other != player.id:
            facts["numbers"] = tuple(numbers)
            yield letter(people[other], template, userid=player.userid, **facts)
