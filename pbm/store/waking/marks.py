"""What a transaction makes work for, noted on its connection until it ends."""

from sqlalchemy import Connection

from pbm.service.ports.mail import Wakes

_MADE = "pbm_made"


def makes_work(connection: Connection, stage: Wakes) -> None:
    """Note that the open transaction of `connection` makes work for `stage`."""
    connection.info.setdefault(_MADE, set()).add(stage)


def made_in(info: dict[object, object]) -> frozenset[Wakes]:
    """Return what was noted in the `info` of a connection, and forget it."""
    made = info.pop(_MADE, None)
    return frozenset(made) if isinstance(made, set) else frozenset()
