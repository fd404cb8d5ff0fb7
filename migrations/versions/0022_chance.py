"""Replace the seed of a match, which told its throws in advance, by what was dealt.

Revision 0022.
"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    dealt = sa.Column("dealt", sa.Text, nullable=False, server_default="[]")
    op.add_column("matches", dealt)
    for table in ("matches", "invitations", "seeks"):
        op.drop_column(table, "seed")
