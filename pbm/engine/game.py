"""The contract of a game, and a base class that does what most games share.

A game is a stateless object. It is given positions (states) and gives positions back; it
never changes one, never looks at a clock, a file or a source of chance, and never writes
prose beyond the sentences of its errors.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Generic, Protocol, TypeVar, cast, get_args

from pbm.engine.chance import Chances
from pbm.engine.codec import from_json, from_plain, to_json, to_plain
from pbm.engine.diagram import Diagram
from pbm.engine.errors import (
    AmbiguousMoveError,
    IllegalMoveError,
    IncompleteMoveError,
    MoveError,
    MoveSyntaxError,
)
from pbm.engine.notation import MOVE_LENGTH_LIMIT, fold, quote
from pbm.engine.types import GameInfo, Result, Seat, Setup, Viewer

S = TypeVar("S")
K = TypeVar("K")
M = TypeVar("M")


class Game(Protocol[S, M]):
    """The contract of a game. S is the state, M a whole turn of one seat.

    A state is a frozen value that holds all the rules need, history included. A move is a
    value whose `str()` is the one canonical notation: `parse(state, seat, str(m)) == m`.
    """

    info: GameInfo

    def start(self, setup: Setup) -> S:
        """Return the first position."""

    def to_move(self, state: S) -> tuple[Seat, ...]:
        """Return the seat whose turn it is, alone in a tuple: () once the game is over.

        (CHANCE,) says that something must be drawn first. Only the engine and robots meet that.
        Several seats choose at the same time: the engine plays their turns one after the other,
        once all are there, and the seats that are left are to move in between.
        """

    def legal_moves(self, state: S, seat: Seat) -> Iterator[M]:
        """Yield each whole turn open to `seat` once, in a stable order; none if not to move."""

    def parse(self, state: S, seat: Seat, text: str) -> M:
        """Return the legal move that `text` means, or raise a MoveError.

        Takes any text whatever, in bounded time, and forgives what people type.
        """

    def play(self, state: S, seat: Seat, move: M) -> S:
        """Return the position after a legal `move`; `state` stays as it was."""

    def chances(self, state: S) -> Chances:
        """Return the outcomes that can be drawn where chance is to move, with their weights."""

    def draw(self, state: S, outcome: str) -> S:
        """Return the position after that was drawn, which depends on nothing else."""

    def result(self, state: S) -> Result | None:
        """Return how the game ended, or None while it goes on."""

    def diagram(self, state: S, viewer: Viewer) -> Diagram:
        """Return the board as `viewer` sees it; every style of `info.styles` works."""

    def leave(self, state: S, seat: Seat) -> S | None:
        """Return the position in which the others go on without a seat; None if they cannot."""

    def announced(self, state: S, seat: Seat, move: M) -> str:
        """Return what all others are told of a move, where something is hidden."""

    def sides(self, state: S) -> tuple[str, ...]:
        """Return the name of each seat's side, for games in which it or their number can change."""

    def dump(self, state: S) -> Mapping[str, Any]:
        """Return `state` as plain JSON values."""

    def load(self, data: Mapping[str, Any]) -> S:
        """Return the state that `dump` turned into `data`."""


AnyGame = Game[Any, Any]


def encode(game: AnyGame, state: object) -> str:
    """Return `state` as canonical JSON, in which equal states are equal bytes.

    Keys are sorted, there are no spaces, and everything is ASCII.
    """
    return to_json(game.dump(state))


def decode(game: AnyGame, text: str) -> Any:
    """Return the state that `encode` turned into `text`."""
    return game.load(from_json(text))


class BaseGame(Generic[S, M]):
    """The parts that most games share: reading a move, naming sides, storing a state.

    A subclass names its state in the class line, `class Hex(BaseGame[HexState, HexMove])`,
    and writes start, to_move, legal_moves, play, result and diagram; a game with chance in it also
    chances and draw. When its rules have changed,
    `earlier` holds the game as it was, an object of the same key for each earlier rules_version:
    a match is finished under the rules that it was begun with.
    """

    info: GameInfo
    folder = ""
    """The folder of its help.md and playthroughs/ beside the module, if that has several games."""

    earlier: tuple["BaseGame[Any, Any]", ...] = ()
    state_type: ClassVar[type]

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        for base in vars(cls).get("__orig_bases__", ()):
            arguments = get_args(base)
            if arguments and isinstance(arguments[0], type):
                cls.state_type = arguments[0]

    def start(self, setup: Setup) -> S:
        raise NotImplementedError

    def to_move(self, state: S) -> tuple[Seat, ...]:
        raise NotImplementedError

    def legal_moves(self, state: S, seat: Seat) -> Iterator[M]:
        raise NotImplementedError

    def play(self, state: S, seat: Seat, move: M) -> S:
        raise NotImplementedError

    def chances(self, state: S) -> Chances:
        raise NotImplementedError

    def draw(self, state: S, outcome: str) -> S:
        raise NotImplementedError

    def result(self, state: S) -> Result | None:
        raise NotImplementedError

    def diagram(self, state: S, viewer: Viewer) -> Diagram:
        raise NotImplementedError

    def leave(self, state: S, seat: Seat) -> S | None:
        """Return the state with `seat` in its field `left`; a state without one does not go on.

        The game passes over the seats in `left`.
        """
        left = getattr(state, "left", None)
        after: Any = None if left is None else replace(cast("Any", state), left=(*left, seat))
        return cast("S | None", after)

    def announced(self, state: S, seat: Seat, move: M) -> str:  # noqa: ARG002 - all may know it
        return str(move)

    def sides(self, state: S) -> tuple[str, ...]:  # noqa: ARG002 - the same in every position
        return self.info.seats

    def parse(self, state: S, seat: Seat, text: str) -> M:
        """Return the legal move that `text` means, by `read`, once it is the turn of `seat`."""
        typed = self.readable(text, self.example(state))
        if not self.to_move(state):
            raise IllegalMoveError("The game is over.")
        if seat not in self.to_move(state):
            raise IllegalMoveError(f"It is not {self.sides(state)[seat]}'s turn.")
        self.check_half(state, seat, text)
        self._check_gap(state, seat, text)
        return self.read(state, seat, text, typed)

    def _check_gap(self, state: S, seat: Seat, text: str) -> None:
        """Raise AmbiguousMoveError for "K1 3" if K1 and K13 are legal."""
        folded = fold(text)
        gap = _GAP.search(folded)
        readings: list[str] = []
        for form in (folded[: gap.start()], folded) if gap else ():
            try:
                readings.append(str(self.read(state, seat, form, self.readable(form))))
            except MoveError:
                return
        if len(set(readings)) > 1:
            raise AmbiguousMoveError(f"Which move is {quote(text)}?", readings)

    def example(self, state: S) -> str:  # noqa: ARG002 - the same in every position
        """Return a move to show where nothing can be read."""
        return self.info.example

    def read(self, state: S, seat: Seat, text: str, typed: str) -> M:
        """Return the legal move whose notation is `text`, ignoring white space and case.

        A text that begins legal moves is incomplete. A text that occurs elsewhere in them is
        ambiguous, or stands for the move if there is just one. Override this where the list of
        moves is long or an error can teach more; `typed` is what `readable` makes of `text`.
        """
        moves = self._moves_by_notation(state, seat)
        for form in (_closed_up(text), *_forms(typed)):
            if form in moves:
                return moves[form]
        part = _part(typed)
        longer = [str(m) for key, m in moves.items() if part.match(key)]
        if longer:
            raise _incomplete(text, longer)
        holding = [m for key, m in moves.items() if len(typed) > 1 and part.search(key)]
        if len(holding) == 1:
            return holding[0]
        if holding:
            names = [str(m) for m in holding]
            raise AmbiguousMoveError(f"{quote(text)} fits more than one move.", names)
        raise IllegalMoveError(f"{quote(text)} is not a legal move in this position.")

    def _moves_by_notation(self, state: S, seat: Seat) -> Mapping[str, M]:
        """Return the legal moves by their folded notation.

        A move is often read more than once: to see whether a line of a mail is one, to play it, and
        after a slip of the pen.
        """
        return self._kept(
            "_kept_by_notation", state, seat,
            lambda: {_closed_up(str(m)): m for m in self.legal_moves(state, seat)},
        )  # fmt: skip

    def check_half(self, state: S, seat: Seat, text: str) -> None:
        """Raise IncompleteMoveError if `text` is the letter or number at which legal moves begin.

        The candidates are the moves whose first point has that letter or number.
        """
        typed = _without_stop(_closed_up(text))
        if not _HALF.fullmatch(typed):
            return
        fitting = self._moves_by_half(state, seat).get(typed)
        if fitting:
            raise _incomplete(text, fitting)

    def _moves_by_half(self, state: S, seat: Seat) -> Mapping[str, list[str]]:
        """Return the legal moves by the letter and by the number of their first point.

        A mail may hold dozens of lines, each of one letter.
        """

        def halves() -> dict[str, list[str]]:
            found: dict[str, list[str]] = {}
            moves = [str(move) for move in self.legal_moves(state, seat)]
            for move in moves:
                if point := _FIRST_POINT.match(fold(move)):
                    for half in dict.fromkeys(point.groups()):
                        found.setdefault(half, []).append(move)
            whole = set(map(_closed_up, moves))
            return {half: longer for half, longer in found.items() if half not in whole}

        return self._kept("_kept_by_half", state, seat, halves)

    def _kept(self, name: str, state: S, seat: Seat, find: Callable[[], K]) -> K:
        """Return what `find` finds for a seat in a position; the last answer of a name is kept."""
        kept = vars(self).get(name)
        if kept and kept[0] is state and kept[1] == seat:
            return cast("K", kept[2])
        found = find()
        vars(self)[name] = (state, seat, found)
        return found

    def readable(self, text: str, example: str = "") -> str:
        """Return `text` folded, without spaces and without a full stop or the like at its end.

        Arrows typed with two or three signs, such as "=>", are "->". Raises MoveSyntaxError if
        the text is empty or huge; it shows `example`, or else the one of the first position.
        """
        shown = example or self.info.example
        typed = _ARROW.sub("->", _without_stop(_closed_up(text)))
        if not typed:
            raise MoveSyntaxError(f"No move was given; one looks like {shown}.")
        if len(typed) > MOVE_LENGTH_LIMIT:
            raise MoveSyntaxError(f"{quote(text)} is too long for a move; one looks like {shown}.")
        return typed

    def dump(self, state: S) -> Mapping[str, Any]:
        return cast("Mapping[str, Any]", to_plain(state))

    def load(self, data: Mapping[str, Any]) -> S:
        return cast("S", from_plain(self.state_type, data))


_HALF = re.compile(r"[a-z]|[0-9]{1,2}")
_FIRST_POINT = re.compile(r"([a-z])([0-9]+)")
_GAP = re.compile(r"(?<=[0-9]) (?=[0-9])")
_ARROW = re.compile(r"[-=]++>")


def _closed_up(text: str) -> str:
    """Return `text` folded and without spaces."""
    return fold(text).replace(" ", "")


def _without_stop(typed: str) -> str:
    """Return `typed` without what ends a sentence."""
    return typed.rstrip(".!,;")


def _forms(typed: str) -> tuple[str, ...]:
    """Return the notations that `typed` may stand for: an arrow can mean either of its halves."""
    if "->" not in typed:
        return (typed,)
    return (typed, typed.replace("->", "-"), typed.replace("->", ">"))


def _part(typed: str) -> re.Pattern[str]:
    """Return what finds `typed` in a notation, unless that cuts a number: a1 is no part of a10."""
    return re.compile(rf"(?:(?<![0-9])|(?![0-9])){re.escape(typed)}(?:(?<![0-9])|(?![0-9]))")


def _incomplete(text: str, whole: list[str]) -> IncompleteMoveError:
    return IncompleteMoveError(f"{quote(text)} is only a part of a move.", whole)
