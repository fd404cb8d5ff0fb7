"""Putting facts into words and boards into pictures: Jinja here, text boards in the engine."""
