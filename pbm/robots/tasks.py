"""The tasks of robots: a move in a match, an answer to a draw offer, a hint for a player.

They go from one process to another, and so do their results.
"""

from collections.abc import Callable
from itertools import islice
from typing import Any, Protocol

from pbm.engine import SWAP, AnyGame, Chance, Position, Seat, Setup, Turn, decode, frozen, is_swap
from pbm.robots.levels import LEVELS, RANDOM, Level
from pbm.robots.player import Decision, Robot
from pbm.robots.search import SearchBounds, SearchResult, TriedMove, search
from pbm.robots.tree import Node


class Task(Protocol):
    """Something to think about: a frozen value that can be pickled, and needs no database."""

    @property
    def game(self) -> str:
        """The key of the game."""

    @property
    def rules_version(self) -> int:
        """The version of its rules under which the match began."""

    def run(self, game: AnyGame, is_over: Callable[[], bool]) -> Any:
        """Return what was found, a frozen value as well; think no longer once `is_over`."""


RESIGNS_FROM = 3
"""The lowest level that gives up what it has proven to be lost. A beginner wants to win by hand."""

PAIR = 2
"""The seats of a match in which giving up leaves one winner."""

LEAST_TRIES = 200
"""Playouts with which an offer is judged at least: with a few, the answer would be chance."""


@frozen
class Moment:
    """A position of a match as it is stored, and the `seat` of the robot that looks at it."""

    game: str
    rules_version: int
    state: str
    ply: int
    seat: Seat

    def position(self, game: AnyGame) -> Position[Any]:
        """Return the position."""
        return Position(decode(game, self.state), self.ply)


@frozen
class MoveFound:
    """The turn that a robot plays as ply `due`; it gives up instead if it `resigns`.

    `fault` says why a robot of others did not find it, "" if it did.
    """

    text: str
    due: int
    resigns: bool = False
    fault: str = ""

    def __str__(self) -> str:
        """Return the line for a log."""
        return "resigns" if self.resigns else self.text


@frozen
class AtMoment:
    """The fields that the tasks share. Level 0 is for a robot that cannot think."""

    moment: Moment
    level: int
    chance: Chance

    @property
    def game(self) -> str:
        """The key of the game."""
        return self.moment.game

    @property
    def rules_version(self) -> int:
        """The version of its rules."""
        return self.moment.rules_version


@frozen
class OtherRobot:
    """A robot of others that finds the move, by its `entry` among `pbm.robots`.

    It gets the setup of the match, the turns played so far, and which seats are its own.
    """

    entry: str
    setup: Setup
    turns: tuple[Turn, ...]
    own_seats: tuple[Seat, ...]


@frozen
class MoveTask(AtMoment):
    """A `pbm.robots.tasks.Task` that finds a move at a level from 1 to 5, or any move at level 0.

    If it has an `other` robot, whoever runs tasks should ask that (pbm.server.thinking.worker).
    """

    other: OtherRobot | None = None

    def run(self, game: AnyGame, is_over: Callable[[], bool]) -> MoveFound:
        """Return the move."""
        position = self.moment.position(game)
        robot = Robot(game, level_at(self.level), self.chance, is_over)
        decision = robot.decide(position, self.moment.seat)
        resigns = self.level >= RESIGNS_FROM and _is_lost(game, decision)
        return MoveFound(decision.text, self.moment.ply + 1, resigns)


@frozen
class AnswerFound:
    """Whether a robot agrees to the draw that was offered when ply `due` was due."""

    agrees: bool
    due: int

    def __str__(self) -> str:
        """Return the line for a log."""
        return "agrees to a draw" if self.agrees else "wants no draw"


@frozen
class AnswerTask(AtMoment):
    """A `pbm.robots.tasks.Task` that judges an offered draw: agreed to unless the robot is ahead.

    At level 0, or where turns are secret, the robot does not look, and says no.
    """

    def run(self, game: AnyGame, is_over: Callable[[], bool]) -> AnswerFound:
        """Return the answer."""
        due = self.moment.ply + 1
        if not self.level or not game.info.weighable:
            return AnswerFound(agrees=False, due=due)
        root = Node(game, self.moment.position(game).state)
        seats = len(game.sides(root.state))
        bounds = SearchBounds(max(level_at(self.level).playouts, LEAST_TRIES), is_over)
        found = search(game, root, bounds, self.chance)
        worth = _worth_to(self.moment.seat, root, found, seats)
        return AnswerFound(worth <= 1 / seats, due)


def level_at(number: int) -> Level:
    """Return the level of that number, from 1; 0 is random play."""
    return LEVELS[number - 1] if number else RANDOM


def _is_lost(game: AnyGame, decision: Decision) -> bool:
    """Return whether every move is proven to lose, to the only opponent."""
    found = decision.found
    return found is not None and found.best.proven == 0 and len(game.info.seats) == PAIR


def _worth_to(seat: Seat, root: Node, found: SearchResult, seats: int) -> float:
    """Return what the position is worth to `seat`; the others share what the mover leaves."""
    return found.worth if root.mover == seat else (1 - found.worth) / (seats - 1)


@frozen
class Tried:
    """A turn, and what it is worth to whoever plays it, from 0 to 1; `proven`: for certain."""

    text: str
    worth: float
    proven: bool = False


@frozen
class Hint:
    """The best turn; `second` is the next best, None if no other was looked at.

    `only` says that there is no other turn, and `even` that the turn is meant to be worth as little
    to one side as to the other, because the next player may trade places. It is for ply `due`.
    """

    best: Tried
    due: int
    second: Tried | None = None
    only: bool = False
    even: bool = False

    def __str__(self) -> str:
        """Return the line for a log."""
        return f"hint {self.best.text}"


def hint_of(
    game: AnyGame,
    position: Position[object],
    level: Level,
    chance: Chance,
    is_over: Callable[[], bool] | None = None,
) -> Hint:
    """Return the hint for a position where somebody is to move; it follows from `chance`."""
    due = position.ply + 1
    decision = Robot(game, level, chance, is_over).decide(position)
    found, text = decision.found, decision.text
    assert found is not None  # noqa: S101 - the level looks
    if is_swap(text):
        return Hint(_swapped(found), due, _tried(found.best))
    chosen, *others = sorted(found.choices, key=lambda choice: str(choice.move) != text)
    if game.info.swap_after == due:
        return Hint(_tried(chosen), due, even=True)
    looked_at = [choice for choice in others if choice.tries or choice.proven is not None]
    second = _tried(looked_at[0]) if looked_at else None
    turns = tuple(islice(game.legal_moves(position.state, game.to_move(position.state)[0]), 2))
    return Hint(_tried(chosen), due, second, only=len(turns) == 1)


def _tried(choice: TriedMove) -> Tried:
    return Tried(str(choice.move), choice.worth, choice.proven is not None)


def _swapped(found: SearchResult) -> Tried:
    """Return what it is worth to trade places: what the position is worth to the others."""
    return Tried(SWAP, 1 - found.worth, found.best.proven is not None)


class HintTask(AtMoment):
    """A `pbm.robots.tasks.Task` that finds a hint as a robot of a level from 1 to 5 would play."""

    __slots__ = ()

    def run(self, game: AnyGame, is_over: Callable[[], bool]) -> Hint:
        """Return the hint."""
        position = self.moment.position(game)
        return hint_of(game, position, level_at(self.level), self.chance, is_over)
