"""Keep the further addresses that a signup names until its account is open.

Revision 0003. Signups that are already waiting have named none.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("signups", sa.Column("further", sa.Text(), server_default="[]", nullable=False))
