"""NOTWO'S: common stones, and turns that stack, spread and capture them."""

from games.notwos.rules import game

__all__ = ["game"]
