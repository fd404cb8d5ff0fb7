"""pbm: a play-by-email game server. ARCHITECTURE.md explains how it is built."""

__version__ = "0.3.0.dev0"
