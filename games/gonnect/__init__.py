"""Gonnect: Go stones, no passing, and the first chain from side to side wins."""

from .rules import game

__all__ = ["game"]
