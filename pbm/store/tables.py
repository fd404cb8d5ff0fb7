"""The tables. A change here needs a migration too; `pbm db check` fails until both agree.

The text of a mail is needed until it is done, its row for days. So texts have tables of their own:
those that come use the pages of those that go, and the small rows lie close together. A mail has
a text as long as it is not done.
"""

from typing import Any

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
from sqlalchemy.types import TypeEngine

from pbm.store.driver.dialects import AnyText, BigId, FoldedText, UtcTime

Json = Text
"""Any values, as JSON."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _table(name: str, *parts: Column[Any] | Constraint | Index) -> Table:
    return Table(name, metadata, *parts)


def _needed(
    default: str | None = None, /, **kinds: type[TypeEngine[Any]] | TypeEngine[Any]
) -> list[Column[Any]]:
    """Return columns of these types that are never null, with this `default` if there is one."""
    return [
        Column(name, kind, nullable=False, server_default=default) for name, kind in kinds.items()
    ]


def _id_of(mails: Table) -> Column[int]:
    """Return the key of a table of texts: the id of the mail, with which the text is deleted."""
    mail = ForeignKey(mails.c.id, ondelete="CASCADE")
    return Column("id", BigId, mail, primary_key=True, autoincrement=False)


players = _table(
    "players",
    Column("id", BigId, primary_key=True),
    Column("userid", AnyText, nullable=False),
    Column("userid_folded", FoldedText, nullable=False, unique=True),
    *_needed(password_hash=String, state=String(16), created_at=UtcTime),
    Column("settings", Json, nullable=False, server_default="{}"),
    # Since when nobody knows whether the player is there; any word from them ends it.
    # Reply tokens made before this are worthless; null: none is.
    Column("tokens_since", UtcTime),
    Column("kind", String(16), nullable=False, server_default="person"),  # a person, or a robot
)

addresses = _table(
    "addresses",
    Column("player_id", BigId, ForeignKey("players.id"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("address", AnyText, nullable=False),
    Column("address_folded", FoldedText, nullable=False, index=True),
    Column("failures", Integer, nullable=False, server_default="0"),
    Column("off_at", UtcTime),  # since when no mails go there, because they have come back
    UniqueConstraint("player_id", "address_folded"),
)

former_userids = _table(
    "former_userids",
    # A userid that the player has given up, and nobody else can take.
    Column("userid_folded", FoldedText, primary_key=True),
    Column("player_id", BigId, ForeignKey("players.id"), nullable=False, index=True),
)

signups = _table(
    "signups",
    Column("id", BigId, primary_key=True),
    *_needed(userid=AnyText, address=AnyText, address_folded=FoldedText),
    Column("made_at", UtcTime, nullable=False),
    Column("confirmed_at", UtcTime),
    # The line that is carried out once the account is open.
    Column("wish", AnyText, nullable=False, server_default=""),
    # The player who invites the address; 0: it has written itself.
    Column("inviter", BigId, nullable=False, server_default="0"),
    Index(None, "address_folded", "id"),
)

errands = _table(
    "errands",
    Column("id", BigId, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("player_id", BigId, ForeignKey("players.id"), nullable=False),
    *_needed(address=AnyText, made_at=UtcTime),
    Column("done_at", UtcTime),
    Index(None, "player_id", "id"),
    Index(None, "address", "id"),
)

questions = _table(
    "questions",
    # Drawn at random: the token of the mail that asks carries it.
    Column("id", BigId, primary_key=True, autoincrement=False),
    Column("player_id", BigId, ForeignKey("players.id"), nullable=False, index=True),
    *_needed(choices=Json, proven=Boolean),
    Column("made_at", UtcTime, nullable=False, index=True),
    # The moment that the mail shows; null: no board.
    Column("board", Integer),
    *_needed(ply=Integer, undos=Integer),
    # The player's own reply to a board mail that led to the question.
    Column("answers", String, nullable=False),
    Column("answered_at", UtcTime),
)

ratings = _table(
    "ratings",
    Column("player_id", BigId, ForeignKey("players.id"), primary_key=True),
    Column("game", AnyText, primary_key=True),
    *_needed(rating=Double, deviation=Double, volatility=Double, won=Integer, lost=Integer),
    Column("drawn", Integer, nullable=False),
    Column("updated_at", UtcTime),
    Index(None, "game", "rating"),
)

stances = _table(
    "stances",
    Column("player_id", BigId, ForeignKey("players.id"), primary_key=True),
    Column("game", AnyText, primary_key=True),
    Column("answer", String(16), nullable=False),
    Column("most_boards", Integer),
)

seeks = _table(
    "seeks",
    Column("player_id", BigId, ForeignKey("players.id"), primary_key=True),
    Column("game", AnyText, primary_key=True),
    *_needed(options=Json, terms=Json, boards=Integer, made_at=UtcTime),
    Column("number", Integer),  # the next board of it has this number
    Column("seat", Integer),  # null: seats are drawn
    Index(None, "game", "made_at"),
    Index(None, "number", unique=True),
)

matches = _table(
    "matches",
    Column("number", Integer, primary_key=True, autoincrement=False),
    *_needed(version=Integer, game=AnyText, rules_version=Integer, options=Json),
    *_needed(terms=Json, started_at=UtcTime, turn_since=UtcTime),
    Column("ended_at", UtcTime),
    Column("outcome", Json),
    *_needed(over=Boolean, ply=Integer),
    # A reader takes no more of the log than this, so that match and log are of the same moment.
    Column("log_length", Integer, nullable=False),
    # What the players to move have been reminded of, by player.
    Column("reminded", Json, nullable=False, server_default="{}"),
    # When to look at the clock next; null once the match is over.
    Column("look_at", UtcTime, index=True),
    # A move needs the log from here on; how many plies that stand, and undos, come before.
    *_needed("0", read_from=Integer, plies_before=Integer, undos_before=Integer),
    # What was drawn before the first turn.
    Column("dealt", Json, nullable=False, server_default="[]"),
    # What was chosen in secret, by seat, until all have chosen.
    Column("sealed", Json, nullable=False, server_default="{}"),
    Index(None, "over", "number"),
    Index(None, "game", "over", "number"),
    Index(None, "game", "number"),
)

seats = _table(
    "seats",
    Column("match_number", Integer, ForeignKey("matches.number"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player_id", BigId, ForeignKey("players.id"), nullable=False),
    Column("starter_id", BigId, ForeignKey("players.id"), nullable=False),
    Column("to_move", Boolean, nullable=False),
    Index(None, "player_id", "to_move", "match_number"),
)

log = _table(
    "log",
    Column("match_number", Integer, ForeignKey("matches.number"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(16), nullable=False),
    Column("seat", Integer),
    *_needed(text=AnyText, comment=AnyText, at=UtcTime),
)

snapshots = _table(
    "snapshots",
    Column("match_number", Integer, ForeignKey("matches.number"), primary_key=True),
    *_needed(ply=Integer, state=Json),
)

followers = _table(
    "followers",
    # The number of a board, or the key of a game, as text.
    Column("subject", AnyText, primary_key=True),
    Column("player_id", BigId, ForeignKey("players.id"), primary_key=True, index=True),
    Column("only_end", Boolean, nullable=False),
)

queued_moves = _table(
    "queued_moves",
    Column("match_number", Integer, ForeignKey("matches.number"), primary_key=True),
    Column("player_id", BigId, ForeignKey("players.id"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    *_needed(text=AnyText, base=Integer, line=Json),
)

notes = _table(
    "notes",
    Column("match_number", Integer, ForeignKey("matches.number"), primary_key=True),
    Column("player_id", BigId, ForeignKey("players.id"), primary_key=True),
    *_needed(text=AnyText),
)

submitted_moves = _table(
    "submitted_moves",
    Column("match_number", Integer, ForeignKey("matches.number"), primary_key=True),
    Column("player_id", BigId, ForeignKey("players.id"), primary_key=True),
    *_needed(ply=Integer, text=AnyText),
)

invitations = _table(
    "invitations",
    Column("number", Integer, primary_key=True, autoincrement=False),
    *_needed(game=AnyText, options=Json, terms=Json),
    Column("inviter_id", BigId, ForeignKey("players.id"), nullable=False),
    *_needed(made_at=UtcTime, state=String(16)),
    Index(None, "state", "made_at"),
)

invitation_seats = _table(
    "invitation_seats",
    Column("number", Integer, ForeignKey("invitations.number"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player_id", BigId, ForeignKey("players.id"), nullable=False),
    Column("agreed", Boolean, nullable=False),
    Index(None, "player_id", "number"),
)

inbox = _table(
    "inbox",
    Column("id", BigId, primary_key=True),
    Column("state", String(16), nullable=False),
    Column("content_key", AnyText, unique=True),
    *_needed(sender=AnyText, recipients=Json, received_at=UtcTime, error=AnyText),
    Column("shunted_at", UtcTime),
    # Whom the mail is counted for, so that one sender delays nobody else, and how long it is.
    Column("source", AnyText, nullable=False, server_default=""),
    Column("octets", Integer, nullable=False, server_default="0"),
    # What pbm trace tells, as long as the row is kept: by which number the Message-ID is known
    # (pbm.domain.mail.message_key), where it came in, and what became of it.
    Column("message_key", BigInteger),
    *_needed("", listener=String),
    Column("played_at", UtcTime),
    # The network is where it came from, if intake knows: one gets only so many answers.
    *_needed("", outcome=String, network=String),
    Index(None, "state", "id"),
)

inbox_texts = _table("inbox_texts", _id_of(inbox), *_needed(content=LargeBinary))

outbox = _table(
    "outbox",
    Column("id", BigId, primary_key=True),
    *_needed(state=String(16), sender=AnyText, recipient=AnyText, tries=Integer),
    *_needed(created_at=UtcTime, next_try_at=UtcTime),
    Column("owner", AnyText),
    Column("sent_at", UtcTime),
    Column("error", AnyText, nullable=False),
    # What pbm trace tells: its Message-ID as a number, the mail of the inbox that led to it (which
    # may be forgotten before), and what the relay said when it took it.
    Column("message_key", BigInteger),
    Column("inbox_id", BigInteger),
    Column("words", String, nullable=False, server_default=""),
    # Of a mail that waits for the next turn: its board, and the first ply that it reports.
    Column("board", Integer),
    Column("ply", Integer),
    Index(None, "state", "next_try_at"),
    # A report on a mail comes to its envelope sender.
    Index(None, "sender"),
)

outbox_texts = _table(
    "outbox_texts",
    _id_of(outbox),
    *_needed(message_id=AnyText, content=LargeBinary),
)

counters = _table("counters", Column("name", String, primary_key=True), *_needed(value=Integer))

tallies = _table(
    "tallies",
    Column("key", AnyText, primary_key=True),
    Column("began_at", UtcTime, primary_key=True),
    Column("events", Integer, nullable=False),
)

pauses = _table(
    "pauses",
    Column("id", BigId, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("player_id", BigId, ForeignKey("players.id")),  # null: the clocks of everybody stand
    Column("began_at", UtcTime, nullable=False),
    Column("until", UtcTime),
    Column("told", Boolean, nullable=False),  # whether the end has been announced
    Index(None, "player_id", "until"),
    Index(None, "kind", "told", "until"),
)

pulses = _table(
    "pulses",
    Column("name", String(32), primary_key=True),
    *_needed(at=UtcTime, good_until=UtcTime, failing=Boolean),
)

announcements = _table(
    "announcements",
    Column("id", BigId, primary_key=True),
    Column("news", String(16), nullable=False),
    # What the operator writes has no pause, but a subject and a text.
    Column("pause_id", BigId, ForeignKey("pauses.id")),
    *_needed(made_at=UtcTime, told_up_to=BigId),
    *_needed("", subject=AnyText, text=AnyText),
)

blocks = _table(
    "blocks",
    Column("player_id", BigId, ForeignKey("players.id"), primary_key=True),
    Column("blocked_id", BigId, ForeignKey("players.id"), primary_key=True, index=True),
)

audit = _table(
    "audit",
    Column("id", BigId, primary_key=True),
    *_needed(at=UtcTime, operator=AnyText, act=String(32)),
    # The player, board or setting that the act was about.
    Column("subject", AnyText, nullable=False),
    *_needed(before=Json, after=Json, why=AnyText),
)

token_keys = _table(
    "token_keys",
    Column("id", BigId, primary_key=True),
    # Of a key that has signed tokens, in the order in which they began to.
    Column("fingerprint", String(16), nullable=False, unique=True),
    Column("since", UtcTime, nullable=False),
)

bans = _table(
    "bans",
    Column("pattern", AnyText, primary_key=True),  # an address, or a domain, in small letters
    *_needed(made_at=UtcTime, why=AnyText),
)

left_alone = _table(
    "left_alone",
    # The SHA-256 of a mailbox whose owner wants no mail from us.
    Column("mailbox", String(64), primary_key=True),
    Column("since", UtcTime, nullable=False),
    # Whether the answer was a reply to a mail that only this mailbox got.
    Column("proven", Boolean, nullable=False, server_default=false()),
    # Because of a signup from there: until when it gets mails, and when another one is heard.
    Column("asking_until", UtcTime),
    Column("asking_again", UtcTime),
)

robots = _table(
    "robots",
    Column("player_id", BigId, ForeignKey("players.id"), primary_key=True),
    Column("level", Integer, nullable=False),
    Column("game", AnyText),  # null: every game
    # The name of a robot of others among pbm.robots; "" for our own search.
    Column("entry", AnyText, nullable=False, server_default=""),
)

thoughts = _table(
    "thoughts",
    Column("id", BigId, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("number", Integer, ForeignKey("matches.number"), nullable=False),
    # The robot that moves or answers, or whoever asked.
    Column("player_id", BigId, ForeignKey("players.id"), nullable=False),
    Column("asked_at", UtcTime, nullable=False),
    Column("due_at", UtcTime, nullable=False),  # nobody looks at it before
    # In whose share of the day it is thought.
    Column("payer_id", BigId, ForeignKey("players.id"), nullable=False),
    Column("owner", AnyText),  # the lifeline of the process that thinks about it; null: it waits
    # How often in a row it has met a fault, and how often it was asked again.
    *_needed("0", tries=Integer, asked=Integer),
    UniqueConstraint("number", "player_id", "kind"),
    Index(None, "due_at", "id"),
)

sequels = _table(
    "sequels",
    Column("id", BigId, primary_key=True),
    Column("kind", String(16), nullable=False),
    # Who began it; null: the operator, or time.
    Column("player_id", BigId, ForeignKey("players.id"), index=True),
    Column("number", Integer),
    *_needed(facts=Json, made_at=UtcTime, done_up_to=BigId),
)

seasons = _table(
    "seasons",
    Column("id", BigId, primary_key=True),
    *_needed(name=FoldedText, number=Integer, game=AnyText, options=Json, terms=Json),
    *_needed(size=Integer, least=Integer, notice=Integer, once=Boolean, state=String(16)),
    Column("starts_at", UtcTime),  # null: once enough have entered, and the one before is over
    UniqueConstraint("name", "number"),
    Index(None, "state", "starts_at"),
)

entrants = _table(
    "entrants",
    Column("season_id", BigId, ForeignKey("seasons.id"), primary_key=True),
    Column("player_id", BigId, ForeignKey("players.id"), primary_key=True, index=True),
    # 0 until the season has begun, and until it is over.
    *_needed("0", seed=Integer, division=Integer, place=Integer),
    Column("left_at", UtcTime),
)

pairings = _table(
    "pairings",
    Column("season_id", BigId, ForeignKey("seasons.id"), primary_key=True),
    Column("first_id", BigId, ForeignKey("players.id"), primary_key=True),
    Column("second_id", BigId, ForeignKey("players.id"), primary_key=True, index=True),
    Column("division", Integer, nullable=False),
    # Known before the board begins, which takes its turn in a follow-up job.
    Column("match_number", Integer, nullable=False, unique=True),
)
