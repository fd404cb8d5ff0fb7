"""Create the tables of pbm 0.1.0.

Revision 0017, the first that this pbm knows. A migration is frozen: it names its own types, and
imports nothing that a later change of pbm could alter.
"""

from typing import Any

from alembic import op
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Constraint,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)
from sqlalchemy.dialects.postgresql import TIMESTAMP
from sqlalchemy.exc import DBAPIError
from sqlalchemy.types import TypeEngine

revision = "0017"
down_revision = None

ID = BigInteger().with_variant(Integer(), "sqlite")
FOLDED = String().with_variant(String(collation="C"), "postgresql")
TIME = String(27).with_variant(TIMESTAMP(timezone=True), "postgresql")

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def upgrade() -> None:
    connection = op.get_bind()
    metadata.create_all(connection, checkfirst=False)
    if connection.dialect.name != "postgresql":
        return
    # A text lives for seconds, and pglz takes two thirds of PostgreSQL's work of a move.
    try:
        with connection.begin_nested():
            _store_texts("SET COMPRESSION lz4")
    except DBAPIError:  # built without LZ4
        _store_texts("SET STORAGE EXTERNAL")


def _store_texts(how: str) -> None:
    for texts in ("inbox_texts", "outbox_texts"):
        op.execute(f"ALTER TABLE {texts} ALTER COLUMN content {how}")


def _table(name: str, *parts: Column[Any] | Constraint | Index) -> Table:
    return Table(name, metadata, *parts)


def _needed(
    default: str | None = None, /, **kinds: type[TypeEngine[Any]] | TypeEngine[Any]
) -> list[Column[Any]]:
    return [
        Column(name, kind, nullable=False, server_default=default) for name, kind in kinds.items()
    ]


def _id_of(mails: Table) -> Column[int]:
    mail = ForeignKey(mails.c.id, ondelete="CASCADE")
    return Column("id", ID, mail, primary_key=True, autoincrement=False)


players = _table(
    "players",
    Column("id", ID, primary_key=True),
    Column("userid", String, nullable=False),
    Column("userid_folded", FOLDED, nullable=False, unique=True),
    *_needed(password_hash=String, state=String(16), created_at=TIME),
    Column("settings", Text, nullable=False, server_default="{}"),
    Column("tokens_since", TIME),
    Column("kind", String(16), nullable=False, server_default="person"),
)

addresses = _table(
    "addresses",
    Column("player_id", ID, ForeignKey("players.id"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("address", String, nullable=False),
    Column("address_folded", FOLDED, nullable=False, index=True),
    Column("failures", Integer, nullable=False, server_default="0"),
    Column("off_at", TIME),
    UniqueConstraint("player_id", "address_folded"),
)

signups = _table(
    "signups",
    Column("id", ID, primary_key=True),
    *_needed(userid=String, password_hash=String, address=String, address_folded=FOLDED),
    Column("made_at", TIME, nullable=False),
    Column("confirmed_at", TIME),
    Column("further", Text, nullable=False, server_default="[]"),
    Column("wish", String, nullable=False, server_default=""),
    Column("inviter", ID, nullable=False, server_default="0"),
    Index(None, "address_folded", "id"),
)

errands = _table(
    "errands",
    Column("id", ID, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("player_id", ID, ForeignKey("players.id"), nullable=False),
    *_needed(address=String, made_at=TIME),
    Column("done_at", TIME),
    Index(None, "player_id", "id"),
    Index(None, "address", "id"),
)

ratings = _table(
    "ratings",
    Column("player_id", ID, ForeignKey("players.id"), primary_key=True),
    Column("game", String, primary_key=True),
    *_needed(rating=Double, deviation=Double, volatility=Double, won=Integer, lost=Integer),
    Column("drawn", Integer, nullable=False),
    Column("updated_at", TIME),
    Index(None, "game", "rating"),
)

stances = _table(
    "stances",
    Column("player_id", ID, ForeignKey("players.id"), primary_key=True),
    Column("game", String, primary_key=True),
    Column("answer", String(16), nullable=False),
    Column("most_boards", Integer),
)

seeks = _table(
    "seeks",
    Column("player_id", ID, ForeignKey("players.id"), primary_key=True),
    Column("game", String, primary_key=True),
    *_needed(options=Text, seed=BigInteger, terms=Text, boards=Integer, made_at=TIME),
    Column("number", Integer),
    Column("seat", Integer),
    Index(None, "game", "made_at"),
    Index(None, "number", unique=True),
)

matches = _table(
    "matches",
    Column("number", Integer, primary_key=True, autoincrement=False),
    *_needed(version=Integer, game=String, rules_version=Integer, options=Text, seed=BigInteger),
    *_needed(terms=Text, started_at=TIME, turn_since=TIME),
    Column("ended_at", TIME),
    Column("outcome", Text),
    *_needed(over=Boolean, ply=Integer),
    Column("log_length", Integer, nullable=False),
    Column("reminded", Text, nullable=False, server_default="{}"),
    Column("look_at", TIME, index=True),
    *_needed("0", read_from=Integer, plies_before=Integer, undos_before=Integer),
    Index(None, "over", "number"),
    Index(None, "game", "over", "number"),
    Index(None, "game", "number"),
)

seats = _table(
    "seats",
    Column("match_number", Integer, ForeignKey("matches.number"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player_id", ID, ForeignKey("players.id"), nullable=False),
    Column("starter_id", ID, ForeignKey("players.id"), nullable=False),
    Column("to_move", Boolean, nullable=False),
    Index(None, "player_id", "to_move", "match_number"),
)

log = _table(
    "log",
    Column("match_number", Integer, ForeignKey("matches.number"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(16), nullable=False),
    Column("seat", Integer),
    *_needed(text=String, comment=String, at=TIME),
)

snapshots = _table(
    "snapshots",
    Column("match_number", Integer, ForeignKey("matches.number"), primary_key=True),
    *_needed(ply=Integer, state=Text),
)

followers = _table(
    "followers",
    Column("subject", String, primary_key=True),
    Column("player_id", ID, ForeignKey("players.id"), primary_key=True, index=True),
    Column("only_end", Boolean, nullable=False),
)

queued_moves = _table(
    "queued_moves",
    Column("match_number", Integer, ForeignKey("matches.number"), primary_key=True),
    Column("player_id", ID, ForeignKey("players.id"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    *_needed(text=String, base=Integer, line=Text),
)

notes = _table(
    "notes",
    Column("match_number", Integer, ForeignKey("matches.number"), primary_key=True),
    Column("player_id", ID, ForeignKey("players.id"), primary_key=True),
    *_needed(text=String),
)

submitted_moves = _table(
    "submitted_moves",
    Column("match_number", Integer, ForeignKey("matches.number"), primary_key=True),
    Column("player_id", ID, ForeignKey("players.id"), primary_key=True),
    *_needed(ply=Integer, text=String),
)

invitations = _table(
    "invitations",
    Column("number", Integer, primary_key=True, autoincrement=False),
    *_needed(game=String, options=Text, seed=BigInteger, terms=Text),
    Column("inviter_id", ID, ForeignKey("players.id"), nullable=False),
    *_needed(made_at=TIME, state=String(16)),
    Index(None, "state", "made_at"),
)

invitation_seats = _table(
    "invitation_seats",
    Column("number", Integer, ForeignKey("invitations.number"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player_id", ID, ForeignKey("players.id"), nullable=False),
    Column("agreed", Boolean, nullable=False),
    Index(None, "player_id", "number"),
)

inbox = _table(
    "inbox",
    Column("id", ID, primary_key=True),
    Column("state", String(16), nullable=False),
    Column("content_key", String, unique=True),
    *_needed(sender=String, recipients=Text, received_at=TIME, error=String),
    Column("shunted_at", TIME),
    Column("source", String, nullable=False, server_default=""),
    Column("octets", Integer, nullable=False, server_default="0"),
    Column("message_key", BigInteger),
    *_needed("", listener=String),
    Column("played_at", TIME),
    *_needed("", outcome=String, network=String),
    Index(None, "state", "id"),
)

inbox_texts = _table("inbox_texts", _id_of(inbox), *_needed(content=LargeBinary))

outbox = _table(
    "outbox",
    Column("id", ID, primary_key=True),
    *_needed(state=String(16), sender=String, recipient=String, tries=Integer),
    *_needed(created_at=TIME, next_try_at=TIME),
    Column("owner", String),
    Column("sent_at", TIME),
    Column("error", String, nullable=False),
    Column("message_key", BigInteger),
    Column("inbox_id", BigInteger),
    Column("words", String, nullable=False, server_default=""),
    Column("board", Integer),
    Column("ply", Integer),
    Index(None, "state", "next_try_at"),
    Index(None, "sender"),
)

outbox_texts = _table(
    "outbox_texts",
    _id_of(outbox),
    *_needed(message_id=String, content=LargeBinary),
)

counters = _table("counters", Column("name", String, primary_key=True), *_needed(value=Integer))

tallies = _table(
    "tallies",
    Column("key", String, primary_key=True),
    Column("began_at", TIME, primary_key=True),
    Column("events", Integer, nullable=False),
)

pauses = _table(
    "pauses",
    Column("id", ID, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("player_id", ID, ForeignKey("players.id")),
    Column("began_at", TIME, nullable=False),
    Column("until", TIME),
    Column("told", Boolean, nullable=False),
    Index(None, "player_id", "until"),
    Index(None, "kind", "told", "until"),
)

pulses = _table(
    "pulses",
    Column("name", String(32), primary_key=True),
    *_needed(at=TIME, good_until=TIME, failing=Boolean),
)

announcements = _table(
    "announcements",
    Column("id", ID, primary_key=True),
    Column("news", String(16), nullable=False),
    Column("pause_id", ID, ForeignKey("pauses.id")),
    *_needed(made_at=TIME, told_up_to=ID),
    *_needed("", subject=String, text=String),
)

blocks = _table(
    "blocks",
    Column("player_id", ID, ForeignKey("players.id"), primary_key=True),
    Column("blocked_id", ID, ForeignKey("players.id"), primary_key=True, index=True),
)

audit = _table(
    "audit",
    Column("id", ID, primary_key=True),
    *_needed(at=TIME, operator=String, act=String(32)),
    Column("subject", String, nullable=False),
    *_needed(before=Text, after=Text, why=String),
)

token_keys = _table(
    "token_keys",
    Column("id", ID, primary_key=True),
    Column("fingerprint", String(16), nullable=False, unique=True),
    Column("since", TIME, nullable=False),
)

bans = _table(
    "bans",
    Column("pattern", String, primary_key=True),
    *_needed(made_at=TIME, why=String),
)

left_alone = _table(
    "left_alone",
    Column("mailbox", String(64), primary_key=True),
    Column("since", TIME, nullable=False),
    Column("proven", Boolean, nullable=False, server_default=false()),
    Column("asking_until", TIME),
    Column("asking_again", TIME),
)

robots = _table(
    "robots",
    Column("player_id", ID, ForeignKey("players.id"), primary_key=True),
    Column("level", Integer, nullable=False),
    Column("game", String),
    Column("command", Text, nullable=False, server_default="[]"),
    Column("entry", String, nullable=False, server_default=""),
)

thoughts = _table(
    "thoughts",
    Column("id", ID, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("number", Integer, ForeignKey("matches.number"), nullable=False),
    Column("player_id", ID, ForeignKey("players.id"), nullable=False),
    Column("asked_at", TIME, nullable=False),
    Column("due_at", TIME, nullable=False),
    Column("payer_id", ID, ForeignKey("players.id"), nullable=False),
    Column("owner", String),
    *_needed("0", tries=Integer, asked=Integer),
    UniqueConstraint("number", "player_id", "kind"),
    Index(None, "due_at", "id"),
)

sequels = _table(
    "sequels",
    Column("id", ID, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("player_id", ID, ForeignKey("players.id"), index=True),
    Column("number", Integer),
    *_needed(facts=Text, made_at=TIME, done_up_to=ID),
)
