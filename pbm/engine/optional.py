"""Optional methods of a game, by which it helps robots, benchmarks and programs of others.

A game without a random game of its own is played by a choice among all of its legal moves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol, TypeVar, runtime_checkable

from pbm.engine.types import Seat, frozen

T = TypeVar("T")
S_contra = TypeVar("S_contra", contravariant=True)


class Chance(Protocol):
    """The source of chance that is passed in; a `random.Random` is one."""

    def random(self) -> float:
        """Return a number from 0 up to, but not, 1."""

    def choice(self, seq: Sequence[T], /) -> T:
        """Return one of `seq`, which is not empty."""


@dataclass(frozen=True, slots=True)
class Playout:
    """A game played at random to its end, or until it can be estimated.

    `worths` is the worth to each seat; all of them make 1: the winners share it, in a draw
    everybody does. `played` are the notations of the turns that each seat played. A game may leave
    out those that say nothing about how good the same turn is now.
    """

    worths: tuple[float, ...]
    played: tuple[set[str], ...]

    @classmethod
    def by_turns(cls, turns: Sequence[str], first: Seat, worth: float) -> "Playout":
        """Return a game of two in which the seat `first` began and they took turns.

        `worth` is what it is worth to seat 0.
        """
        own, other = set(turns[::2]), set(turns[1::2])
        return cls((worth, 1 - worth), (other, own) if first else (own, other))

    @staticmethod
    def worth_of(winner: Seat | None) -> float:
        """Return what a game of two is worth to seat 0; without a winner it is a draw."""
        return 0.5 if winner is None else 1.0 - winner


@runtime_checkable
class Resampling(Protocol[T]):
    """A game that hides something and knows positions that a seat cannot tell apart."""

    def resample(self, state: T, seat: Seat, chance: Chance) -> T:
        """Return a position in which `seat` knows, and sees, the same as in `state`.

        What it does not know is drawn. The conformance suite compares the two.
        """


@runtime_checkable
class RandomGames(Protocol[S_contra]):
    """A game that plays whole random games on data of its own."""

    def random_game(self, state: S_contra, chance: Chance, longest: int) -> Playout:
        """Return how the game goes on from `state`, which is not over, if all play at random.

        After `longest` plies at most it is a draw. It may end earlier in an estimate. Turns that
        nobody in their right mind plays may be left out where there are others. Any other turn can
        come; the more alike their chances, the better robots judge a position.
        """


@runtime_checkable
class WithPriors(Protocol[S_contra]):
    """A game that can say by a rule of thumb how good turns are."""

    def priors(self, state: S_contra, seat: Seat) -> Mapping[str, float]:
        """Return what turns of `seat` seem to be worth, from 0 to 1, by notation.

        A robot asks once for each of its own, and goes by it until it has tried enough.
        """


@frozen
class PlayedMatch:
    """A match as another program may read it: the names of the players by seat, and its turns.

    `winners` are none in a draw, and None while there is no result.
    """

    title: str
    begun: date
    players: tuple[str, ...]
    turns: tuple[str, ...]
    winners: tuple[Seat, ...] | None


@frozen
class GameFile:
    """A file: how its name ends, its media type and its text."""

    suffix: str
    media_type: str
    text: str


@runtime_checkable
class WritesFiles(Protocol):
    """A game that has a file format of its own, which other programs read."""

    def file_of(self, match: PlayedMatch) -> GameFile:
        """Return a match in that format."""
