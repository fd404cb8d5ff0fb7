"""Reads a turn of NOTWO'S as people type it, with errors that teach the rules."""

import re
from typing import NoReturn

from games.notwos.board import CELL, COLUMNS, NAMES, RAYS, REACH, ROWS, between
from games.notwos.turns import (
    LEAST_STACK,
    State,
    builds,
    distributions,
    heights,
    role_of,
    stock,
    threatened,
)
from pbm.engine import (
    IllegalMoveError,
    IncompleteMoveError,
    MoveSyntaxError,
    is_swap,
    listing,
    quote,
)

SIDES = ("first", "second")
SIDE_NAMES = ("First", "Second")

_SIDE_WORDS = {
    "first": "first",
    "1st": "first",
    "vertical": "first",
    "second": "second",
    "2nd": "second",
    "horizontal": "second",
}

# The spaces are gone by now: "b3 to e6" arrives as "b3toe6".
_TURN = re.compile(
    r"(place|drop|build|distribute)?([a-z]\d{1,2})(->|[->,;:/+&]|and|to)?([a-z]\d{1,2})?"
)
_MARK_OF_WORD = {"build": ">", "distribute": "-"}

FORMS = "c4 drops a stone, c4>c6 builds, b3-e6 distributes"


def example_of(state: State) -> str:
    """Return what a turn looks like in this phase of the game."""
    if state.first is not None:
        return "c4"
    return "first" if state.singles else "b3,e5"


def read(state: State, text: str, typed: str) -> str:
    """Return the turn that `text` means; raise MoveErrors.

    `typed` is `text` folded and without spaces.
    """
    if state.first is None:
        return _read_choice(text, typed) if state.singles else _read_opening(text, typed)
    if typed in _SIDE_WORDS:
        raise IllegalMoveError("The sides are already chosen; you choose only once.")
    word, start, mark, end = _split(text, typed, f"a turn is written like this: {FORMS}")
    cells = heights(state)
    if end is None:
        if mark is None and word in (None, "drop", "place"):
            return _read_drop(state, cells, start)
        _unfinished(state, start)
    if word == "drop":
        raise IllegalMoveError("A drop is one stone on one empty cell, such as drop c4.")
    # Only a build starts from a single stone, and only a distribution from a stack. An arrow of
    # two signs is typed for both.
    natural = ">" if cells.get(CELL[start]) == 1 else "-"
    kind = _MARK_OF_WORD.get(word or "", mark if mark in (">", "-") else natural)
    if kind == ">":
        return _read_build(state, cells, start, end)
    return _read_distribution(state, cells, start, end)


def _split(text: str, typed: str, forms: str) -> tuple[str | None, str, str | None, str | None]:
    """Return the word, first cell, mark and second cell; a missing part is None."""
    found = _TURN.fullmatch(typed)
    if not found:
        raise MoveSyntaxError(f"{quote(text)} cannot be read; {forms}.")
    word, start, mark, end = found.groups()
    for cell in filter(None, (start, end)):
        if cell not in CELL:
            raise IllegalMoveError(
                f"There is no cell {cell} on this board; the columns are {COLUMNS[0]} to "
                f"{COLUMNS[-1]}, the rows {ROWS[0]} to {ROWS[-1]}."
            )
    return word, start, mark, end


def _read_opening(text: str, typed: str) -> str:
    if typed in _SIDE_WORDS:
        raise IllegalMoveError(
            "You place the two opening stones, such as b3,e5; then your opponent chooses sides."
        )
    word, start, mark, end = _split(
        text, typed, "the game opens with two stones on any two cells, such as b3,e5"
    )
    if word in _MARK_OF_WORD or mark in (">", "->"):
        raise IllegalMoveError(
            "There is nothing to build or distribute yet; the game opens with two stones on any "
            "two cells, such as b3,e5."
        )
    if end is None:
        pairs = [",".join(sorted((start, other))) for other in NAMES if other != start]
        # Those that begin as the player began are read first, and are most of what a mail lists.
        pairs.sort(key=lambda pair: not pair.startswith(start))
        raise IncompleteMoveError(
            f"The opening is two stones; name another cell after {start}.", pairs
        )
    if start == end:
        raise IllegalMoveError(
            f"The two opening stones go on two different cells; {start} was named twice."
        )
    return ",".join(sorted((start, end)))


def _read_choice(text: str, typed: str) -> str:
    if typed in _SIDE_WORDS:
        return _SIDE_WORDS[typed]
    what = "first (joins top and bottom) or second (joins left and right)"
    if _TURN.fullmatch(typed) or is_swap(typed):
        raise IllegalMoveError(f"The opening stones are placed; now choose your side: {what}.")
    raise MoveSyntaxError(f"{quote(text)} cannot be read; choose your side: {what}.")


def _read_drop(state: State, cells: dict[int, int], at: str) -> str:
    height = cells.get(CELL[at], 0)
    if height:
        going_on = _from(state, at)
        if going_on:
            raise IncompleteMoveError(
                f"{at} is not empty, so nothing can be dropped there; "
                f"where does a turn from {at} go?",
                going_on,
            )
        lying = "one stone" if height == 1 else f"a stack of {height}"
        raise IllegalMoveError(f"A stone is dropped into an empty cell; {at} holds {lying}.")
    if not stock(state):
        raise IllegalMoveError("There is no stone left in the stock to drop.")
    return at


def _from(state: State, start: str) -> list[str]:
    """Return the legal builds and distributions that start at a cell."""
    stacking = builds(state) if threatened(state) else []
    return [turn for turn in stacking + distributions(state) if turn.startswith(start)]


def _or_rather(state: State, aim: str, turn: str) -> str:
    """Return how to write the `turn` that may have been meant, or "" if it is not legal."""
    return f"; {aim} write {turn}" if turn in _from(state, turn[:2]) else ""


def _unfinished(state: State, start: str) -> NoReturn:
    going_on = _from(state, start)
    if going_on:
        raise IncompleteMoveError(f"Where does the turn from {start} go?", going_on)
    raise IllegalMoveError(
        f"From {start} nothing can be built or distributed now; a build needs a line of "
        "three single stones and a threat, a distribution needs a stack that can capture."
    )


def _read_build(state: State, cells: dict[int, int], start: str, end: str) -> str:
    if cells.get(CELL[start], 0) >= LEAST_STACK:
        hint = _or_rather(state, "to distribute the stack", f"{start}-{end}")
        raise IllegalMoveError(
            f"There is a stack on {start}, and a build takes single stones only{hint}."
        )
    line = (CELL[start], *_line(start, end))
    if len(line) < LEAST_STACK:
        raise IllegalMoveError(
            f"A build takes a line of at least three stones; {start} to {end} is only two."
        )
    wrong = [NAMES[cell] for cell in line if cells.get(cell) != 1]
    if wrong:
        raise IllegalMoveError(
            "A build takes an unbroken line of cells with exactly one stone each; "
            f"{listing(wrong, last='and')} {'does' if len(wrong) == 1 else 'do'} not qualify."
        )
    if len(line) > REACH[line[-1]]:
        raise IllegalMoveError(
            f"A stack of {len(line)} on {end} could never be distributed: from there the board "
            f"has at most {REACH[line[-1]]} cells in one direction."
        )
    if not threatened(state):
        other = SIDE_NAMES[1 - role_of(state, state.turn)]
        raise IllegalMoveError(
            "Building is only allowed when the opponent threatens to win on the next turn, "
            f"and {other} could not win now by any drop or distribution."
        )
    return f"{start}>{end}"


def _read_distribution(state: State, cells: dict[int, int], start: str, end: str) -> str:
    height = cells.get(CELL[start], 0)
    if height < LEAST_STACK:
        lying = f"{start} holds one stone" if height else f"{start} is empty"
        hint = _or_rather(state, "to build from there", f"{start}>{end}")
        raise IllegalMoveError(f"Only a stack can be distributed, and {lying}{hint}.")
    _line(start, end)
    ray = next(ray for ray in RAYS[CELL[start]] if CELL[end] in ray)
    if len(ray) < height:
        raise IllegalMoveError(
            f"The {height} stones on {start} would go over the edge: towards {end} the board "
            f"has only {len(ray)} cells."
        )
    last = NAMES[ray[height - 1]]
    if last != end:
        raise IllegalMoveError(
            f"The {height} stones on {start} go one to a cell, so towards {end} "
            f"the last one lies on {last}, not on {end}."
        )
    if not any(state.singles >> cell & 1 for cell in ray[:height]):
        raise IllegalMoveError(
            f"From {start} to {end} nothing would be captured; a distribution must lay "
            "a stone on at least one single stone."
        )
    return f"{start}-{end}"


def _line(start: str, end: str) -> tuple[int, ...]:
    """Return the cells after `start` up to `end`, or raise if they are in no line."""
    if start == end:
        raise IllegalMoveError(
            f"A turn with two cells needs two different ones, not {start} twice."
        )
    line = between(CELL[start], CELL[end])
    if not line:
        raise IllegalMoveError(
            f"{start} and {end} are not in one straight line, along a row, a column or a diagonal."
        )
    return line
