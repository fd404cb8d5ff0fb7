"""Reads a turn of Nine Men's Morris, and says which rule forbids it.

A turn is one, two or three points: `d1`, `d1-d2`, `d1xg7`, `d1-d2xg7`. Whether all stones are
placed decides if the second is taken or a destination, whatever sign is before it.
"""

from dataclasses import dataclass
from typing import NoReturn

from pbm.engine import IllegalMoveError, MoveSyntaxError, Named, PointReader, Seat, listing, quote

from .board import MASKS, NAMES, NEIGHBOURS, names
from .state import State, may_jump, steps, takeable, turns

READER = PointReader(
    NAMES,
    "cannot be read as a turn; d1 places a stone, d1-d2 moves one, and d1xg7 or d1-d2xg7 takes "
    "the stone on g7 with a mill",
    signs=dict.fromkeys((":", "x", "\xd7", "take", "takes"), "x"),
    piece="stone",
    most=3,
)


def read(state: State, seat: Seat, sides: tuple[str, ...], text: str, typed: str) -> str:
    """Return the legal turn of `seat` that `text` means, or raise a MoveError.

    `sides` are the names of the seats.
    """
    named = READER.named(text, typed)
    points, (sign, *signs) = named.points, named.signs
    if sign == "x" and (len(points) == 3 or "x" in signs):
        raise MoveSyntaxError(
            f"{quote(text)} names too much after its first taken stone; a turn takes one stone, "
            "even if it closes two mills, and names it last, like d1-d2xg7."
        )
    judge = _Judge(state, seat, sides[1 - seat])
    if state.hand[seat]:
        judge.check_placing(named)
        step, taken = points[0], points[1:]
    else:
        judge.check_moving(named)
        step, taken = "-".join(points[:2]), points[2:]
        sign = signs[0]
    judge.check_taken(step, taken, told=sign == "x")
    missing = f"{step} closes a mill; add the stone that it takes."
    return READER.turn(points, turns(state, seat), missing)


@dataclass(frozen=True, slots=True)
class _Judge:
    """The rules that a turn may break; `opponent` is the other side's name."""

    state: State
    seat: Seat
    opponent: str

    @property
    def own(self) -> int:
        return self.state.stones[self.seat]

    def check_placing(self, named: Named) -> None:
        """Raise IllegalMoveError unless the first point can have a stone from the hand."""
        hand = self.state.hand[self.seat]
        left = f"{hand} {'stone' if hand == 1 else 'stones'}"
        if named.signs[0] in ("-", ">", "->") or len(named.points) > 2:
            raise IllegalMoveError(
                f"You still have {left} in hand, and stones move only when all are placed; "
                f"name one free point, like {names(self.state.free)[0]}."
            )
        self._check_free(named.points[0], f", and you still have {left} to place")

    def check_moving(self, named: Named) -> None:
        """Raise a MoveError unless a stone can move between the first two points."""
        if len(named.points) == 1:
            self._check_half_a_step(named.points)
        if named.signs[0] == "x":
            raise IllegalMoveError(
                "All your stones are placed, so a turn begins with the stone that moves and "
                "the point it goes to, like d1-d2xg7."
            )
        origin, to = named.points[:2]
        if not self.own & MASKS[origin]:
            free = self.state.free & MASKS[origin]
            there = "it is free" if free else f"{self.opponent} has one"
            raise IllegalMoveError(f"You have no stone on {origin}; {there}.")
        self._check_free(to)
        near = NEIGHBOURS[NAMES.index(origin)]
        if not (may_jump(self.state, self.seat) or near & MASKS[to]):
            raise IllegalMoveError(
                f"{to} is not next to {origin} on a line: from there a stone goes to "
                f"{listing(names(near))}. You may jump when you have three stones left, and "
                f"you have {self.own.bit_count()}."
            )

    def _check_half_a_step(self, points: tuple[str, ...]) -> NoReturn:
        """Raise the error for a lone point: a stone or a destination without the other."""
        READER.ask(points, turns(self.state, self.seat))
        (point,) = points
        if self.own & MASKS[point]:
            raise IllegalMoveError(
                f"Your stone on {point} cannot move; no point next to it is free."
            )
        self._check_free(point)
        raise IllegalMoveError(f"None of your stones can reach {point} in one move.")

    def _check_free(self, point: str, more: str = "") -> None:
        if not self.state.free & MASKS[point]:
            whose = "you have" if self.own & MASKS[point] else f"{self.opponent} has"
            raise IllegalMoveError(f"{point} is occupied: {whose} a stone there{more}.")

    def check_taken(self, step: str, taken: tuple[str, ...], *, told: bool) -> None:
        """Raise IllegalMoveError if a possible step does not take the stone `taken`.

        `told` says that the sign of a capture was typed.
        """
        if not dict(steps(self.state, self.seat))[step]:
            if taken or told:
                raise IllegalMoveError(f"{step} closes no mill, so it takes no stone.")
            return
        may_go = takeable(self.state, self.seat)
        for point in taken:
            if not self.state.stones[1 - self.seat] & MASKS[point]:
                raise IllegalMoveError(f"{self.opponent} has no stone on {point} to take.")
            if not may_go:
                raise IllegalMoveError(
                    f"All stones of {self.opponent} are in mills, so this mill takes none; "
                    f"play {step} alone."
                )
            if not may_go & MASKS[point]:
                raise IllegalMoveError(
                    f"The stone on {point} is in a mill and may not be taken; "
                    f"{step} can take {listing(names(may_go))}."
                )
