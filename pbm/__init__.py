"""pbm: a play-by-email game server. ARCHITECTURE.md shows the house."""

__version__ = "0.1.0"
