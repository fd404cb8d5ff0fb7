"""What the positions of a match are worth, each by a search of its own.

A search flatters the seat to move, because it has just looked for that seat's best turns. So the
same position seems better before a turn than after it, by about as much everywhere. Half of the
median of that is taken off each position.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from statistics import median
from typing import Any

from pbm.engine import AnyGame, Chance, Position, Seat
from pbm.robots.playouts import Worths, worths_of
from pbm.robots.search import Bounds, Found, search
from pbm.robots.tree import Node

_FORCED = 100
"""Forced turns in a row that are followed to the next choice."""


_DOUBT = 0.01
"""How far from 0 and 1 everything is that is not proven."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a position is worth to each seat, 0 to 1 and together 1; `proven`: for certain.

    Of two seats, none has 0 or 1 unless that is proven.
    """

    worths: Worths
    proven: bool = False


@dataclass(frozen=True, slots=True)
class Eye:
    """Looks at positions of one game for as long as there is time."""

    game: AnyGame
    chance: Chance
    is_over: Callable[[], bool] | None

    @property
    def tired(self) -> bool:
        """Whether the time is over."""
        return self.is_over is not None and self.is_over()

    def found(self, state: Any, playouts: int) -> Found:
        """Return what a search finds in a position that is not over."""
        bounds = Bounds(playouts, self.is_over, wanted=True)
        return search(self.game, Node(self.game, state), bounds, self.chance)

    def prospect(self, state: Any, playouts: int) -> Prospect:
        """Return what a position is worth; with more than two seats the others share the rest.

        Where there is but one turn, it is worth what comes after that.
        """
        game, seats = self.game, len(self.game.info.seats)
        due = game.to_move(state)
        for _ in range(_FORCED):
            turns = tuple(islice(game.legal_moves(state, due[0]), 2)) if due else ()
            if len(turns) != 1:
                break
            state = game.play(state, due[0], turns[0])
            due = game.to_move(state)
        if not due:
            return Prospect(worths_of(game.result(state), seats), proven=True)
        found = self.found(state, playouts)
        proven = found.best.proven is not None
        worth = found.worth if proven else _doubtful(found.worth)
        return Prospect(_shared(worth, due[0], seats), proven)


def _doubtful(worth: float) -> float:
    """Return a worth that is not proven: never nothing and never all."""
    return min(1 - _DOUBT, max(_DOUBT, worth))


def _shared(worth: float, seat: Seat, seats: int) -> Worths:
    """Return the worths to all seats if it is `worth` to one, and the others are alike."""
    rest = (1 - worth) / (seats - 1)
    return tuple(worth if each == seat else rest for each in range(seats))


def prospects_of(
    eye: Eye, positions: Sequence[Position[Any]], playouts: int
) -> tuple[Prospect, ...]:
    """Return what the positions are worth, from the last one back to where the time is over.

    What wins for certain after a turn wins before it, too, even if the search has not seen it. A
    swap changes no position.
    """
    later = [eye.prospect(positions[-1].state, playouts)]
    for position, after in reversed(list(pairwise(positions))):
        known = later[-1]
        won = known.proven and known.worths[eye.game.to_move(position.state)[0]] == 1
        if won or position.state == after.state:
            later.append(known)
            continue
        seen = eye.prospect(position.state, playouts)
        if eye.tired:
            break  # and what was seen is only a glance
        later.append(seen)
    return tuple(reversed(later))


def unflattered(
    game: AnyGame, positions: Sequence[Position[Any]], prospects: tuple[Prospect, ...]
) -> tuple[Prospect, ...]:
    """Return the prospects without what a search adds for the seat to move."""
    looked_at = positions[len(positions) - len(prospects) :]
    movers = [game.to_move(position.state)[:1] for position in looked_at]
    pairs = list(pairwise(zip(movers, prospects, strict=True)))
    gaps = [
        before.worths[seat] - after.worths[seat]
        for ((seat, *_), before), (due, after) in pairs
        if due and due[0] != seat and not (before.proven or after.proven)
    ]
    flattery = median(gaps) / 2 if gaps else 0.0
    return tuple(
        prospect if prospect.proven or not due else _less(prospect, due[0], flattery)
        for due, prospect in zip(movers, prospects, strict=True)
    )


def _less(prospect: Prospect, seat: Seat, flattery: float) -> Prospect:
    worth = _doubtful(prospect.worths[seat] - flattery)
    return Prospect(_shared(worth, seat, len(prospect.worths)))
