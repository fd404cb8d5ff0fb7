"""Remember which keys have signed, by fingerprints that tell nothing about them.

Revision 0011.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TIMESTAMP

revision = "0011"
down_revision = "0010"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TIME = sa.String(27).with_variant(TIMESTAMP(timezone=True), "postgresql")


def upgrade() -> None:
    op.create_table(
        "token_keys",
        sa.Column("id", ID, nullable=False),
        sa.Column("fingerprint", sa.String(16), nullable=False),
        sa.Column("since", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_token_keys"),
        sa.UniqueConstraint("fingerprint", name="uq_token_keys_fingerprint"),
    )
