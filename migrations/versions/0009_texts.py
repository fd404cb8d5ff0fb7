"""Keep the texts of mails in tables of their own, where they leave whole pages to the next ones.

Revision 0009. The databases copy from table to table by themselves, so memory is no matter.
Texts are erased in their old places first, because PostgreSQL leaves a dropped column where it is.
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

COLUMNS = {"inbox": ("content",), "outbox": ("message_id", "content")}


def upgrade() -> None:
    for mails, columns in COLUMNS.items():
        _create_texts(mails)
        names = ", ".join(columns)
        op.execute(
            f"INSERT INTO {mails}_texts (id, {names}) "  # noqa: S608 - our own names
            f"SELECT id, {names} FROM {mails} WHERE content IS NOT NULL"
        )
        op.execute(f"UPDATE {mails} SET content = NULL WHERE content IS NOT NULL")  # noqa: S608
        for name in columns:
            op.drop_column(mails, name)


def _create_texts(mails: str) -> None:
    message_id = [sa.Column("message_id", sa.String(), nullable=False)] * (mails == "outbox")
    op.create_table(
        f"{mails}_texts",
        sa.Column("id", ID, autoincrement=False, nullable=False),
        *message_id,
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["id"], [f"{mails}.id"], name=f"fk_{mails}_texts_id_{mails}", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=f"pk_{mails}_texts"),
    )
