"""The names of the core and of the store that tests use, each imported from its module once."""

from hashlib import sha256

from sqlalchemy import Engine

from pbm.core.context import Passwords
from pbm.core.relaying import Deferred, Failed, Judged, Relay, Sent, Verdict, always
from pbm.core.tokens import (
    DatedToken,
    Token,
    TokenKind,
    TokenMint,
    leave_token,
    player_token,
    token_time,
)
from pbm.domain.observer import Handed, Handover, Observer, Taken, ThoughtFate, ThoughtTold
from pbm.store import migrations, tables
from pbm.store.batch import Batch, PrefetchKeys
from pbm.store.driver.database import StoreError, create_engine, empty_wal, parse_url
from pbm.store.driver.waking import Bell, Wakes, open_bell
from pbm.store.errors import Conflict, IntakeUnavailable, NeedsTransaction, StoreUnavailable
from pbm.store.inbox import claims_for
from pbm.store.intake import Letterbox
from pbm.store.liveness import open_lifeline
from pbm.store.match_reading import GameCounts, MatchRow, Snapshot
from pbm.store.operator import Facts, Queues
from pbm.store.outbox import OutboxRow
from pbm.store.personal import Cutoffs
from pbm.store.ratings import StandingRow
from pbm.store.robots import ThoughtCounts, tally_of
from pbm.store.time import Announcement, FollowUpKind, News, Pulse
from pbm.store.unit import UnitOfWork

__all__ = [
    "Announcement",
    "Batch",
    "Bell",
    "Conflict",
    "Cutoffs",
    "DatedToken",
    "Deferred",
    "Facts",
    "Failed",
    "FollowUpKind",
    "GameCounts",
    "Handed",
    "Handover",
    "IntakeUnavailable",
    "Judged",
    "Letterbox",
    "MatchRow",
    "NeedsTransaction",
    "News",
    "Observer",
    "OutboxRow",
    "Passwords",
    "PrefetchKeys",
    "Pulse",
    "Queues",
    "Relay",
    "Sent",
    "Snapshot",
    "StandingRow",
    "StoreError",
    "StoreUnavailable",
    "Taken",
    "ThoughtCounts",
    "ThoughtFate",
    "ThoughtTold",
    "Token",
    "TokenKind",
    "TokenMint",
    "UnitOfWork",
    "Verdict",
    "Wakes",
    "always",
    "create_engine",
    "empty_wal",
    "leave_token",
    "migrations",
    "open_bell",
    "open_lifeline",
    "parse_url",
    "player_token",
    "tables",
    "tally_of",
    "token_time",
]  # fmt: skip


def letterbox(engine: Engine, most: int = 1000) -> Letterbox:
    """Return a way into the inbox in which mails of the same octets are repeats."""
    return Letterbox(engine, lambda mail: sha256(mail.content).hexdigest(), most_waiting=most)


def open_batch(engine: Engine) -> Batch:
    return Batch(engine, claims_for(engine))
