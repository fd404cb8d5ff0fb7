"""Drop the passwords and further addresses of signups: nobody had proven who chose them.

Revision 0020. A signup that waits opens its account without a password.
"""

from alembic import op

revision = "0020"
down_revision = "0018"


def upgrade() -> None:
    op.drop_column("signups", "password_hash")
    op.drop_column("signups", "further")
