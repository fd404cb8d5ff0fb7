"""Keep what a newcomer wants with the request for an account, and who invites them.

Revision 0016.
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    with op.batch_alter_table("signups") as table:
        table.add_column(sa.Column("wish", sa.String(), nullable=False, server_default=""))
        table.add_column(sa.Column("inviter", ID, nullable=False, server_default="0"))
