"""A race for three to six."""

from pbm_lap.rules import game

__all__ = ["game"]
