"""`pbm announce`: a mail of the operator to all players."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TextIO

import click

from pbm.cli.options import json_option, setting, signed, with_app
from pbm.cli.printing import echo, echo_facts
from pbm.engine import counted

if TYPE_CHECKING:
    from pbm.core.audit import Signature
    from pbm.server.assembly import App


@click.command()
@click.argument("subject")
@click.argument("file", type=click.File(encoding="utf-8"), default="-")
@setting("--dry-run", is_flag=True, show_default=False, help="Only count the recipients.")
@setting("--yes", is_flag=True, show_default=False, help="Do not ask.")
@json_option
@with_app
@signed
def announce(
    app: App, subject: str, file: TextIO, dry_run: bool, yes: bool, as_json: bool,
    by: Signature,
) -> None:  # fmt: skip
    """Email all players: SUBJECT, and the text in FILE or from standard input.

    It goes to active players whose address works, except those who wrote "set news no". At a
    terminal you are asked to confirm. If this command is killed, pbm remind finishes its work.
    """
    from pbm.features.announcements import announce as begin
    from pbm.features.announcements import check_announcement, readers

    text = _text(file)
    check_announcement(subject, text)
    with app.open_reading() as work:
        count = readers(work)
    if not dry_run:
        if not yes and sys.stdin.isatty():
            click.confirm(f"Send it to {counted(count, 'player')}?", abort=True, err=True)
        with app.open_unit() as work:
            count = begin(work, app.clock(), by, subject, text)
            work.commit()
        app.announce()
    told = f"on its way to {counted(count, 'player')}; a running server sends it, or pbm work"
    if dry_run:
        told = f"it would go to {counted(count, 'player')}"
    echo_facts({"players": count, "sent": not dry_run}, [told], as_json=as_json)


def _text(file: TextIO) -> str:
    """Return the text; raise BadParameter if it is not one."""
    if file.isatty():
        echo("Write the text and finish with Ctrl-D on an empty line.", err=True)
    try:
        return file.read().strip("\n")
    except UnicodeDecodeError:
        raise click.BadParameter("FILE is not UTF-8 text") from None
