"""OLIX: rectangles, angles, rows and diagonals of stones, each worth its stones."""

from .rules import game

__all__ = ["game"]
