"""Hex: two sides build chains of stones across a rhombus; one of them must succeed."""

from .rules import game

__all__ = ["game"]
