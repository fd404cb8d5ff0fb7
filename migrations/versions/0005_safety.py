"""Be safe on the open internet: blocks and mutes, the audit of operators, bans, people left alone.

Revision 0005. Reply addresses sent before it show the present board when they are answered.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TIMESTAMP

revision = "0005"
down_revision = "0004"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TIME = sa.String(27).with_variant(TIMESTAMP(timezone=True), "postgresql")


def upgrade() -> None:
    op.add_column("players", sa.Column("tokens_since", TIME, nullable=True))
    op.add_column("inbox", sa.Column("source", sa.String(), server_default="", nullable=False))
    op.add_column("inbox", sa.Column("octets", sa.Integer(), server_default="0", nullable=False))
    op.drop_index("ix_outbox_message_id", "outbox")
    op.create_index("ix_outbox_sender", "outbox", ["sender"])
    _create_people()
    _create_audit()


def _create_people() -> None:
    op.create_table(
        "blocks",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("blocked_id", ID, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_blocks_player_id_players"),
        sa.ForeignKeyConstraint(
            ["blocked_id"], ["players.id"], name="fk_blocks_blocked_id_players"
        ),
        sa.PrimaryKeyConstraint("player_id", "blocked_id", name="pk_blocks"),
    )
    op.create_index("ix_blocks_blocked_id", "blocks", ["blocked_id"])
    op.create_table(
        "mutes",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_mutes_player_id_players"),
        sa.PrimaryKeyConstraint("player_id", "number", name="pk_mutes"),
    )
    op.create_index("ix_mutes_number", "mutes", ["number"])


def _create_audit() -> None:
    op.create_table(
        "audit",
        sa.Column("id", ID, nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.Column("operator", sa.String(), nullable=False),
        sa.Column("act", sa.String(32), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("before", sa.Text(), nullable=False),
        sa.Column("after", sa.Text(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
    )
    op.create_table(
        "bans",
        sa.Column("pattern", sa.String(), nullable=False),
        sa.Column("made_at", TIME, nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("pattern", name="pk_bans"),
    )
    op.create_table(
        "left_alone",
        sa.Column("mailbox", sa.String(64), nullable=False),
        sa.Column("since", TIME, nullable=False),
        sa.PrimaryKeyConstraint("mailbox", name="pk_left_alone"),
    )
