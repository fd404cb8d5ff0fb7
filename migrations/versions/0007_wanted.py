"""Give each seek a number, by which it is accepted, and the seat that its player wants.

Revision 0007. The numbers are those of boards: the match that a seek becomes keeps it.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

FIRST_NUMBER = 101
"""The first board number of a server that has none yet."""


def upgrade() -> None:
    op.add_column("seeks", sa.Column("number", sa.Integer(), nullable=True))
    op.add_column("seeks", sa.Column("seat", sa.Integer(), nullable=True))
    _number_all()
    op.create_index("ix_seeks_number", "seeks", ["number"], unique=True)


def _number_all() -> None:
    """Give the seeks that there are the next numbers, in the order in which they were made."""
    connection = op.get_bind()
    seeks = connection.execute(
        sa.text("SELECT player_id, game FROM seeks ORDER BY made_at, player_id, game")
    ).all()
    if not seeks:
        return
    last = connection.scalar(sa.text("SELECT value FROM counters WHERE name = 'board'"))
    if last is None:
        last = FIRST_NUMBER - 1
        connection.execute(
            sa.text("INSERT INTO counters (name, value) VALUES ('board', :last)"), {"last": last}
        )
    for number, (player, game) in enumerate(seeks, last + 1):
        connection.execute(
            sa.text("UPDATE seeks SET number = :number WHERE player_id = :player AND game = :game"),
            {"number": number, "player": player, "game": game},
        )
    connection.execute(
        sa.text("UPDATE counters SET value = :last WHERE name = 'board'"),
        {"last": last + len(seeks)},
    )
