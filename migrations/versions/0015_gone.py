"""Drop what features that are gone have stored: the boards that players muted.

Revision 0015.
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.drop_table("mutes")


def downgrade() -> None:
    op.create_table(
        "mutes",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_mutes_player_id_players"),
        sa.PrimaryKeyConstraint("player_id", "number", name="pk_mutes"),
    )
    op.create_index("ix_mutes_number", "mutes", ["number"])
