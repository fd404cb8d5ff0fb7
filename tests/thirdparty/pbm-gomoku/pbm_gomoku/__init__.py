"""Gomoku: five stones in a row win."""

from pbm_gomoku.rules import game

__all__ = ["game"]
