"""Do large work in parts: sequels of mails; and let a forged signup lift no "no".

Revision 0006.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TIMESTAMP

revision = "0006"
down_revision = "0005"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TIME = sa.String(27).with_variant(TIMESTAMP(timezone=True), "postgresql")


def upgrade() -> None:
    op.add_column(
        "left_alone", sa.Column("proven", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.add_column("left_alone", sa.Column("asking_until", TIME, nullable=True))
    op.add_column("left_alone", sa.Column("asking_again", TIME, nullable=True))
    op.create_table(
        "sequels",
        sa.Column("id", ID, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("player_id", ID, nullable=True),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("made_at", TIME, nullable=False),
        sa.Column("done_up_to", ID, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_sequels_player_id_players"),
        sa.PrimaryKeyConstraint("id", name="pk_sequels"),
    )
    op.create_index("ix_sequels_player_id", "sequels", ["player_id"])
