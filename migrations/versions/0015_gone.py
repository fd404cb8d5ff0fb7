"""Drop what features that are gone have stored: muted boards, and questions whether players stay.

Revision 0015.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TIMESTAMP

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TIME = sa.String(27).with_variant(TIMESTAMP(timezone=True), "postgresql")


def upgrade() -> None:
    op.drop_table("mutes")
    op.drop_column("players", "missing_since")
    op.execute("DELETE FROM errands WHERE kind = 'stay' AND id < (SELECT max(id) FROM errands)")
    # The newest row stays, as an answered one: SQLite would give its number, which old mails name,
    # to the next errand.
    op.execute("UPDATE errands SET kind = 'reset_password', done_at = made_at WHERE kind = 'stay'")


def downgrade() -> None:
    op.add_column("players", sa.Column("missing_since", TIME, nullable=True))
    op.create_table(
        "mutes",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_mutes_player_id_players"),
        sa.PrimaryKeyConstraint("player_id", "number", name="pk_mutes"),
    )
    op.create_index("ix_mutes_number", "mutes", ["number"])
