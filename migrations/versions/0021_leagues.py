"""Add leagues: seasons, their entrants, and who meets whom on which board.

Revision 0021.
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
FOLDED = sa.String().with_variant(sa.String(collation="C"), "postgresql")
TIME = sa.String(27).with_variant(sa.TIMESTAMP(timezone=True), "postgresql")


def _key(table: str, column: str, to: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{to}.id"], name=f"fk_{table}_{column}_{to}")


def upgrade() -> None:
    op.create_table(
        "seasons",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", FOLDED, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("least", sa.Integer(), nullable=False),
        sa.Column("notice", sa.Integer(), nullable=False),
        sa.Column("once", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("starts_at", TIME),
        sa.PrimaryKeyConstraint("id", name="pk_seasons"),
        sa.UniqueConstraint("name", "number", name="uq_seasons_name_number"),
    )
    op.create_index("ix_seasons_state_starts_at", "seasons", ["state", "starts_at"])
    op.create_table(
        "entrants",
        sa.Column("season_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("division", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("place", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("left_at", TIME),
        sa.PrimaryKeyConstraint("season_id", "player_id", name="pk_entrants"),
        _key("entrants", "season_id", "seasons"),
        _key("entrants", "player_id", "players"),
    )
    op.create_index("ix_entrants_player_id", "entrants", ["player_id"])
    op.create_table(
        "pairings",
        sa.Column("season_id", ID, nullable=False),
        sa.Column("first_id", ID, nullable=False),
        sa.Column("second_id", ID, nullable=False),
        sa.Column("division", sa.Integer(), nullable=False),
        sa.Column("match_number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("season_id", "first_id", "second_id", name="pk_pairings"),
        sa.UniqueConstraint("match_number", name="uq_pairings_match_number"),
        _key("pairings", "season_id", "seasons"),
        _key("pairings", "first_id", "players"),
        _key("pairings", "second_id", "players"),
    )
    op.create_index("ix_pairings_second_id", "pairings", ["second_id"])
