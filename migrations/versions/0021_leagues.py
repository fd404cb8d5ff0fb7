"""Add leagues: seasons, their entrants, and who meets whom on which board.

Revision 0021.
"""

from alembic import op
from sqlalchemy import (
    TIMESTAMP,
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Integer,
    String,
    Text,
    UniqueConstraint,
)

revision = "0021"
down_revision = "0020"

ID = BigInteger().with_variant(Integer(), "sqlite")
FOLDED = String().with_variant(String(collation="C"), "postgresql")
TIME = String(27).with_variant(TIMESTAMP(timezone=True), "postgresql")


def _needed(**kinds: object) -> list[Column]:
    return [Column(name, kind, nullable=False) for name, kind in kinds.items()]


def _key(name: str, to: str) -> Column:
    return Column(name, ID, ForeignKey(f"{to}.id"), primary_key=True)


def upgrade() -> None:
    op.create_table(
        "seasons",
        Column("id", ID, primary_key=True),
        *_needed(name=FOLDED, number=Integer(), game=String(), options=Text(), terms=Text()),
        *_needed(size=Integer(), least=Integer(), notice=Integer(), once=Boolean()),
        *_needed(state=String(16)),
        Column("starts_at", TIME),
        UniqueConstraint("name", "number"),
    )
    op.create_index("ix_seasons_state_starts_at", "seasons", ["state", "starts_at"])
    numbers = ("seed", "division", "place")
    op.create_table(
        "entrants", _key("season_id", "seasons"), _key("player_id", "players"),
        *(Column(name, Integer, nullable=False, server_default="0") for name in numbers),
        Column("left_at", TIME),
    )  # fmt: skip
    op.create_index("ix_entrants_player_id", "entrants", ["player_id"])
    op.create_table(
        "pairings", _key("season_id", "seasons"),
        _key("first_id", "players"), _key("second_id", "players"),
        *_needed(division=Integer(), match_number=Integer()), UniqueConstraint("match_number"),
    )  # fmt: skip
    op.create_index("ix_pairings_second_id", "pairings", ["second_id"])
