"""Reads a turn of NOTWO'S as people type it, with errors that teach the rules."""

from pbm.engine import (
    IllegalMoveError,
    IncompleteMoveError,
    MoveError,
    MoveSyntaxError,
    PointReader,
    is_swap,
    listing,
    quote,
)

from .board import CELL, NAMES, RAYS, REACH, between
from .turns import (
    LEAST_STACK,
    State,
    builds,
    distributions,
    heights,
    role_of,
    stock,
    threatened,
)

SIDES = ("first", "second")
SIDE_NAMES = ("First", "Second")

_SIDE_WORDS = {
    **dict.fromkeys(("first", "1st", "vertical"), "first"),
    **dict.fromkeys(("second", "2nd", "horizontal"), "second"),
}

_SIGN_OF_WORD = {"build": ">", "distribute": "-"}

_OPENING = "the game opens with two stones on any two cells, such as b3,e5"

READER = PointReader(
    NAMES,
    f"cannot be read; {_OPENING}; later c4 drops a stone, c4>c6 builds, b3-e6 distributes",
    words=("place", "drop", *_SIGN_OF_WORD),
    noun="cell",
    piece="stone or stack",
    most=2,
)


def read(state: State, text: str, typed: str) -> str:
    """Return the turn that `text` means; raise MoveErrors."""
    if state.first is None:
        return _read_choice(text, typed) if state.singles else _read_opening(text, typed)
    if typed in _SIDE_WORDS:
        raise IllegalMoveError("The sides are already chosen; you choose only once.")
    named = READER.named(text, typed)
    word, sign, (start, *ends) = named.word, named.signs[0], named.points
    if not (ends or sign or word in _SIGN_OF_WORD):
        return _read_drop(state, start)
    if not ends:
        READER.ask(named.points, _from(state, start))
        raise IllegalMoveError(
            f"From {start} nothing can be built or distributed now; a build needs a line of "
            "three single stones and a threat, a distribution needs a stack that can capture."
        )
    if word == "drop":
        raise IllegalMoveError("A drop is one stone on one empty cell, such as drop c4.")
    (end,) = ends
    # Only a build starts from a single stone, and only a distribution from a stack. An arrow of
    # two signs is typed for both.
    natural = ">" if heights(state).get(CELL[start]) == 1 else "-"
    kind = _SIGN_OF_WORD.get(word, sign if sign in (">", "-") else natural)
    why_not = _why_no_build if kind == ">" else _why_no_distribution
    refusal = why_not(state, start, end)
    if refusal:
        raise IllegalMoveError(refusal)
    return f"{start}{kind}{end}"


def _read_opening(text: str, typed: str) -> str:
    if typed in _SIDE_WORDS:
        raise IllegalMoveError(
            "You place the two opening stones, such as b3,e5; then your opponent chooses sides."
        )
    named = READER.named(text, typed)
    start = named.points[0]
    if named.word in _SIGN_OF_WORD or named.signs[0] in (">", "->"):
        raise IllegalMoveError(f"There is nothing to build or distribute yet; {_OPENING}.")
    if len(named.points) == 1:
        pairs = [",".join(sorted((start, other))) for other in NAMES if other != start]
        # Those that begin as the player began are read first, and are most of what a mail lists.
        pairs.sort(key=lambda pair: not pair.startswith(start))
        raise IncompleteMoveError(
            f"The opening is two stones; name another cell after {start}.", pairs
        )
    if len(set(named.points)) == 1:
        raise IllegalMoveError(
            f"The two opening stones go on two different cells; {start} was named twice."
        )
    return ",".join(sorted(named.points))


def _read_choice(text: str, typed: str) -> str:
    if typed in _SIDE_WORDS:
        return _SIDE_WORDS[typed]
    what = "first (joins top and bottom) or second (joins left and right)"
    try:
        is_turn = is_swap(typed) or bool(READER.named(text, typed))
    except MoveError as error:
        is_turn = isinstance(error, IllegalMoveError)
    if is_turn:
        raise IllegalMoveError(f"The opening stones are placed; now choose your side: {what}.")
    raise MoveSyntaxError(f"{quote(text)} cannot be read; choose your side: {what}.")


def _read_drop(state: State, at: str) -> str:
    height = heights(state).get(CELL[at], 0)
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


def _why_no_build(state: State, start: str, end: str) -> str:
    """Return the rule that forbids a build, or ""."""
    cells = heights(state)
    if cells.get(CELL[start], 0) >= LEAST_STACK:
        hint = _or_rather(state, "to distribute the stack", f"{start}-{end}")
        return f"There is a stack on {start}, and a build takes single stones only{hint}."
    line = (CELL[start], *between(CELL[start], CELL[end]))
    wrong = [NAMES[cell] for cell in line if cells.get(cell) != 1]
    reach = REACH[line[-1]]
    if len(line) < LEAST_STACK:
        two = f"A build takes a line of at least three stones; {start} to {end} is only two."
        return _why_no_line(start, end) or two
    if wrong:
        return (
            "A build takes an unbroken line of cells with exactly one stone each; "
            f"{listing(wrong, last='and')} {'does' if len(wrong) == 1 else 'do'} not qualify."
        )
    if len(line) > reach:
        return (
            f"A stack of {len(line)} on {end} could never be distributed: from there the board "
            f"has at most {reach} cells in one direction."
        )
    if not threatened(state):
        other = SIDE_NAMES[1 - role_of(state, state.turn)]
        return (
            "Building is only allowed when the opponent threatens to win on the next turn, "
            f"and {other} could not win now by any drop or distribution."
        )
    return ""


def _why_no_distribution(state: State, start: str, end: str) -> str:
    """Return the rule that forbids a distribution, or ""."""
    height = heights(state).get(CELL[start], 0)
    if height < LEAST_STACK:
        lying = f"{start} holds one stone" if height else f"{start} is empty"
        hint = _or_rather(state, "to build from there", f"{start}>{end}")
        return f"Only a stack can be distributed, and {lying}{hint}."
    ray = next((ray for ray in RAYS[CELL[start]] if CELL[end] in ray), ())
    if not ray:
        return _why_no_line(start, end)
    if len(ray) < height:
        return (
            f"The {height} stones on {start} would go over the edge: towards {end} the board "
            f"has only {len(ray)} cells."
        )
    last = NAMES[ray[height - 1]]
    if last != end:
        return (
            f"The {height} stones on {start} go one to a cell, so towards {end} "
            f"the last one lies on {last}, not on {end}."
        )
    if not any(state.singles >> cell & 1 for cell in ray[:height]):
        return (
            f"From {start} to {end} nothing would be captured; a distribution must lay "
            "a stone on at least one single stone."
        )
    return ""


def _why_no_line(start: str, end: str) -> str:
    """Return why two cells are not in one line, or "" if they are."""
    if start == end:
        return f"A turn with two cells needs two different ones, not {start} twice."
    if between(CELL[start], CELL[end]):
        return ""
    return f"{start} and {end} are not in one straight line, along a row, a column or a diagonal."
