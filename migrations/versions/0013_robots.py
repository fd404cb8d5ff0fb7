"""Accounts of robots, and what they have to think about.

Revision 0013. Everybody who is there already is a person.
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TIME = sa.String(27).with_variant(sa.TIMESTAMP(timezone=True), "postgresql")


def upgrade() -> None:
    kind = sa.Column("kind", sa.String(16), nullable=False, server_default="person")
    op.add_column("players", kind)
    op.create_table(
        "robots",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=True),
        sa.Column("command", sa.Text(), nullable=False, server_default="[]"),
        sa.Column("entry", sa.String(), nullable=False, server_default=""),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_robots_player_id_players"),
        sa.PrimaryKeyConstraint("player_id", name="pk_robots"),
    )
    op.create_table(
        "thoughts",
        sa.Column("id", ID, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("asked_at", TIME, nullable=False),
        sa.Column("due_at", TIME, nullable=False),
        sa.Column("payer_id", ID, nullable=False),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("asked", sa.Integer(), nullable=False, server_default="0"),
        sa.ForeignKeyConstraint(["number"], ["matches.number"], name="fk_thoughts_number_matches"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_thoughts_player_id_players"
        ),
        sa.ForeignKeyConstraint(["payer_id"], ["players.id"], name="fk_thoughts_payer_id_players"),
        sa.PrimaryKeyConstraint("id", name="pk_thoughts"),
        sa.UniqueConstraint(
            "number", "player_id", "kind", name="uq_thoughts_number_player_id_kind"
        ),
    )
    op.create_index("ix_thoughts_due_at_id", "thoughts", ["due_at", "id"])
