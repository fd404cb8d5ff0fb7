"""Robots as opponents: their names, the games they play, and the one that fits a player."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from pbm.core.context import Context
from pbm.core.letters import Message
from pbm.core.open_boards import challenge_line, is_for_two
from pbm.domain.catalogue import Catalogue
from pbm.domain.errors import NotAllowed, NotNow, Refusal
from pbm.domain.invitations import Terms
from pbm.domain.play import Board
from pbm.domain.player import Player, fold_userid
from pbm.domain.ratings import Rating, aged
from pbm.domain.robots import ANYBODY, LEVEL_WORDS, Brain, Thought
from pbm.engine import AnyGame, Chance, Seat, encode, fold, frozen, listing
from pbm.robots.tasks import Moment, Task
from pbm.store.unit import UnitOfWork


@frozen
class ThoughtJob:
    """The functions for one kind of thought.

    `prepare` returns what to think about, or None if there is nothing to think about any more. A
    Refusal says why it cannot be thought about now; it is looked at again later.

    `carry_out` acts on what was found, in the context's unit of work, and yields messages. The
    board may have changed since. A Refusal then says that what was found is out of date; the
    thought is prepared again if there is still something to think about.

    `fault_of` returns why a robot of others did not find what was found; "" if it did, or if none
    was asked.
    """

    prepare: Callable[[Context, Thought], Task | None]
    carry_out: Callable[[Context, Thought, Any], Iterator[Message]]
    fault_of: Callable[[Any], str] = lambda _found: ""


def chance_of(context: Context, board: Board) -> Chance:
    """Return the chance for a thought about a board as it is now.

    It is always the same, so the same thought has the same result in any process, and after a
    kill. But where turns are secret, nobody can tell a robot's in advance.
    """
    if board.game.info.weighable:
        return Random(f"{board.match.number} {board.position.ply}")  # noqa: S311 - no secret
    return Random(context.services.chance.new_id())  # noqa: S311 - the seed is a secret


def moment_of(board: Board, seat: Seat) -> Moment:
    """Return the position of a board as the player of `seat` looks at it."""
    match, position = board.match, board.position
    state = encode(board.game, position.state)
    return Moment(match.game, match.rules_version, state, position.ply, seat)


MOST_BOARDS = 10
"""Open boards against robots of one player."""

_HISTORY = 20
"""Finished matches in which the last one against a robot is looked for."""

LEVEL = "level"
"""The word that may be between "robot" and its level."""

_ARTICLES = frozenset({"a", "the"})

_MOST_WORDS = 20
"""Words among which robots are looked for. A challenge has fewer, and a line may have thousands."""


def robots_named(words: Sequence[str]) -> list[str]:
    """Return the words with "a robot", "robot easy" and "robot level 2" as one word each.

    Any other stays as it is, because it may be a password.
    """
    found: list[str] = []
    for word in words[:_MOST_WORDS]:
        before = fold(found[-1]) if found else ""
        if fold(word) == ANYBODY and before in _ARTICLES:
            found[-1] = word
        elif before == ANYBODY and (level := level_in(word)):
            found[-1] = f"{ANYBODY}-{level}"
        elif before != ANYBODY or fold(word) != LEVEL:
            found.append(word)
    return [*found, *words[_MOST_WORDS:]]


def is_robot(word: str) -> bool:
    """Return whether a word of a challenge asks for a robot: "robot", or "robot-" and a number."""
    begins = fold_userid(word).startswith(f"{ANYBODY}-")
    return fold(word) == ANYBODY or (begins and level_in(word.partition("-")[2]) != "")


def level_in(word: str) -> str:
    """Return the number of the level that "2", "#2" or "easy" names; "" for any other word."""
    number = word.lstrip("#")
    is_number = len(word) <= 2 and number.isascii() and number.isdigit()
    return number if is_number else LEVEL_WORDS.get(fold(word), "")


@frozen
class RobotPlayer:
    """A robot that plays, and the brain that thinks for it."""

    player: Player
    brain: Brain


def robots_of(work: UnitOfWork, game: str) -> tuple[RobotPlayer, ...]:
    """Return the active robots that play the game of that key, our own first, by level."""
    return tuple(robot for robot in _robots(work) if robot.brain.plays(game))


def _robots(work: UnitOfWork) -> list[RobotPlayer]:
    brains = work.robots.all()
    people = work.players.by_ids(brains)
    found = [RobotPlayer(people[p], brain) for p, brain in brains.items() if people[p].active]
    return sorted(found, key=lambda r: (not r.brain.is_ours, r.brain.level, r.player.userid))


def robot_line(context: Context, key: str) -> str:
    """Return the line that begins a match of a game with a robot, or "" if no robot plays it."""
    game = context.catalogue.find(key)
    found = game is not None and is_for_two(game) and robots_of(context.work, key)
    return f"{key} {ANYBODY}" if found else ""


def recommended(work: UnitOfWork, catalogue: Catalogue) -> AnyGame:
    """Return the game that newcomers are shown first: the first for two that a robot plays."""
    games = tuple(filter(is_for_two, catalogue)) or tuple(catalogue)
    brains = [robot.brain for robot in _robots(work)]
    played = (game for game in games if any(brain.plays(game.info.key) for brain in brains))
    return next(played, games[0])


def robot_named(context: Context, game: AnyGame, name: str, player: Player) -> Player:
    """Return the robot of that name, or the one that fits `player` if the name is only "robot".

    Raises a Refusal that names those that play the game.
    """
    there = robots_of(context.work, game.info.key)
    if name == ANYBODY:
        return _any_robot(context, game, player, there)
    named = context.work.players.by_userid(name)
    if named is None or not named.is_robot:
        raise _instead(NotAllowed, f"There is no {name}.", there, game)
    if not named.active:
        raise _instead(NotNow, f"{named.userid} is not playing at present.", there, game)
    check_plays(context.work, game, [named])
    return named


def _any_robot(
    context: Context, game: AnyGame, player: Player, there: Sequence[RobotPlayer]
) -> Player:
    """Return the robot of `there` that fits `player`, who does not block it."""
    blocked = context.work.blocks.blocked_by(player.id)
    free = [robot for robot in there if robot.player.id not in blocked]
    if not free:
        raise NotNow(
            f"No robot plays {game.info.title} here at present.",
            f"{game.info.key} seek {player.userid} your-password",
        )
    return fitting(context, game, player, free).player


def check_plays(work: UnitOfWork, game: AnyGame, players: Iterable[Player]) -> None:
    """Raise NotAllowed if one of these is a robot that does not play the game."""
    for robot in (player for player in players if player.is_robot):
        brain = work.robots.get(robot.id)
        if brain is None or not brain.plays(game.info.key):
            said = f"{robot.userid} does not play {game.info.title}."
            raise _instead(NotAllowed, said, robots_of(work, game.info.key), game)


def _instead(
    kind: type[Refusal], said: str, there: Sequence[RobotPlayer], game: AnyGame
) -> Refusal:
    """Return a refusal that names the robots which play the game, with a challenge of one."""
    if not there:
        return kind(f"{said} No robot plays {game.info.title}.")
    names = [robot.player.userid for robot in there]
    plays = "plays" if len(names) == 1 else "play"
    return kind(
        f"{said} {listing(names, last='and')} {plays} {game.info.title}, the strongest last.",
        challenge_line(game, "alice", *names),
    )


def fitting(
    context: Context, game: AnyGame, player: Player, there: Sequence[RobotPlayer]
) -> RobotPlayer:
    """Return the robot among `there`, at least one, that `player` should play.

    For somebody with a rating in the game that is the robot whose own is nearest. For everybody
    else it is the first; or, after a match with a robot, that one again, or the next if it lost.
    """
    ours = [robot for robot in there if robot.brain.is_ours] or list(there)
    ids = [robot.player.id for robot in ours]
    known = context.work.ratings.of(game.info.key, [player.id, *ids])
    own = known.get(player.id, Rating())
    if own.matches and ids[0] in known:
        mine = aged(own, context.now)
        ratings = [known.get(robot.player.id, Rating()).rating for robot in ours]
        return min(zip(ours, ratings, strict=True), key=lambda each: abs(each[1] - mine.rating))[0]
    return ours[_next_step(context, game, player, ours)]


def _next_step(context: Context, game: AnyGame, player: Player, ours: Sequence[RobotPlayer]) -> int:
    """Return the place of the robot that comes after the player's last match with one of `ours`."""
    places = {robot.player.id: place for place, robot in enumerate(ours)}
    for row in context.work.matches.history(game.info.key, [player.id], limit=_HISTORY):
        met = [places[player] for player in row.players if player in places]
        if met and row.outcome and row.outcome.counts:
            won = player.id in {row.players[seat] for seat in row.outcome.winners}
            return min(met[0] + won, len(ours) - 1)
    return 0


def terms_with_robots(players: Iterable[Player], given: Mapping[str, str]) -> Mapping[str, str]:
    """Return the match options `given`; with a robot, unrated is added unless they say."""
    return unrated_unless_said(given) if any(p.is_robot for p in players) else given


def unrated_unless_said(given: Mapping[str, str]) -> Mapping[str, str]:
    """Return the match options `given`, with unrated unless they say rated or unrated."""
    says = any(name.lower() in ("rated", "unrated") for name in given)
    return given if says else {**given, "unrated": ""}


def check_robots(
    context: Context, game: AnyGame, terms: Terms, sender: Player, players: Sequence[Player]
) -> None:
    """Raise a Refusal if a robot among `players` does not play a match of these terms."""
    robots = [player for player in players if player.is_robot]
    if not robots:
        return
    example = challenge_line(game, sender.userid, robots[0].userid)
    if sender.id not in {player.id for player in players}:
        raise NotAllowed("You play a robot yourself.", example)
    check_plays(context.work, game, robots)
    brain = context.work.robots.get(robots[0].id)
    if terms.rated and brain and not brain.is_ours:
        raise NotAllowed(
            f"{robots[0].userid} is a program of others, and plays unrated matches only.", example
        )
    if context.work.robots.boards_with(sender.id) >= MOST_BOARDS:
        raise NotAllowed(
            f"You play {MOST_BOARDS} boards with robots, the most at a time. When one of them is "
            "over, you can begin another.",
            "games",
        )
