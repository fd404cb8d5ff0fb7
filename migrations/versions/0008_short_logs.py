"""Play a match without its whole log: remember from which entry on a move needs it.

Revision 0008. Until a match is saved again it is read from the beginning, which is right as well.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

COLUMNS = ("read_from", "plies_before", "undos_before")


def upgrade() -> None:
    for name in COLUMNS:
        op.add_column("matches", sa.Column(name, sa.Integer(), nullable=False, server_default="0"))
