"""Rock, paper, scissors."""

from pbm_rps.rules import game

__all__ = ["game"]
