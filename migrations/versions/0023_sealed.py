"""Add what players have chosen in secret, until all have chosen.

Revision 0023.
"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    op.add_column("matches", sa.Column("sealed", sa.Text, nullable=False, server_default="{}"))
