"""Create the tables: players, matches, mails and numbers.

Revision 0001, the first. A migration is frozen: it names its own types, and imports nothing
that a later change of pbm could alter.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TIMESTAMP

revision = "0001"
down_revision = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
FOLDED = sa.String().with_variant(sa.String(collation="C"), "postgresql")
TIME = sa.String(27).with_variant(TIMESTAMP(timezone=True), "postgresql")


def upgrade() -> None:
    _create_players()
    _create_matches()
    _create_mails()
    _create_numbers()


def _create_players() -> None:
    op.create_table(
        "players",
        sa.Column("id", ID, nullable=False),
        sa.Column("userid", sa.String(), nullable=False),
        sa.Column("userid_folded", FOLDED, nullable=False),
        sa.Column("password_hash", sa.String(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.UniqueConstraint("userid_folded", name="uq_players_userid_folded"),
    )
    op.create_table(
        "addresses",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("address_folded", FOLDED, nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_addresses_player_id_players"
        ),
        sa.PrimaryKeyConstraint("player_id", "position", name="pk_addresses"),
        sa.UniqueConstraint(
            "player_id", "address_folded", name="uq_addresses_player_id_address_folded"
        ),
    )
    op.create_index("ix_addresses_address_folded", "addresses", ["address_folded"])
    op.create_table(
        "signups",
        sa.Column("id", ID, nullable=False),
        sa.Column("userid", sa.String(), nullable=False),
        sa.Column("password_hash", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("address_folded", FOLDED, nullable=False),
        sa.Column("made_at", TIME, nullable=False),
        sa.Column("confirmed_at", TIME, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_signups"),
    )
    op.create_index("ix_signups_address_folded_id", "signups", ["address_folded", "id"])


def _create_matches() -> None:
    op.create_table(
        "matches",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("started_at", TIME, nullable=False),
        sa.Column("turn_since", TIME, nullable=False),
        sa.Column("ended_at", TIME, nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("over", sa.Boolean(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("log_length", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_matches"),
    )
    op.create_index("ix_matches_game_over_number", "matches", ["game", "over", "number"])
    op.create_index("ix_matches_over_number", "matches", ["over", "number"])
    op.create_table(
        "seats",
        sa.Column("match_number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("starter_id", ID, nullable=False),
        sa.Column("to_move", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_number"], ["matches.number"], name="fk_seats_match_number_matches"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_seats_player_id_players"),
        sa.ForeignKeyConstraint(["starter_id"], ["players.id"], name="fk_seats_starter_id_players"),
        sa.PrimaryKeyConstraint("match_number", "seat", name="pk_seats"),
    )
    op.create_index(
        "ix_seats_player_id_to_move_match_number", "seats", ["player_id", "to_move", "match_number"]
    )
    op.create_table(
        "log",
        sa.Column("match_number", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("comment", sa.String(), nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.ForeignKeyConstraint(
            ["match_number"], ["matches.number"], name="fk_log_match_number_matches"
        ),
        sa.PrimaryKeyConstraint("match_number", "position", name="pk_log"),
    )
    op.create_table(
        "snapshots",
        sa.Column("match_number", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_number"], ["matches.number"], name="fk_snapshots_match_number_matches"
        ),
        sa.PrimaryKeyConstraint("match_number", name="pk_snapshots"),
    )
    op.create_table(
        "invitations",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("inviter_id", ID, nullable=False),
        sa.Column("made_at", TIME, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.ForeignKeyConstraint(
            ["inviter_id"], ["players.id"], name="fk_invitations_inviter_id_players"
        ),
        sa.PrimaryKeyConstraint("number", name="pk_invitations"),
    )
    op.create_table(
        "invitation_seats",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("agreed", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["number"], ["invitations.number"], name="fk_invitation_seats_number_invitations"
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_invitation_seats_player_id_players"
        ),
        sa.PrimaryKeyConstraint("number", "seat", name="pk_invitation_seats"),
    )
    op.create_index(
        "ix_invitation_seats_player_id_number", "invitation_seats", ["player_id", "number"]
    )


def _create_mails() -> None:
    op.create_table(
        "inbox",
        sa.Column("id", ID, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("content_key", sa.String(), nullable=True),
        sa.Column("sender", sa.String(), nullable=False),
        sa.Column("recipients", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=True),
        sa.Column("received_at", TIME, nullable=False),
        sa.Column("error", sa.String(), nullable=False),
        sa.Column("shunted_at", TIME, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_inbox"),
        sa.UniqueConstraint("content_key", name="uq_inbox_content_key"),
    )
    op.create_index("ix_inbox_state_id", "inbox", ["state", "id"])
    op.create_table(
        "outbox",
        sa.Column("id", ID, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("sender", sa.String(), nullable=False),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("next_try_at", TIME, nullable=False),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("sent_at", TIME, nullable=True),
        sa.Column("error", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
    )
    op.create_index("ix_outbox_state_next_try_at", "outbox", ["state", "next_try_at"])


def _create_numbers() -> None:
    op.create_table(
        "counters",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_counters"),
    )
    op.create_table(
        "tallies",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("began_at", TIME, nullable=False),
        sa.Column("events", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("key", "began_at", name="pk_tallies"),
    )
