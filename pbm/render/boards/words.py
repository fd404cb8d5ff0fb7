"""What a spot and a whole board are called in words, for who cannot see the picture."""

from collections import Counter

from pbm.engine.diagram import MarkKind
from pbm.engine.notation import listing
from pbm.render.boards.drawing import Drawing, Stone

_MARKS = {
    MarkKind.LAST: "last move",
    MarkKind.CAPTURED: "captured",
    MarkKind.WINNING: "decisive",
}


def spot_words(name: str, stone: Stone | None, marks: tuple[MarkKind, ...]) -> str:
    """Return the words for a spot: "C4", "x at C4, last move", "stack of 3 at c4"."""
    at = name
    if stone and stone.height > 2:  # two lives have signs of their own
        at = f"stack of {stone.height} at {at}"
    elif stone:
        at = f"{stone.symbol} at {at}"
    return ", ".join((at, *(_MARKS[kind] for kind in marks))) if marks else at


def board_words(drawing: Drawing) -> str:
    """Return one sentence on the position: how many stones there are, and the last move.

    It stays short, so it suits the `alt` of a picture beside which the board stands as a table.
    """
    counts = Counter([spot.stone.symbol for spot in drawing.shown if spot.stone])
    stones = [f"{number} {symbol}" for symbol, number in sorted(counts.items())]
    words = f"Board with {listing(stones, last='and')}" if stones else "Empty board"
    return f"{words}{_last_move(drawing)}."


def position_words(drawing: Drawing) -> str:
    """Return one sentence that tells where everything lies, for a picture that stands alone."""
    places: dict[str, list[str]] = {}
    of_stones: dict[Stone, list[str]] = {}  # hundreds of stones are of a few kinds
    for name, _, _, _, _, stone, _ in drawing.shown:
        if stone:
            if stone not in of_stones:
                of_stones[stone] = places.setdefault(_kind(stone), [])
            of_stones[stone].append(name)
    groups = "; ".join(f"{kind} at {', '.join(places[kind])}" for kind in sorted(places))
    return f"{f'Board with {groups}' if groups else 'Empty board'}{_last_move(drawing)}."


def _kind(stone: Stone) -> str:
    return f"stack of {stone.height}" if stone.height > 2 else stone.symbol


def _last_move(drawing: Drawing) -> str:
    last = [spot.name for spot in drawing.shown if MarkKind.LAST in spot.marks]
    return f"; last move {listing(last, last='and')}" if last else ""
