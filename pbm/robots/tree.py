"""The tree of a search, and the games played at random that judge its positions.

The tree has for each position how often it was tried, and what is proven of it. Source of the
random games: Brügmann, "Monte Carlo Go" (1993).
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pbm.engine import (
    CHANCE,
    AnyGame,
    Chance,
    Chances,
    Playout,
    RandomGames,
    Result,
    Seat,
    by_weight,
)

Worths = tuple[float, ...]
"""The worth of an end to each seat; all of them together make 1."""

LONGEST = 1000
"""Plies after which a game counts as a draw: random play may never end one."""

PlayOut = Callable[[Any, Chance], Playout]
"""Plays a game on at random from a state that is not over."""


def worths_of(result: Result | None, seats: int) -> Worths:
    """Return what a result is worth to each of `seats`: the winners share 1, in a draw all do."""
    winners = (result.winners if result else ()) or tuple(range(seats))
    return tuple((seat in winners) / len(winners) for seat in range(seats))


def playouts_of(game: AnyGame) -> PlayOut:
    """Return the game's own way to play on at random, or else one turn after the other."""
    if not isinstance(game, RandomGames):
        return turn_by_turn(game)
    helped: RandomGames[Any] = game

    def play_out(state: Any, chance: Chance) -> Playout:
        return helped.random_game(state, chance, LONGEST)

    return play_out


def turn_by_turn(game: AnyGame) -> PlayOut:
    """Return a way to play on that chooses among all legal moves of each position."""

    def play_out(state: Any, chance: Chance) -> Playout:
        seats = len(game.sides(state))
        played: tuple[set[str], ...] = tuple(set() for _ in range(seats))
        draw = by_weight(chance)
        for _ in range(LONGEST):
            due: tuple[Seat, ...] = game.to_move(state)
            if not due:
                return Playout(worths_of(game.result(state), seats), played)
            if due == (CHANCE,):
                state = game.draw(state, draw(game.chances(state)))
                continue
            move = chance.choice(tuple(game.legal_moves(state, due[0])))
            played[due[0]].add(str(move))
            state = game.play(state, due[0], move)
        return Playout(worths_of(None, seats), played)

    return play_out


PATIENCE = 64
"""A position waits one more visit for its own list for so many moves in the list before it."""


class Node:
    """A position in the tree, and the move that led to it.

    `visits` counts the tries that went through it, and `won` what they were worth to the seat that
    moved here. `seat` is to move, None at the end, or CHANCE: then `children` has the positions
    after the `chances` that were drawn. `proven` is what the position is worth to each seat if all
    play their best, once that is known. Once `opened`, its moves are in `untried`, by notation, or
    in `children`. `rapid` has for moves the tries in which `seat` played them at any
    later time, and what those were worth to it (AMAF: Gelly and Silver, 2011); `as_played` is the
    entry of the move that led here in the `rapid` of the position before, once there is one.
    """

    __slots__ = (
        *("state", "notation", "move", "seat", "visits", "won", "proven", "opened", "opens_at"),
        *("untried", "children", "rapid", "as_played", "chances"),
    )

    def __init__(self, game: AnyGame, state: Any, move: Any = None, opens_at: int = 0) -> None:
        due = game.to_move(state)
        self.chances: Chances = game.chances(state) if due == (CHANCE,) else _NO_CHANCES
        self.state = state
        self.move = move
        self.notation = str(move)
        self.seat: Seat | None = due[0] if due else None
        self.visits = 0
        self.won = 0.0
        self.proven: Worths | None = None
        if not due:
            self.proven = worths_of(game.result(state), len(game.sides(state)))
        self.opened = False
        self.opens_at = opens_at
        self.untried: dict[str, Any] = _NOTHING
        self.children: dict[str, Node] = _NOTHING
        self.rapid: dict[str, list[float]] = _NOTHING
        self.as_played: list[float] | None = None

    def open(self, game: AnyGame, chance: Chance) -> None:
        """List the moves, in an order that only `chance` decides."""
        moves = sorted(game.legal_moves(self.state, self.mover), key=lambda _: chance.random())
        self.untried = {str(move): move for move in moves}
        self.children = {}
        self.rapid = {}
        self.opened = True

    def drawn(self, game: AnyGame, chance: Chance) -> "Node":
        """Return the position after a draw, which is in the tree from then on."""
        outcome = by_weight(chance)(self.chances)
        if outcome not in self.children:
            self.children = self.children or {}
            self.children[outcome] = Node(game, game.draw(self.state, outcome), outcome, 1)
        return self.children[outcome]

    @property
    def mover(self) -> Seat:
        """The seat to move, where the game is not over."""
        assert self.seat not in (None, CHANCE)  # noqa: S101 - nobody has a move there
        return self.seat

    def child(self, game: AnyGame, notation: str) -> "Node":
        """Return the position after an untried move, which is not in the tree by that."""
        move = self.untried[notation]
        opens_at = 1 + (len(self.untried) + len(self.children)) // PATIENCE
        return Node(game, game.play(self.state, self.mover, move), move, opens_at)

    def adopt(self, child: "Node") -> None:
        """Make `child` a part of the tree."""
        del self.untried[child.notation]
        self.children[child.notation] = child
        child.as_played = self.rapid.get(child.notation)

    def note_rapid(self, played: set[str], worth: float) -> None:
        """Note that `seat` played these at some time, in a try that was worth so much to it."""
        rapid, untried, children = self.rapid, self.untried, self.children
        for notation in played:
            entry = rapid.get(notation)
            if entry is not None:
                entry[0] += 1
                entry[1] += worth
            elif notation in untried:
                rapid[notation] = [1, worth]
            elif notation in children:
                rapid[notation] = children[notation].as_played = [1, worth]

    def note_priors(self, worths: Mapping[str, float], tries: int) -> None:
        """Let moves begin as if each had been tried so often, and had been worth so much."""
        for notation, worth in worths.items():
            entry = self.rapid.setdefault(notation, [0, 0.0])
            entry[0] += tries
            entry[1] += tries * worth
            if notation in self.children:
                self.children[notation].as_played = entry

    def worth_of(self, child: "Node") -> float | None:
        """Return what `child` is proven to be worth to the seat to move here, or None."""
        return None if child.proven is None else child.proven[self.mover]

    def settle(self) -> bool:
        """Note what follows from the children's proofs; return whether something is proven.

        A win is proven by one move, anything else only by all of them. Source: Winands, Björnsson
        and Saito, "Monte-Carlo Tree Search Solver" (2008), here with draws and any number of seats.
        """
        proofs = [child.proven for child in self.children.values() if child.proven is not None]
        if not proofs:
            return False
        if self.chances:
            return self._settle_draws()
        best = max(proofs, key=lambda worths: worths[self.mover])
        complete = not self.untried and len(proofs) == len(self.children)
        if best[self.mover] < 1 and not complete:
            return False
        self.proven = best
        # Nothing more is tried from here.
        self.untried, self.rapid = {}, {}
        return True

    def _settle_draws(self) -> bool:
        """Prove the mean of all outcomes, once each is proven."""
        worths = [
            (weight, self.children[outcome].proven if outcome in self.children else None)
            for outcome, weight in self.chances.items()
        ]
        known = [(weight, worth) for weight, worth in worths if worth is not None]
        if len(known) == len(worths):
            whole, seats = sum(self.chances.values()), range(len(known[0][1]))
            self.proven = tuple(sum(w * each[s] for w, each in known) / whole for s in seats)
        return self.proven is not None

    def listed(self) -> int:
        """Return how many moves are listed in this position and in all below it.

        They, not the positions, are most of what a tree takes of the memory.
        """
        moves, waiting = 0, [self]
        while waiting:
            node = waiting.pop()
            moves += len(node.untried) + len(node.children)
            waiting += node.children.values()
        return moves

    def below(self) -> Iterator["Node"]:
        """Yield the positions after one ply, and after what is drawn then."""
        for child in self.children.values():
            yield from child.below() if child.chances else (child,)


_NO_CHANCES: Chances = {}

_NOTHING: dict[str, Any] = {}
"""The list of a position that is not opened; nothing is ever put into it."""


def found_in(root: Node, state: Any, depth: int) -> Node | None:
    """Return the node of `state` at most `depth` plies below `root`, or None."""
    level = [root]
    for _ in range(depth + 1):
        for node in level:
            if node.state == state:
                return node
        level = [child for node in level for child in node.below()]
    return None
