"""Reversi: discs between two of yours are turned over, and more discs win."""

from .rules import game

__all__ = ["game"]
