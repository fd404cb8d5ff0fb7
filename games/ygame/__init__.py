"""Y: a chain of stones that touches all three sides of a triangle wins."""

from .rules import game

__all__ = ["game"]
