"""Havannah: a ring, a bridge between corners or a fork between sides wins."""

from .rules import game

__all__ = ["game"]
