"""Two robots against each other, game after game, to learn which is stronger, and the game fair."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from statistics import median

from pbm.engine import (
    AnyGame,
    Chance,
    Draw,
    Setup,
    advance,
    begin,
    by_weight,
    deal,
    frozen,
    is_swap,
)
from pbm.robots.levels import Level
from pbm.robots.player import Robot
from pbm.robots.tree import LONGEST, worths_of

Dice = Callable[[str], Chance]
"""Returns a source of chance of its own for each name, the same for the same name."""

UNFINISHED = "unfinished"
"""The reason of a game that was stopped after LONGEST plies; it counts as a draw."""

_Z = 1.96
"""Standard deviations on both sides of the mean that hold 95 % of a normal distribution."""


@frozen
class DuelGame:
    """One game: what each of the two robots got of it, and what seat 0 got, from 0 to 1.

    With the pie rule seat 0 is whoever sits there at the end: its stones moved first.
    """

    worths: tuple[float, float]
    first_seat: float
    plies: int
    swapped: bool
    reason: str


@frozen
class Share:
    """The games won of all, a draw as a half, with the 95 % interval of the share."""

    won: float
    games: int
    share: float
    low: float
    high: float


@frozen
class Score:
    """The result of a duel: the shares of the first robot and of seat 0, the lengths, the ends."""

    robot: Share
    first_seat: Share
    draws: int
    swaps: int
    median_plies: float
    longest_plies: int
    reasons: dict[str, int]


def games_between(
    game: AnyGame, setup: Setup, sides: tuple[Level, Level], games: int, dice: Dice
) -> Iterator[DuelGame]:
    """Yield so many games; the robots begin in turn, the first one with the first.

    All of it follows from the dice, and each game only from its number.
    """
    for number in range(games):
        yield game_between(game, setup, sides, number, dice)


def game_between(
    game: AnyGame, setup: Setup, sides: tuple[Level, Level], number: int, dice: Dice
) -> DuelGame:
    """Return the game of that number: the first robot begins if it is even."""
    players = [Robot(game, side, dice(f"{number} {n}")) for n, side in enumerate(sides)]
    return _played(game, setup, players, number % 2, by_weight(dice(f"{number} draws")))


def _played(
    game: AnyGame, setup: Setup, robots: Sequence[Robot], first: int, draw: Draw
) -> DuelGame:
    """Return the game in which the robot `first` begins at seat 0, and the seats go round."""
    seats = game.info.players(setup)
    sitting = [(first + seat) % 2 for seat in range(seats)]
    position, swapped = begin(game, deal(game, setup, draw)), False
    while (due := game.to_move(position.state)) and position.ply < LONGEST:
        text = robots[sitting[due[0]]].choose(position)
        position, turn = advance(game, position, due[0], text, draw)
        if game.info.swap_after is not None and is_swap(turn.text):
            sitting, swapped = [1 - robot for robot in sitting], True
    result = game.result(position.state)
    worths = worths_of(result, seats)
    first_robot = sum(worth for worth, robot in zip(worths, sitting, strict=True) if robot == 0)
    return DuelGame(
        (first_robot, 1 - first_robot),
        worths[0],
        position.ply,
        swapped,
        result.reason if result else UNFINISHED,
    )


def score_of(played: Sequence[DuelGame]) -> Score:
    """Return what at least one game shows."""
    plies = [each.plies for each in played]
    return Score(
        share_of(sum(each.worths[0] for each in played), len(played)),
        share_of(sum(each.first_seat for each in played), len(played)),
        sum(0 < each.worths[0] < 1 for each in played),  # of three seats one robot has two
        sum(each.swapped for each in played),
        median(plies),
        max(plies),
        dict(Counter(each.reason for each in played).most_common()),
    )


def share_of(won: float, games: int) -> Share:
    """Return the share with its interval: Wilson, "Probable Inference" (1927).

    A draw counts as half a win, for which the interval is a little wider than it need be.
    """
    share, squared = won / games, _Z * _Z / games
    middle = share + squared / 2
    reach = _Z * sqrt((share * (1 - share) + squared / 4) / games)
    low, high = (middle - reach) / (1 + squared), (middle + reach) / (1 + squared)
    return Share(won, games, share, max(0.0, low), min(1.0, high))
