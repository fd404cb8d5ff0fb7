"""The board of Nine Men's Morris: its points, its lines, and sets of points as bits.

A point is a number from 0 to 23, in the order of its name (a1, a4, a7, b2, ... g7). A set of
points, such as the stones of one side, is an int whose bit p stands for point p. So one or two
operations on ints tell whether a stone is in a mill, or a point is free or next to another.
"""

LINE_NAMES = (
    ("a1", "d1", "g1"), ("a7", "d7", "g7"), ("a1", "a4", "a7"), ("g1", "g4", "g7"),
    ("b2", "d2", "f2"), ("b6", "d6", "f6"), ("b2", "b4", "b6"), ("f2", "f4", "f6"),
    ("c3", "d3", "e3"), ("c5", "d5", "e5"), ("c3", "c4", "c5"), ("e3", "e4", "e5"),
    ("d1", "d2", "d3"), ("d5", "d6", "d7"), ("a4", "b4", "c4"), ("e4", "f4", "g4"),
)  # fmt: skip
"""The 16 lines: the sides of the outer, middle and inner square, and the four spokes."""

NAMES = tuple(sorted({name for line in LINE_NAMES for name in line}))
"""The 24 points by number."""

MASKS = {"": 0} | {name: 1 << point for point, name in enumerate(NAMES)}
"""The set that holds only the named point; the empty name gives the empty set."""

ALL = (1 << len(NAMES)) - 1
"""The set of all points."""

LINES = tuple(sum(MASKS[name] for name in line) for line in LINE_NAMES)
"""The lines as sets of three points, in the order of LINE_NAMES."""


def _neighbours(name: str) -> int:
    """Return the points that follow or precede `name` on one of its lines."""
    near = 0
    for first, middle, last in LINE_NAMES:
        if name in (first, last):
            near |= MASKS[middle]
        elif name == middle:
            near |= MASKS[first] | MASKS[last]
    return near


def _partners(name: str) -> tuple[int, int]:
    """Return, for the two lines through `name`, their two other points."""
    first, second = (line ^ MASKS[name] for line in LINES if line & MASKS[name])
    return first, second


NEIGHBOURS = tuple(map(_neighbours, NAMES))
"""For each point, the points that a stone on it may move to."""

PARTNERS = tuple(map(_partners, NAMES))
"""For each point, the two pairs of points with which it makes a mill."""

_OCTETS = tuple(
    tuple(tuple(base + bit for bit in range(8) if octet >> bit & 1) for octet in range(256))
    for base in (0, 8, 16)
)
_LOW, _MIDDLE, _HIGH = _OCTETS


def points(mask: int) -> tuple[int, ...]:
    """Return the points of the set `mask` in ascending order."""
    return _LOW[mask & 255] + _MIDDLE[mask >> 8 & 255] + _HIGH[mask >> 16]


def names(mask: int) -> list[str]:
    """Return the names of the points of the set `mask` in ascending order."""
    return [NAMES[point] for point in points(mask)]


def closes(stones: int, point: int) -> bool:
    """Return whether a stone that comes to `point` makes a mill with two of `stones`.

    `stones` are the other stones of its side. Leaving a mill and coming back counts again
    (rule text, "Moving"), so only the position matters.
    """
    one, other = PARTNERS[point]
    return stones & one == one or stones & other == other


def in_mills(stones: int) -> int:
    """Return those of one side's `stones` that are in a mill."""
    held = 0
    for line in LINES:
        if stones & line == line:
            held |= line
    return held
