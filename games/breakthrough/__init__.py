"""Breakthrough: pieces move forward only, and the first on the last row wins."""

from .rules import game

__all__ = ["game"]
