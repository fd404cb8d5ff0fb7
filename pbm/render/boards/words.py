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

    It stays short, so it suits the `alt` of a picture beside which the board stands as text.
    """
    counts = Counter([spot.stone.symbol for spot in drawing.spots if spot.stone])
    stones = [f"{number} {symbol}" for symbol, number in sorted(counts.items())]
    last = [spot.name for spot in drawing.spots if spot.marks and MarkKind.LAST in spot.marks]
    words = f"Board with {listing(stones, last='and')}" if stones else "Empty board"
    return f"{words}; last move {listing(last, last='and')}." if last else f"{words}."
