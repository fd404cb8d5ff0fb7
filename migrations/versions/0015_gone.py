"""Drop what features that are gone have stored: muted boards, and questions whether players stay.

What the operator writes to all players moves from the sequels to the announcements. Players can
have notes on their matches.

Revision 0015.
"""

import json

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.drop_table("mutes")
    op.drop_column("players", "missing_since")
    op.execute("DELETE FROM errands WHERE kind = 'stay' AND id < (SELECT max(id) FROM errands)")
    # The newest row stays, as an answered one: SQLite would give its number, which old mails name,
    # to the next errand.
    op.execute("UPDATE errands SET kind = 'reset_password', done_at = made_at WHERE kind = 'stay'")
    with op.batch_alter_table("announcements") as table:
        table.alter_column("pause_id", existing_type=ID, nullable=True)
        table.add_column(sa.Column("subject", sa.String(), nullable=False, server_default=""))
        table.add_column(sa.Column("text", sa.String(), nullable=False, server_default=""))
    _move_texts()
    op.create_table(
        "notes",
        sa.Column("match_number", sa.Integer(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_number"], ["matches.number"], name="fk_notes_match_number_matches"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_notes_player_id_players"),
        sa.PrimaryKeyConstraint("match_number", "player_id", name="pk_notes"),
    )


def _move_texts() -> None:
    """Go on with what the operator has written and not everybody has got."""
    connection = op.get_bind()
    waiting = connection.execute(
        sa.text("SELECT facts, made_at, done_up_to FROM sequels WHERE kind = 'circular'")
    )
    for facts, made_at, told_up_to in waiting.all():
        row = {"made_at": made_at, "told_up_to": told_up_to, **json.loads(facts)}
        connection.execute(
            sa.text(
                "INSERT INTO announcements (news, made_at, told_up_to, subject, text)"
                " VALUES ('written', :made_at, :told_up_to, :subject, :text)"
            ),
            row,
        )
    op.execute("DELETE FROM sequels WHERE kind = 'circular'")
