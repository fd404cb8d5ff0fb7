"""The board of OLIX as bit sets, and what stones on it are worth: the best O, L, I and X.

A cell of the 11 x 11 board is a number, column by column from the left and upwards in each, with
one number left out above every column: a1 is 0, a11 is 10, b1 is 12. The gap is in no set of
stones, so a shifted set never runs from one column into the next.

Values are computed from sets of runs, the cells on which a run of k stones begins. That handles all
cells at once and is faster than following the lines of the stone just played.
"""

from collections.abc import Iterator

from pbm.engine import bits

SIZE = 11
COLUMNS = "abcdefghijk"
ROWS = tuple(str(row) for row in range(1, SIZE + 1))

UP = 1
RIGHT = SIZE + 1
RISING = RIGHT + UP
FALLING = RIGHT - UP
"""The step from a cell to a neighbour, and the distance by which to shift a set."""

CELL = {
    f"{letter}{number}": x * RIGHT + y
    for x, letter in enumerate(COLUMNS)
    for y, number in enumerate(ROWS)
}
NAME = {cell: name for name, cell in CELL.items()}
SQUARES = tuple((1 << cell, name) for name, cell in CELL.items())
BOARD = sum(square for square, _ in SQUARES)


def beside(cells: int) -> int:
    """Return the neighbours of these cells in all eight directions, and the gaps among them."""
    tall = cells | cells << UP | cells >> UP
    return (tall | tall << RIGHT | tall >> RIGHT) & ~cells


def line(length: int, step: int) -> int:
    """Return the set of `length` cells in a row, starting at cell 0."""
    return sum(1 << step * n for n in range(length))


def area(width: int, height: int) -> int:
    """Return the set of a whole rectangle whose lower left corner is cell 0."""
    return sum(line(height, UP) << RIGHT * x for x in range(width))


def frame(width: int, height: int) -> int:
    """Return the border of the rectangle `area`."""
    inside = area(width - 2, height - 2) << RISING if min(width, height) > 2 else 0
    return area(width, height) & ~inside


Values = tuple[int, int, int, int]
"""The best O, L, I and X of one player, in this order; 0 for a missing one."""

PATTERNS = "OLIX"
NOTHING: Values = (0, 0, 0, 0)
WINNING: Values = (10, 9, 8, 8)
"""Rule text, goal: the O, L, I and X that win at once."""

LEAST_LEG = 3
LEAST_ANGLE = 2 * LEAST_LEG - 1
LEAST_RUN = 4

STRAIGHT = (RIGHT, UP)
SLANTED = (RISING, FALLING)

_SIZES = tuple((w, h) for w in range(2, SIZE + 1) for h in range(2, SIZE + 1))
_AREA = {size: area(*size) for size in _SIZES}
_FRAME = {size: frame(*size) for size in _SIZES}
_LINE = {(n, step): line(n, step) for n in range(1, SIZE + 1) for step in STRAIGHT + SLANTED}


def runs(stones: int, step: int) -> list[int]:
    """Return, for k = 1, 2, ..., the cells where a run of k or more stones by `step` begins."""
    found = []
    while stones:
        found.append(stones)
        stones &= stones >> step
    return found


def best_values(stones: int, known: Values = NOTHING) -> Values:
    """Return the best O, L, I and X of `stones`, which are those of one player.

    `known` are values that they have at least, such as those before the last stone.
    """
    across, upward = runs(stones, RIGHT), runs(stones, UP)
    straight = max(len(across), len(upward))
    slanted = max(len(runs(stones, RISING)), len(runs(stones, FALLING)))
    return (
        _best_rectangle(stones, across, upward, known[0]),
        _best_angle(across, upward, known[1]),
        straight if straight >= LEAST_RUN else 0,
        slanted if slanted >= LEAST_RUN else 0,
    )


def can_raise(own: int, empty: int, best: Values, left: int) -> bool:
    """Return whether `left` more stones on `empty` cells could raise any of the `best` values.

    help.md, "On this server": imagine that the player lays all remaining stones at once, on any
    empty cells, and the opponent lays none. So a pattern is within reach if it has no more empty
    cells than there are stones left. For an O these are the empty cells of its border; the other
    stones may fill empty cells within it, each worth one more. No bound is looser than this,
    because only the pattern itself costs stones.

    For I, X and L it is enough to check those worth one more than the best, because each larger
    one contains one of these. An O needs every size, because larger ones need not contain it.
    """
    usable = own | empty
    if left >= SIZE and _starts(usable, UP, max(best[2] + 1, LEAST_RUN)):
        return True  # The short cut of most positions: no row takes more stones.
    if any(
        (row & empty).bit_count() <= left
        for steps, value in ((STRAIGHT, best[2]), (SLANTED, best[3]))
        for row in _rows(usable, steps, value + 1)
    ):
        return True
    across, upward = runs(usable, RIGHT), runs(usable, UP)
    return any(
        (bent & empty).bit_count() <= left for bent in _angles(across, upward, best[1] + 1)
    ) or any(
        (border & empty).bit_count() <= left
        and (whole & own).bit_count() + min(left, (whole & empty).bit_count()) > best[0]
        for whole, border in _rectangles(across, upward, larger_than=best[0])
    )


def structure(stones: int, pattern: int, value: int) -> int:
    """Return the stones of one best `pattern`, an index of PATTERNS, that is worth `value`."""
    across, upward = runs(stones, RIGHT), runs(stones, UP)
    if pattern == 0:
        wholes = (whole & stones for whole, _ in _rectangles(across, upward, larger_than=0))
        return next(own for own in wholes if own.bit_count() == value)
    if pattern == 1:
        return next(_angles(across, upward, value))
    return next(_rows(stones, STRAIGHT if pattern == 2 else SLANTED, value))


def points(values: tuple[Values, Values]) -> tuple[int, int]:
    """Return the final points of both players.

    For each of the four patterns only the larger of the two players' best values counts, for its
    owner; equal values count for both.
    """
    pairs = list(zip(*values, strict=True))
    return sum(a for a, b in pairs if a >= b), sum(b for a, b in pairs if b >= a)


def _rows(stones: int, steps: tuple[int, int], length: int) -> Iterator[int]:
    """Yield each I or X of `length` stones, or of the least length if that is more."""
    length = max(length, LEAST_RUN)
    for step in steps:
        for cell in bits(_starts(stones, step, length)):
            yield _LINE[length, step] << cell


def _starts(stones: int, step: int, length: int) -> int:
    """Return the cells where a run of `length` or more stones by `step` begins."""
    starts = stones
    for _ in range(length - 1):
        starts &= starts >> step
    return starts


def _angles(across: list[int], upward: list[int], value: int) -> Iterator[int]:
    """Yield each L of exactly `value` stones, or of the least value if that is more."""
    value = max(value, LEAST_ANGLE)
    for a in range(LEAST_LEG, value - LEAST_LEG + 2):
        b = value + 1 - a
        if a > len(across) or b > len(upward):
            continue
        for back in (0, RIGHT * (a - 1)):
            for down in (0, UP * (b - 1)):
                corners = across[a - 1] << back & upward[b - 1] << down
                for corner in bits(corners):
                    yield _LINE[a, RIGHT] << corner - back | _LINE[b, UP] << corner - down


def _best_angle(across: list[int], upward: list[int], known: int) -> int:
    """Return the value of the best L, or `known` if there is none better."""
    best = known
    flat = _legs(across, RIGHT, best + 2 - len(upward))
    tall = _legs(upward, UP, best + 2 - len(across)) if flat else []
    for a, flat_ends in flat:
        for b, tall_ends in tall:
            if a + b - 1 <= best:
                break
            if flat_ends & tall_ends:
                best = a + b - 1
    return best


def _legs(starts: list[int], step: int, least: int) -> list[tuple[int, int]]:
    """Return each possible length of a leg from `least` on, the longest first, and its ends."""
    lengths = range(len(starts), max(least, LEAST_LEG) - 1, -1)
    return [(n, starts[n - 1] | starts[n - 1] << step * (n - 1)) for n in lengths]


def _best_rectangle(stones: int, across: list[int], upward: list[int], known: int) -> int:
    """Return the value of the best O, or `known` if there is none better."""
    best = known
    for w in range(len(across), 1, -1):
        for h in range(len(upward), 1, -1):
            if w * h <= best:
                break
            for corner in bits(_corners(across, upward, w, h)):
                best = max(best, (_AREA[w, h] << corner & stones).bit_count())
    return best


def _corners(across: list[int], upward: list[int], w: int, h: int) -> int:
    """Return the lower left corners of the rectangles of this size with a full border."""
    bottoms, sides = across[w - 1], upward[h - 1]
    return bottoms & bottoms >> UP * (h - 1) & sides & sides >> RIGHT * (w - 1)


def _rectangles(
    across: list[int], upward: list[int], *, larger_than: int
) -> Iterator[tuple[int, int]]:
    """Yield area and border of each full-bordered rectangle of more than `larger_than` cells."""
    for w in range(2, len(across) + 1):
        for h in range(max(2, larger_than // w + 1), len(upward) + 1):
            for corner in bits(_corners(across, upward, w, h)):
                yield _AREA[w, h] << corner, _FRAME[w, h] << corner
