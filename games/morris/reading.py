"""Reads a turn of Nine Men's Morris, and says what is wrong with it.

A turn is one, two or three points: `d1`, `d1-d2`, `d1xg7`, `d1-d2xg7`. Before the point that a
stone goes to comes "-", ">", "->", "to", a comma or nothing; before a taken stone "x", ":",
"takes", "and takes", a comma or nothing. Whether all stones are placed decides if a point is taken
or a destination.
"""

import re
from dataclasses import dataclass

from games.morris.board import MASKS, NAMES, NEIGHBOURS, closes, names
from games.morris.state import State, may_jump, takeable, turns
from pbm.engine import (
    IllegalMoveError,
    IncompleteMoveError,
    MoveError,
    MoveSyntaxError,
    Seat,
    listing,
    quote,
)

_TAKES = r"(?:and)?takes?|[x:\xd7]"

_TURN = re.compile(
    r"(?P<first>[a-wyz]\d{1,3})"
    rf"[,;]?(?:(?P<step>->?|>|to)|(?P<take>{_TAKES}))?"
    rf"(?:(?P<second>[a-wyz]\d{{1,3}})[,;]?(?P<sign>{_TAKES})?(?P<third>[a-wyz]\d{{1,3}})?)?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class _Words:
    """What was typed: up to three points ("" for none) and the signs before the later two."""

    first: str
    step: bool
    take: bool
    second: str
    sign: bool
    third: str


def read(state: State, seat: Seat, sides: tuple[str, ...], text: str, typed: str) -> str:
    """Return the legal turn of `seat` that `text` means, or raise a MoveError.

    `typed` is `text` folded and without spaces. `sides` are the names of the seats.
    """
    if state.reason:
        raise IllegalMoveError("The game is over.")
    if seat != state.mover:
        raise IllegalMoveError(f"It is {sides[state.mover]}'s turn.")
    words = _words(text, typed)
    judge = _Judge(state, seat, sides[1 - seat])
    return judge.placing(words) if state.hand[seat] else judge.moving(words)


def _words(text: str, typed: str) -> _Words:
    found = _TURN.fullmatch(typed)
    if not found:
        raise MoveSyntaxError(
            f"{quote(text)} cannot be read as a turn; d1 places a stone, d1-d2 moves one, "
            "and d1xg7 or d1-d2xg7 takes the stone on g7 with a mill."
        )
    words = _Words(
        first=found["first"],
        step=bool(found["step"]),
        take=bool(found["take"]),
        second=found["second"] or "",
        sign=bool(found["sign"]),
        third=found["third"] or "",
    )
    for name in filter(None, (words.first, words.second, words.third)):
        if name not in MASKS:
            raise _no_point(name)
    if words.take and (words.sign or words.third):
        raise MoveSyntaxError(
            f"{quote(text)} names too much after its first taken stone; a turn takes one stone, "
            "even if it closes two mills, and names it last, like d1-d2xg7."
        )
    return words


def _no_point(name: str) -> IllegalMoveError:
    there = [known for known in NAMES if known[0] == name[0]]
    if there:
        words = f"column {name[0].upper()} has {listing(there, last='and')}"
    else:
        words = "the columns are A to G, the rows 1 to 7"
    return IllegalMoveError(f"There is no point {name} on this board; {words}.")


@dataclass(frozen=True, slots=True)
class _Judge:
    """The rules that a turn may break; `opponent` is the other side's name."""

    state: State
    seat: Seat
    opponent: str

    @property
    def own(self) -> int:
        return self.state.stones[self.seat]

    def placing(self, words: _Words) -> str:
        """Return the turn that places a stone, and takes one if two points were typed."""
        hand = self.state.hand[self.seat]
        left = f"{hand} {'stone' if hand == 1 else 'stones'}"
        if words.step or words.third or words.sign:
            raise IllegalMoveError(
                f"You still have {left} in hand, and stones move only when all are placed; "
                f"name one free point, like {names(self.state.free)[0]}."
            )
        self._check_free(words.first, f", and you still have {left} to place")
        taken = words.second if words.take or words.second else None
        return self._with_take(words.first, self.own, words.first, taken)

    def moving(self, words: _Words) -> str:
        """Return the turn that moves a stone between the first two points."""
        origin, to = words.first, words.second
        if not to:
            raise self._half_a_step(origin)
        if words.take:
            raise IllegalMoveError(
                "All your stones are placed, so a turn begins with the stone that moves and "
                "the point it goes to, like d1-d2xg7."
            )
        self._check_own(origin)
        self._check_free(to)
        if not may_jump(self.state, self.seat):
            self._check_joined(origin, to)
        taken = words.third if words.sign or words.third else None
        return self._with_take(f"{origin}-{to}", self.own ^ MASKS[origin], to, taken)

    def _half_a_step(self, point: str) -> MoveError:
        """Return the error for a lone point: a stone or a destination without the other."""
        moves = list(turns(self.state, self.seat))
        if self.own & MASKS[point]:
            fitting = [turn for turn in moves if turn.startswith(point)]
            asked = f"Where does your stone on {point} go"
            refused = f"Your stone on {point} cannot move; no point next to it is free."
        else:
            self._check_free(point)
            fitting = [turn for turn in moves if turn[3:5] == point]
            asked = f"Which of your stones goes to {point}"
            refused = f"None of your stones can reach {point} in one move."
        if not fitting:
            return IllegalMoveError(refused)
        return IncompleteMoveError(f"{asked}?", fitting)

    def _check_own(self, point: str) -> None:
        if not self.own & MASKS[point]:
            free = self.state.free & MASKS[point]
            there = "it is free" if free else f"{self.opponent} has one"
            raise IllegalMoveError(f"You have no stone on {point}; {there}.")

    def _check_free(self, point: str, more: str = "") -> None:
        if not self.state.free & MASKS[point]:
            whose = "you" if self.own & MASKS[point] else self.opponent
            has = "have" if whose == "you" else "has"
            raise IllegalMoveError(f"{point} is occupied: {whose} {has} a stone there{more}.")

    def _check_joined(self, origin: str, to: str) -> None:
        near = NEIGHBOURS[NAMES.index(origin)]
        if not near & MASKS[to]:
            raise IllegalMoveError(
                f"{to} is not next to {origin} on a line: from there a stone goes to "
                f"{listing(names(near))}. You may jump when you have three stones left, and "
                f"you have {self.own.bit_count()}."
            )

    def _with_take(self, step: str, others: int, to: str, taken: str | None) -> str:
        """Return the whole turn, after checking what the stone on `to` closes and takes.

        `taken` is None if no capture was typed, and "" if only its sign was typed, but no point.
        """
        if not closes(others, NAMES.index(to)):
            if taken is not None:
                raise IllegalMoveError(f"{step} closes no mill, so it takes no stone.")
            return step
        may_go = takeable(self.state, self.seat)
        if taken:
            self._check_taken(step, taken, may_go)
            return f"{step}x{taken}"
        if not may_go:
            return step
        complete = [f"{step}x{name}" for name in names(may_go)]
        raise IncompleteMoveError(f"{step} closes a mill; add the stone that it takes.", complete)

    def _check_taken(self, step: str, taken: str, may_go: int) -> None:
        theirs = self.state.stones[1 - self.seat]
        if not theirs & MASKS[taken]:
            raise IllegalMoveError(f"{self.opponent} has no stone on {taken} to take.")
        if not may_go:
            raise IllegalMoveError(
                f"All stones of {self.opponent} are in mills, so this mill takes none; "
                f"play {step} alone."
            )
        if not may_go & MASKS[taken]:
            raise IllegalMoveError(
                f"The stone on {taken} is in a mill and may not be taken; "
                f"{step} can take {listing(names(may_go))}."
            )
