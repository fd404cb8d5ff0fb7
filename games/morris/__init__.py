"""Nine Men's Morris: three stones in a row are a mill, and a mill takes a stone."""

from .rules import game

__all__ = ["game"]
