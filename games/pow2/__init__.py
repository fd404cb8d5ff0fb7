"""The Power of Two: bring all sixteen of your pieces onto the board, triangle by triangle."""

from .rules import game

__all__ = ["game"]
