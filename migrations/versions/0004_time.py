"""Keep time: pauses, signs of life, news for everybody, and when to look at each clock.

Revision 0004. The clock of every open match is looked at in the next round of reminders.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TIMESTAMP

revision = "0004"
down_revision = "0003"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TIME = sa.String(27).with_variant(TIMESTAMP(timezone=True), "postgresql")


def upgrade() -> None:
    op.add_column("players", sa.Column("missing_since", TIME, nullable=True))
    op.add_column(
        "addresses", sa.Column("failures", sa.Integer(), server_default="0", nullable=False)
    )
    op.add_column("addresses", sa.Column("off_at", TIME, nullable=True))
    op.add_column("matches", sa.Column("reminded", sa.Text(), server_default="{}", nullable=False))
    op.add_column("matches", sa.Column("look_at", TIME, nullable=True))
    op.create_index("ix_matches_look_at", "matches", ["look_at"])
    op.execute("UPDATE matches SET look_at = turn_since WHERE NOT over")
    op.create_index("ix_invitations_state_made_at", "invitations", ["state", "made_at"])
    op.create_index("ix_outbox_message_id", "outbox", ["message_id"])
    _create_pauses()
    _create_announcements()


def _create_pauses() -> None:
    op.create_table(
        "pauses",
        sa.Column("id", ID, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("player_id", ID, nullable=True),
        sa.Column("began_at", TIME, nullable=False),
        sa.Column("until", TIME, nullable=True),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_pauses_player_id_players"),
        sa.PrimaryKeyConstraint("id", name="pk_pauses"),
    )
    op.create_index("ix_pauses_player_id_until", "pauses", ["player_id", "until"])
    op.create_index("ix_pauses_kind_told_until", "pauses", ["kind", "told", "until"])
    op.create_table(
        "pulses",
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.Column("good_until", TIME, nullable=False),
        sa.Column("failing", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_pulses"),
    )


def _create_announcements() -> None:
    op.create_table(
        "announcements",
        sa.Column("id", ID, nullable=False),
        sa.Column("news", sa.String(16), nullable=False),
        sa.Column("pause_id", ID, nullable=False),
        sa.Column("made_at", TIME, nullable=False),
        sa.Column("told_up_to", ID, nullable=False),
        sa.ForeignKeyConstraint(
            ["pause_id"], ["pauses.id"], name="fk_announcements_pause_id_pauses"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_announcements"),
    )
