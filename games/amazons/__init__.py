"""Amazons: pieces move like queens and shoot arrows that block the board."""

from .rules import game

__all__ = ["game"]
