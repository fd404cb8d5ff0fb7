"""Note of a mail that waits for a robot's turn which board it is about, and since which ply.

Revision 0017. Mails that wait already go out as they are.
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.add_column("outbox", sa.Column("board", sa.Integer(), nullable=True))
    op.add_column("outbox", sa.Column("ply", sa.Integer(), nullable=True))
