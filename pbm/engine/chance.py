"""Help that a game may give to those who play it at random: robots, and benchmarks.

No game must. One that does not is played by a choice among all of its legal moves.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

from pbm.engine.game import AnyGame
from pbm.engine.types import Seat

T = TypeVar("T")
S_contra = TypeVar("S_contra", contravariant=True)
M_co = TypeVar("M_co", covariant=True)


class Chance(Protocol):
    """The source of chance that is passed in; a `random.Random` is one."""

    def random(self) -> float:
        """Return a number from 0 up to, but not, 1."""

    def choice(self, seq: Sequence[T], /) -> T:
        """Return one of `seq`, which is not empty."""


@runtime_checkable
class RandomTurns(Protocol[S_contra, M_co]):
    """What a game may have beside the contract: a random turn without a list of all of them."""

    def random_turn(self, state: S_contra, seat: Seat, chance: Chance) -> M_co:
        """Return a legal turn of `seat`, which is to move, that only `chance` decides.

        Turns that nobody in their right mind plays may be left out where there are others. Any
        other turn can come; the more alike their chances, the better robots judge a position.
        """


RandomTurn = Callable[[Any, Seat, Chance], Any]
"""Returns a random legal turn of a seat that is to move."""


def random_turns(game: AnyGame) -> RandomTurn:
    """Return the game's own random turn, or else a choice among all legal ones."""
    return game.random_turn if isinstance(game, RandomTurns) else unhelped(game)


def unhelped(game: AnyGame) -> RandomTurn:
    """Return a random turn that asks for nothing but the contract."""

    def random_turn(state: Any, seat: Seat, chance: Chance) -> Any:
        return chance.choice(tuple(game.legal_moves(state, seat)))

    return random_turn
