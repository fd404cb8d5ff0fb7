"""How well each side stands by the stones that it has, on the board and in hand."""

from games.morris.state import STONES, State


def material(state: State) -> tuple[float, float]:
    """Return what the position is worth to White and Black, from 0 to 1: the stones alone count."""
    white, black = (
        stones.bit_count() + hand for stones, hand in zip(state.stones, state.hand, strict=True)
    )
    more = (white - black) / (2 * STONES)
    return 0.5 + more, 0.5 - more
