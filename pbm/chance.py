"""The operating system's randomness, behind the port of the use cases."""

import os
import random
from collections.abc import Sequence


class SystemChance:
    """Unguessable ids, shuffled seats, seeds for games with chance in them."""

    def __init__(self) -> None:
        self._random: random.Random = random.SystemRandom()

    def new_id(self) -> str:
        """Return 24 hexadecimal digits: 96 bits."""
        return os.urandom(12).hex()

    def shuffled(self, players: Sequence[int]) -> tuple[int, ...]:
        """Return the same players in an order drawn at random."""
        return tuple(self._random.sample(list(players), len(players)))

    def seed(self) -> int:
        """Return a number from 0 to 2**31 - 1."""
        return self._random.randrange(2**31)
