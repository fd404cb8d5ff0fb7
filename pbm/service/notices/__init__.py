"""Messages that are not letters yet: each becomes a letter, or moves to its feature."""
