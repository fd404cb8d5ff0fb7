"""Keep each question of the server to a player in a row of its own, under a random id.

Revision 0018. Questions that wait are dropped: their mails carry no such id.
"""

import json

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TIMESTAMP

revision = "0018"
down_revision = "0017"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TIME = sa.String(27).with_variant(TIMESTAMP(timezone=True), "postgresql")


def upgrade() -> None:
    op.create_table(
        "questions",
        sa.Column("id", ID, autoincrement=False, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("choices", sa.Text(), nullable=False),
        sa.Column("proven", sa.Boolean(), nullable=False),
        sa.Column("made_at", TIME, nullable=False),
        sa.Column("board", sa.Integer(), nullable=True),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("undos", sa.Integer(), nullable=False),
        sa.Column("answers", sa.String(), nullable=False),
        sa.Column("answered_at", TIME, nullable=True),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_questions_player_id_players"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_questions"),
    )
    op.create_index("ix_questions_player_id", "questions", ["player_id"])
    op.create_index("ix_questions_made_at", "questions", ["made_at"])
    _forget_settings()


def _forget_settings() -> None:
    connection = op.get_bind()
    asked = sa.text("SELECT id, settings FROM players WHERE settings LIKE '%\"asked\"%'")
    for player, settings in connection.execute(asked).all():
        kept = {name: value for name, value in json.loads(settings).items() if name != "asked"}
        connection.execute(
            sa.text("UPDATE players SET settings = :settings WHERE id = :id"),
            {"id": player, "settings": json.dumps(kept, separators=(",", ":"))},
        )
