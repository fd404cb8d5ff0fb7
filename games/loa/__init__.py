"""Lines of Action: bring all of your stones together into one chain."""

from .rules import game

__all__ = ["game"]
