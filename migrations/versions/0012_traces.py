"""Remember of each mail, as long as its row is kept, what `pbm trace` tells.

Revision 0012. The rows of earlier mails know nothing of it; mails that wait get it as they go.
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

TIME = sa.String(27).with_variant(sa.TIMESTAMP(timezone=True), "postgresql")


def upgrade() -> None:
    for table, columns in _columns().items():
        for column in columns:
            op.add_column(table, column)


def _columns() -> dict[str, list[sa.Column[object]]]:
    return {
        "inbox": [
            sa.Column("message_key", sa.BigInteger(), nullable=True),
            sa.Column("listener", sa.String(), nullable=False, server_default=""),
            sa.Column("played_at", TIME, nullable=True),
            sa.Column("outcome", sa.String(), nullable=False, server_default=""),
        ],
        "outbox": [
            sa.Column("message_key", sa.BigInteger(), nullable=True),
            sa.Column("inbox_id", sa.BigInteger(), nullable=True),
            sa.Column("words", sa.String(), nullable=False, server_default=""),
        ],
    }
