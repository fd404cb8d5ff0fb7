"""Moves kept for one's turn, if need be only after certain replies."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class QueuedMove:
    """A move to be played at the player's turn.

    Without `line` it is the next unconditional one. With it, it is played once the plies
    after the first `base` of the match have been exactly `line`, in canonical notation.
    """

    text: str
    base: int = 0
    line: tuple[str, ...] = ()
