"""Go: stones, captures and areas; the side with the larger area wins."""

from .rules import game

__all__ = ["game"]
