"""Create the tables of what players want: errands, ratings, wishes, followers, plans.

Revision 0002. Players also get settings; existing players have set nothing yet. A new index
lists all boards of a game, open and over, by number without sorting.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TIMESTAMP

revision = "0002"
down_revision = "0001"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TIME = sa.String(27).with_variant(TIMESTAMP(timezone=True), "postgresql")


def upgrade() -> None:
    op.add_column("players", sa.Column("settings", sa.Text(), server_default="{}", nullable=False))
    op.create_index("ix_matches_game_number", "matches", ["game", "number"])
    _create_errands()
    _create_ratings()
    _create_wishes()
    _create_followers()
    _create_intentions()


def _create_errands() -> None:
    op.create_table(
        "errands",
        sa.Column("id", ID, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("made_at", TIME, nullable=False),
        sa.Column("done_at", TIME, nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_errands_player_id_players"),
        sa.PrimaryKeyConstraint("id", name="pk_errands"),
    )
    op.create_index("ix_errands_player_id_id", "errands", ["player_id", "id"])
    op.create_index("ix_errands_address_id", "errands", ["address", "id"])


def _create_ratings() -> None:
    op.create_table(
        "ratings",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("volatility", sa.Double(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("updated_at", TIME, nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_ratings_player_id_players"),
        sa.PrimaryKeyConstraint("player_id", "game", name="pk_ratings"),
    )
    op.create_index("ix_ratings_game_rating", "ratings", ["game", "rating"])


def _create_wishes() -> None:
    op.create_table(
        "stances",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("answer", sa.String(16), nullable=False),
        sa.Column("most_boards", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_stances_player_id_players"),
        sa.PrimaryKeyConstraint("player_id", "game", name="pk_stances"),
    )
    op.create_table(
        "seeks",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("boards", sa.Integer(), nullable=False),
        sa.Column("made_at", TIME, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_seeks_player_id_players"),
        sa.PrimaryKeyConstraint("player_id", "game", name="pk_seeks"),
    )
    op.create_index("ix_seeks_game_made_at", "seeks", ["game", "made_at"])


def _create_followers() -> None:
    op.create_table(
        "followers",
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("only_end", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_followers_player_id_players"
        ),
        sa.PrimaryKeyConstraint("subject", "player_id", name="pk_followers"),
    )
    op.create_index("ix_followers_player_id", "followers", ["player_id"])


def _create_intentions() -> None:
    op.create_table(
        "queued_moves",
        sa.Column("match_number", sa.Integer(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("base", sa.Integer(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_number"], ["matches.number"], name="fk_queued_moves_match_number_matches"
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_queued_moves_player_id_players"
        ),
        sa.PrimaryKeyConstraint("match_number", "player_id", "position", name="pk_queued_moves"),
    )
    op.create_table(
        "submitted_moves",
        sa.Column("match_number", sa.Integer(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_number"], ["matches.number"], name="fk_submitted_moves_match_number_matches"
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_submitted_moves_player_id_players"
        ),
        sa.PrimaryKeyConstraint("match_number", "player_id", name="pk_submitted_moves"),
    )
