"""Dark Hex: Hex in which each side sees only its own stones and those that it ran into."""

from .rules import game

__all__ = ["game"]
