"""OLIX: rectangles, angles, rows and diagonals of stones, each worth its stones."""

from games.olix.rules import game

__all__ = ["game"]
