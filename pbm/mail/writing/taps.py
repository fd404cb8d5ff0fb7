"""What a reader can tap to play: points of the board, and turns written out.

A turn of one point takes one tap. For a longer one, the first tap names the point where it begins,
and the answer has the ways to go on: as a list, and on the board, where each point that can be
named next leads to the turn or to its next part. No game is known here: all is read off the
notations of the legal turns.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

FEW = 12
"""So many turns are listed at once, if a point alone does not name each."""

MOST_LISTED = 30
"""Ways to go on with an unfinished move that are listed at most."""


@dataclass(frozen=True, slots=True)
class Taps:
    """Commands for points, by the name of the point, and for turns written out, in order."""

    points: Mapping[str, str]
    turns: tuple[str, ...] = ()


def first_taps(turns: Sequence[str], names: frozenset[str]) -> Taps:
    """Return what a turn can begin with: one of the points `names`, or a word such as "count".

    All turns are written out if they are FEW and points alone do not name each of them.
    """
    if names.issuperset(turns):
        return Taps({turn: turn for turn in turns})
    begun: dict[str, str] = {}
    words = []
    for turn in turns:
        if turn in names:
            begun[turn] = turn
            continue
        token = _TOKEN.match(turn)
        point = token[0] if token else ""
        if point in names:
            begun[point] = point
        else:
            words.append(turn)
    listed = words if len(turns) > FEW else turns
    return Taps(begun, tuple(listed) if len(listed) <= FEW else ())


def next_taps(candidates: Sequence[str], names: frozenset[str]) -> Mapping[str, str]:
    """Return for each point that can be named next the turn, or its part up to that point.

    The points that all `candidates` share are those that were named before.
    """
    named = [[point for point in _TOKEN.findall(turn) if point in names] for turn in candidates]
    shared = set(named[0]).intersection(*named) if named else set()
    ways: dict[str, list[str]] = {}
    for turn, points in zip(candidates, named, strict=True):
        if point := next((point for point in points if point not in shared), ""):
            ways.setdefault(point, []).append(turn)
    return {
        point: turns[0] if len(turns) == 1 else _up_to(turns[0], {*shared, point})
        for point, turns in ways.items()
    }


def listed(candidates: Sequence[str], tapped: Mapping[str, str]) -> Sequence[str]:
    """Return the ways to go on that are listed; `tapped` are the commands of the board beside them.

    Of too many, those are listed that no point of the board sends, which so take one tap as well,
    and others if these are FEW.
    """
    if len(candidates) <= MOST_LISTED:
        return candidates
    by_board = frozenset(tapped.values())
    missing = sum(candidate not in by_board for candidate in candidates)
    return sorted(candidates, key=by_board.__contains__)[: max(FEW, min(missing, MOST_LISTED))]


def _up_to(turn: str, named: Iterable[str]) -> str:
    """Return the turn as far as the last of the points `named` stands in it for the first time."""
    ends: dict[str, int] = {}
    for token in _TOKEN.finditer(turn):  # d1 does not stand in d10
        ends.setdefault(token[0], token.end())
    return turn[: max(ends[point] for point in named)]


_TOKEN = re.compile(r"[A-Za-z][0-9]++|[A-Za-z]+?(?=[A-Za-z][0-9])|[A-Za-z]++|[0-9]++")
"""A point, as the engine reads them: a letter and a number. In d1xg7 the x belongs to neither."""
