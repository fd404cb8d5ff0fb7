"""Drop the commands of robots: a robot of others is a function of a Python package.

Revision 0020. A robot that had a command becomes one whose package is missing.
"""

from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.execute("UPDATE robots SET entry = 'command' WHERE command <> '[]'")
    op.drop_column("robots", "command")
