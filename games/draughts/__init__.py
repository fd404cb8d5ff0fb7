"""Draughts on 8 by 8 cells, as in Britain: jump over pieces to take them."""

from .rules import game

__all__ = ["game"]
