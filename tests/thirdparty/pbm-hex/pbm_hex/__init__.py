"""Hex: two sides build chains of stones across a rhombus; one of them must succeed."""

from pbm_hex.rules import game

__all__ = ["game"]
