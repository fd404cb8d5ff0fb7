"""The Power of Two: bring all sixteen of your pieces onto the board, triangle by triangle."""

from games.pow2.rules import game

__all__ = ["game"]
