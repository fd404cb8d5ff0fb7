"""Waking: a transaction that makes work for a stage tells the processes that run this stage.

A repository notes what it makes (`makes_work`); what was noted is told when the transaction
commits, and never of one that is rolled back. PostgreSQL carries the news itself (`notices`). On
SQLite, where all processes are on one machine, it goes by datagrams (`sockets`).
"""

import secrets

from sqlalchemy import Engine

from pbm.service.ports.mail import Bell
from pbm.store.database import sqlite_file
from pbm.store.waking.marks import makes_work
from pbm.store.waking.notices import NoticeBell
from pbm.store.waking.sockets import SocketBell

__all__ = ["makes_work", "open_bell"]


def open_bell(engine: Engine) -> Bell:
    """Return the bell of a process, rung by each transaction of `engine` that makes work."""
    word = secrets.token_hex(6)
    if engine.dialect.name == "postgresql":
        return NoticeBell(engine, word)
    return SocketBell(engine, sqlite_file(engine.url), word)
