"""The names of the store and of its ports that tests use, each imported from its module once."""

from hashlib import sha256

from sqlalchemy import Engine

from pbm.service import ports
from pbm.service.ports import Conflict, Foreseen, NeedsTransaction, Snapshot, StoreUnavailable, mail
from pbm.service.ports.mail import Cutoffs, IntakeUnavailable
from pbm.store import migrations, tables
from pbm.store.batch import Batch
from pbm.store.database import StoreError, create_engine, empty_wal, parse_url
from pbm.store.inbox import claims_for
from pbm.store.intake import Letterbox
from pbm.store.liveness import open_lifeline
from pbm.store.unit import UnitOfWork
from pbm.store.waking import open_bell

__all__ = [
    "Batch", "Conflict", "Cutoffs", "Foreseen", "IntakeUnavailable", "Letterbox",
    "NeedsTransaction", "Snapshot", "StoreError", "StoreUnavailable", "UnitOfWork",
    "create_engine", "empty_wal", "mail", "migrations", "open_bell", "open_lifeline", "parse_url",
    "ports", "tables",
]  # fmt: skip


def letterbox(engine: Engine, most: int = 1000) -> Letterbox:
    """Return a way into the inbox in which mails of the same octets are repeats."""
    return Letterbox(engine, lambda mail: sha256(mail.content).hexdigest(), most_waiting=most)


def open_batch(engine: Engine) -> Batch:
    return Batch(engine, claims_for(engine))
