"""Drop the passwords and further addresses of signups: nobody had proven who chose them.

Revision 0019. A signup that waits opens its account without a password. From now on the userids
that players give up are stored.
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
FOLDED = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    op.drop_column("signups", "password_hash")
    op.drop_column("signups", "further")
    op.create_table(
        "former_userids",
        sa.Column("userid_folded", FOLDED, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_former_userids_player_id_players"
        ),
        sa.PrimaryKeyConstraint("userid_folded", name="pk_former_userids"),
    )
    op.create_index("ix_former_userids_player_id", "former_userids", ["player_id"])
