"""A small battle of fleets."""

from pbm_fleet.rules import game

__all__ = ["game"]
