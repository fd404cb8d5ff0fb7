"""Reads turns that are points: where a piece stands, where it goes, and what else is named.

A game whose turns are like `C4`, `d1-d2xg7` or `m13-m5:l4` has one reader, and in its `read`

    named = READER.named(text, typed)           # in any spelling, only points that there are
    READER.ask(named.points, turns)             # one point alone: where to, or where from?
    ...                                         # refuse what breaks a rule, and say which
    return READER.turn(named.points, turns, "A mill takes a stone; add which.")

All three raise MoveErrors that say what would do.
"""

import re
from collections.abc import Iterable, Mapping

from pbm.engine.errors import IllegalMoveError, IncompleteMoveError, MoveSyntaxError
from pbm.engine.notation import listing, quote
from pbm.engine.types import frozen

_NAME = re.compile("[A-Za-z][0-9]+")

_TYPED_NAME = "([a-z])[-.,:=/]?([0-9]{1,3})"

_IN_WORDS = re.compile("column([a-z]),?row([0-9])")

_SIGNS = {"to": "->"} | {sign: sign for sign in ("->", *"->,;:./+&")}
"""The signs between points in every game, and what each stands for."""


@frozen
class Named:
    """The points that a player named, and the sign behind each of them, "" for none.

    `word` is the word before them, "" for none.
    """

    word: str
    points: tuple[str, ...]
    signs: tuple[str, ...]


class PointReader:
    """Reads the turns of one game.

    `points` are the names of all points of the board: a letter and a number. `unread` completes
    the sentence about a text that names none, such as "cannot be read; a turn looks like d1-d2".
    `signs` are signs of the game itself with what each stands for, and `words` what may stand
    before the first point. `noun` is what the game calls a point, and `piece` what it calls what
    moves. A turn has at most so many points (`most`).
    """

    def __init__(
        self,
        points: Iterable[str],
        unread: str,
        *,
        signs: Mapping[str, str] | None = None,
        words: Iterable[str] = (),
        noun: str = "point",
        piece: str = "piece",
        most: int = 10,
    ) -> None:
        self._points = {name.lower(): name for name in points}
        self._unread, self._noun, self._piece = unread, noun, piece
        self._signs = {"": "", **_SIGNS, **(signs or {})}
        sign = "|".join(map(re.escape, sorted(filter(None, self._signs), key=len, reverse=True)))
        self._point = re.compile(rf"{_TYPED_NAME}[,;]?(?:and)?({sign})?")
        word = "|".join((*words, ""))
        self._turn = re.compile(rf"({word})((?:{self._point.pattern}){{1,{most}}}+)")

    def named(self, text: str, typed: str) -> Named:
        """Return the points in `text`, one or more, all of which there are.

        `typed` is `text` as `BaseGame.readable` returns it.
        """
        whole = self._turn.fullmatch(_IN_WORDS.sub(r"\1\2", typed))
        if not whole:
            raise MoveSyntaxError(f"{quote(text)} {self._unread}.")
        found = self._point.findall(whole[2])
        names = [f"{letter}{int(digits)}" for letter, digits, _ in found]
        for name in names:
            if name not in self._points:
                raise IllegalMoveError(f"There is no {self._noun} {self._other_than(name)}.")
        signs = tuple(self._signs[sign] for *_, sign in found)
        return Named(whole[1], tuple(self._points[name] for name in names), signs)

    def _other_than(self, name: str) -> str:
        """Return a missing name, and what there is: its column if that has gaps, or the ranges."""
        known = [*self._points.values()]
        name = name.upper() if known[0].isupper() else name
        columns = sorted({each[0] for each in known})
        rows = {int(each[1:]) for each in known}
        beside = [each for each in known if each[0] == name[0]]
        if 0 < len(beside) < len(rows):
            return f"{name} on this board; column {name[0]} has {listing(beside, last='and')}"
        first, last = columns[0], columns[-1]
        gaps = [chr(n) for n in range(ord(first), ord(last)) if chr(n) not in columns]
        without = f" without {listing(gaps)}" if gaps else ""
        return (
            f"{name} on this board; the columns are {first} to {last}{without}, "
            f"the rows {min(rows)} to {max(rows)}"
        )

    def ask(self, points: tuple[str, ...], turns: Iterable[str]) -> None:
        """Raise IncompleteMoveError for a point alone, if a legal turn begins or ends there."""
        if len(points) > 1:
            return
        (point,) = points
        named = {turn: _NAME.findall(turn) for turn in turns}
        leaving = [turn for turn, (start, *_) in named.items() if start == point]
        if leaving:
            raise IncompleteMoveError(f"Where does the {self._piece} on {point} go?", leaving)
        coming = [turn for turn, names in named.items() if names[1:2] == [point]]
        if coming:
            raise IncompleteMoveError(f"Which {self._piece} goes to {point}?", coming)

    def turn(self, points: tuple[str, ...], turns: Iterable[str], missing: str) -> str:
        """Return the one of the legal `turns` that has these points.

        Those after the second may be in any order. If a turn has all of them and more, raise
        IncompleteMoveError with the sentence `missing`.
        """
        longer = []
        for turn in turns:
            if not turn.startswith(points[0]):
                continue
            names = _NAME.findall(turn)
            if (*names[:2],)[: len(points)] == points[:2] and {*points[2:]} <= {*names[2:]}:
                if len(names) == len(points):
                    return turn
                longer.append(turn)
        if longer:
            raise IncompleteMoveError(missing, longer)
        raise IllegalMoveError(f"{listing(points, last='and')} make no legal move now.")
