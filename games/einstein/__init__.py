"""EinStein wuerfelt nicht, by Ingo Althoefer."""

from .rules import game

__all__ = ["game"]
