"""NOTWO'S: common stones, and turns that stack, spread and capture them."""

from .rules import game

__all__ = ["game"]
