"""Sets of points as ints, for games whose points are numbers: 1 << n is the set of point n."""

from collections.abc import Iterator


def bits(members: int) -> Iterator[int]:
    """Yield the members of a set in ascending order."""
    while members:
        lowest = members & -members
        yield lowest.bit_length() - 1
        members ^= lowest
