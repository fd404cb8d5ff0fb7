"""How a server is spread over processes."""

from dataclasses import dataclass

EVERYTHING = ("intake", "play", "deliver", "remind")


@dataclass(frozen=True)
class Layout:
    """A database, and the roles of each process."""

    name: str
    database: str
    processes: tuple[tuple[str, ...], ...]


SPREAD = (("intake",), ("intake", "play"), ("play",), ("deliver", "remind"))
"""Two take mails, so that a repeat can go to the other one, and two play."""

LAYOUTS = (
    Layout("sqlite-1", "sqlite", (EVERYTHING,)),
    Layout("sqlite-4", "sqlite", SPREAD),
    Layout("postgres-1", "postgresql", (EVERYTHING,)),
    Layout("postgres-4", "postgresql", SPREAD),
)
