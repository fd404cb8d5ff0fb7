"""Looks back at a finished match: what each turn won or lost, and which were the mistakes.

What was played and what would have been better are both judged by a search of the position after
it, with the other side to move.

A search flatters the seat to move, because it has just looked for that seat's best turns. So the
same position seems better before a turn than after it, by about as much everywhere. Half of the
median of that is taken off each position.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise
from statistics import median
from typing import Any

from pbm.engine import (
    CHANCE,
    AnyGame,
    Chance,
    Position,
    Seat,
    Setup,
    Turn,
    frozen,
    is_swap,
    may_swap,
    notation_of,
    replay,
    taken,
)
from pbm.robots.levels import Level
from pbm.robots.player import EVEN, Robot
from pbm.robots.search import SearchBounds, SearchResult, search
from pbm.robots.tree import Node, Worths, worths_of

_FORCED = 100
"""Forced turns in a row that are followed to the next choice."""


_DOUBT = 0.01
"""The least distance from 0 and 1 of a worth that is not proven."""


@frozen
class Prospect:
    """The worth of a position to each seat, 0 to 1 and together 1, and whether it is `proven`.

    Of two seats, none has 0 or 1 unless that is proven.
    """

    worths: Worths
    proven: bool = False


@frozen
class Eye:
    """Looks at positions of one game for as long as there is time."""

    game: AnyGame
    chance: Chance
    is_over: Callable[[], bool] | None

    @property
    def tired(self) -> bool:
        """Return whether the time is over."""
        return self.is_over is not None and self.is_over()

    def found(self, state: Any, playouts: int) -> SearchResult:
        """Return what a search finds in a position that is not over."""
        bounds = SearchBounds(playouts, self.is_over, wanted=True)
        return search(self.game, Node(self.game, state), bounds, self.chance)

    def prospect(self, state: Any, playouts: int) -> Prospect:
        """Return what a position is worth; with more than two seats the others share the rest.

        Where there is but one turn, it is worth what comes after that, and where something is
        drawn, the mean of what can come.
        """
        game, seats = self.game, len(self.game.sides(state))
        due = game.to_move(state)
        if due == (CHANCE,):
            return self._expected(state, playouts)
        for _ in range(_FORCED):
            turns = tuple(islice(game.legal_moves(state, due[0]), 2)) if due else ()
            if len(turns) != 1:
                break
            after = game.play(state, due[0], turns[0])
            if game.to_move(after) == (CHANCE,):
                break
            state, due = after, game.to_move(after)
        if not due:
            return Prospect(worths_of(game.result(state), seats), proven=True)
        found = self.found(state, playouts)
        proven = found.best.proven is not None
        worth = found.worth if proven else _doubtful(found.worth)
        return Prospect(_shared(worth, due[0], seats), proven)

    def _expected(self, state: Any, playouts: int) -> Prospect:
        """Return the mean of the positions after a draw, each with its share of the playouts."""
        chances = self.game.chances(state)
        whole, share = sum(chances.values()), max(1, playouts // len(chances))
        seen = [
            (weight / whole, self.prospect(self.game.draw(state, outcome), share))
            for outcome, weight in chances.items()
        ]
        seats = range(len(self.game.sides(state)))
        worths = tuple(sum(part * each.worths[seat] for part, each in seen) for seat in seats)
        return Prospect(worths, all(each.proven for _, each in seen))


def _doubtful(worth: float) -> float:
    """Return a worth that is not proven: never nothing and never all."""
    return min(1 - _DOUBT, max(_DOUBT, worth))


def _shared(worth: float, seat: Seat, seats: int) -> Worths:
    """Return the worths to all seats if it is `worth` to one, and the others share the rest."""
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


TOTAL = 60_000
"""Playouts for a whole match: half a minute of a core for a long one on a large board."""

LEAST, MOST = 40, 2_000
"""Playouts for each position of a very long match, and of a very short one."""

MISTAKES = 3
"""The number of mistakes that are reported: the biggest."""

_SUSPECTS = 6
"""The number of turns that are looked at closer to find them, each by three searches."""

_SHARE = 3
"""The closer look has a third of all playouts."""

EFFORT = 20_000
"""Moves that are tried to prove that there was a win in a few turns (`pbm.robots.solver`)."""

LARGE = 0.1
"""The least loss that makes a turn a mistake: ten tries of a hundred."""


@frozen
class Swing:
    """A turn, the `ply`-th of its match, and what it was worth to whoever played it.

    That is from 0 to 1, `before` the turn and `after` it. Where the pie rule is open it counts that
    a player may trade places.
    """

    ply: int
    seat: Seat
    text: str
    before: float
    after: float

    @property
    def change(self) -> float:
        """The worth that the turn won, or lost if it is below 0."""
        return self.after - self.before


@frozen
class Mistake:
    """A turn after which the match was worth less to whoever played it than after a `better` one.

    `worth` is what it was worth then, `missed` what it would have been worth, both from 0 to 1.
    """

    ply: int
    text: str
    better: str
    worth: float
    missed: float

    @property
    def lost(self) -> float:
        """The worth that the turn lost."""
        return self.missed - self.worth


@frozen
class Analysis:
    """The worth of a match after each ply, or only the last ones, and how each turn changed it.

    `prospects` are one more than `swings`: the first is that before them. `playouts` is how many
    games were tried for a position at most. `mistakes` begin with the biggest.
    """

    prospects: tuple[Prospect, ...]
    swings: tuple[Swing, ...]
    mistakes: tuple[Mistake, ...]
    playouts: int

    def __str__(self) -> str:
        """Return the line for a log."""
        return f"analysis of {len(self.swings)} turns"


def analysis_of(
    game: AnyGame,
    setup: Setup,
    turns: Sequence[Turn],
    chance: Chance,
    is_over: Callable[[], bool] | None = None,
    total: int = TOTAL,
) -> Analysis:
    """Return what at least one turn of a match shows; raise MoveError if one breaks the rules.

    All of it follows from `chance`, unless the time `is_over`, which may read a clock. Then it
    holds only the end of the match, every turn of which had the same effort.
    """
    positions = tuple(replay(game, setup, turns))
    closer = total // _SHARE // (3 * _SUSPECTS)
    playouts = max(LEAST, min(MOST, (total - total // _SHARE) // len(positions)))
    eye = Eye(game, chance, is_over)
    prospects = unflattered(game, positions, prospects_of(eye, positions, playouts))
    first = len(positions) - len(prospects)
    swings = tuple(_swings(game, positions[first:], turns[first:], prospects))
    mistakes = _mistakes(eye, positions, swings, max(LEAST, closer))
    return Analysis(prospects, swings, mistakes, playouts)


def _swings(
    game: AnyGame,
    positions: Sequence[Position[Any]],
    turns: Sequence[Turn],
    prospects: Sequence[Prospect],
) -> Iterator[Swing]:
    for number, turn in enumerate(turns):
        position, (before, after) = positions[number], prospects[number : number + 2]
        yield Swing(
            position.ply + 1,
            turn.seat,
            turn.text,
            _open_to(game, position, turn.seat, before.worths),
            _left_by(game, position, turn, after.worths),
        )


def _open_to(game: AnyGame, position: Position[Any], seat: Seat, worths: Worths) -> float:
    """Return what a position is worth to the player to move, who may be able to trade places.

    Before a turn after which the next player may do so, nobody can be better than even.
    """
    if game.info.swap_after == position.ply + 1:
        return EVEN
    return max(worths[seat], _other(worths, seat)) if may_swap(game, position) else worths[seat]


def _left_by(game: AnyGame, position: Position[Any], turn: Turn, worths: Worths) -> float:
    """Return what the position after a turn is worth to whoever played it."""
    own = worths[turn.seat]
    if game.info.swap_after is not None and is_swap(turn.text):
        return _other(worths, turn.seat)
    if game.info.swap_after == position.ply + 1:
        return min(own, _other(worths, turn.seat))
    return own


def _other(worths: Worths, seat: Seat) -> float:
    """Return what it is worth to the seat with which the pie rule trades places: the one before."""
    return worths[seat - 1]


def _mistakes(
    eye: Eye, positions: Sequence[Position[Any]], swings: Sequence[Swing], playouts: int
) -> tuple[Mistake, ...]:
    """Return the turns that lost most, the biggest first."""
    suspects = sorted(swings, key=lambda swing: swing.change)[:_SUSPECTS]
    found = []
    for swing in suspects:
        if swing.change > -LARGE / 2:
            break
        mistake = _mistake(eye, positions[swing.ply - 1], swing, playouts)
        if eye.tired:
            break
        if mistake and mistake.lost >= LARGE:
            found.append(mistake)
    return tuple(sorted(found, key=lambda mistake: -mistake.lost)[:MISTAKES])


def _mistake(eye: Eye, position: Position[Any], swing: Swing, playouts: int) -> Mistake | None:
    """Return the turn and what a search plays instead, or None if that is the same turn."""
    level = Level("a closer look", playouts, effort=EFFORT)
    better = Robot(eye.game, level, eye.chance, eye.is_over).choose(position)
    if better == notation_of(swing.text):
        return None
    missed, worth = (
        _worth_after(eye, position, Turn(swing.seat, text), playouts)
        for text in (better, notation_of(swing.text))
    )
    return Mistake(swing.ply, swing.text, better, worth, missed)


def _worth_after(eye: Eye, position: Position[Any], turn: Turn, playouts: int) -> float:
    """Return what a turn is worth to whoever plays it, by a search of the position after it."""
    after, *_ = taken(eye.game, position, turn.seat, turn.text)
    return _left_by(eye.game, position, turn, eye.prospect(after, playouts).worths)


@frozen
class AnalysisTask:
    """A `pbm.robots.tasks.Task` that looks back at a match, with `total` playouts."""

    game: str
    rules_version: int
    setup: Setup
    turns: tuple[Turn, ...]
    chance: Chance
    total: int = TOTAL

    def run(self, game: AnyGame, is_over: Callable[[], bool]) -> Analysis:
        """Return the analysis."""
        return analysis_of(game, self.setup, self.turns, self.chance, is_over, self.total)
