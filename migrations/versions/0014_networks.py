"""Keep where a mail came from until it is played, so that one network cannot use up all answers.

Revision 0014. Of mails that wait already it is not known.
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    network = sa.Column("network", sa.String(), nullable=False, server_default="")
    op.add_column("inbox", network)
