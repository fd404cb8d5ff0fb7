"""`pbm inject`, `pbm shunt` and `pbm outbox`: mails on their way in and out."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, BinaryIO

import click

from pbm.cli.options import Rows, lists, maintaining, maintains, setting, signed, with_app
from pbm.cli.printing import Noun, echo, fields_of, mask
from pbm.config import ConfigError

if TYPE_CHECKING:
    from pbm.core.audit import Signature
    from pbm.operator.upkeep import Upkeep
    from pbm.server.assembly import App


@click.command()
@setting("--sender", default="", show_default=False,
         help="The envelope sender.  [default: made up, unless From is missing]")  # fmt: skip
@setting("--recipient", multiple=True, help="An envelope recipient.  [default: the server's]")
@click.argument("file", type=click.File("rb"))
@with_app
def inject(app: App, sender: str, recipient: tuple[str, ...], file: BinaryIO) -> None:
    """Put the raw message in FILE into the inbox; - is standard input."""
    from pbm.domain.mail import ReceivedMail
    from pbm.store.errors import IntakeUnavailable

    lines = file.read().replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    content = lines.replace(b"\n", b"\r\n")
    recipients = recipient or (app.settings.address,)
    mail_in = ReceivedMail(sender or _return_path(content), recipients, content, app.clock())
    if app.inbox.put([mail_in]):
        raise IntakeUnavailable("This sender has too many mails waiting.")
    echo("in the inbox; a running server plays it, or pbm work")


def _return_path(content: bytes) -> str:
    """Return an envelope sender for a mail from a file: null only if the mail has no From.

    The reader only needs to know whether it is null, and a mail with a From is not a bounce.
    """
    head = content.partition(b"\r\n\r\n")[0].lower()
    return "injected@localhost" if b"from:" in head else ""


_WAKES = "; a running server delivers them, or pbm work"


@click.group(cls=Noun)
def shunt() -> None:
    """Messages that met a bug: they had no effect, and nothing is lost."""


@shunt.command("list")
@lists(("id", "shunted at", "error"))
def list_shunted(app: App) -> Rows:
    """List the messages that met a bug."""
    with app.open_reading() as work:
        return [
            (row.id, row.shunted_at, row.error.strip().rpartition("\n")[2])
            for row in work.shunt.listing()
        ]


@shunt.command()
@click.argument("number", type=int)
@setting("--unmask", is_flag=True, show_default=False, help="Show passwords and tokens too.")
@with_app
@signed
def show(app: App, number: int, unmask: bool, by: Signature) -> None:
    """Show message NUMBER and where it met the bug. Its words are masked.

    With --unmask it is shown as it came, and pbm audit records that. It needs read access to the
    key file.
    """
    from pbm.core.token_masking import without_tokens
    from pbm.operator.upkeep import Upkeep, shunted

    key = app.settings.secret
    if unmask and not os.access(key, os.R_OK):
        raise ConfigError(f"{key} cannot be read, so you may not see this message.")
    with app.open_unit() if unmask else app.open_reading() as work:
        row = shunted(work, number)
        if unmask:
            Upkeep(work, app.clock(), by).unmask_shunted(number)
            work.commit()
    echo(row.error)
    echo()
    content = row.mail.content.decode("utf-8", "replace")
    echo(content if unmask else mask(without_tokens(app.services.mint, content)))


@shunt.command()
@click.argument("numbers", type=int, nargs=-1, required=True)
@maintains
def retry(upkeep: Upkeep, numbers: tuple[int, ...]) -> str:
    """Put messages back into the inbox, to be played again."""
    for number in numbers:
        upkeep.retry_shunted(number)
    return f"{len(numbers)} back in the inbox; a running server plays them, or pbm work"


@shunt.command()
@click.argument("numbers", type=int, nargs=-1, required=True)
@maintains
def drop(upkeep: Upkeep, numbers: tuple[int, ...]) -> str:
    """Delete messages permanently."""
    for number in numbers:
        upkeep.drop_shunted(number)
    return f"{len(numbers)} deleted"


@click.group(cls=Noun)
def outbox() -> None:
    """Messages that have not been delivered yet, or could not be."""


@outbox.command("list")
@lists(
    ("id", "recipient", "state", "tries", "next try", "error"),
    lambda r: (r.id, r.recipient, r.state, r.tries, r.next_try_at, r.error),
    fields_of,
)
def list_outbox(app: App) -> Rows:
    """List the messages that are waiting or dead."""
    with app.open_reading() as work:
        return work.outbox.listing()


@outbox.command("retry")
@click.argument("numbers", type=int, nargs=-1)
@setting("--all", "everything", is_flag=True, help="All that are waiting or dead.")
@with_app
@signed
def retry_outbox(app: App, numbers: tuple[int, ...], everything: bool, by: Signature) -> None:
    """Try to deliver messages now, dead ones too.

    A dead message is tried for another five days. A message that a process is delivering at this
    moment is left alone.
    """
    if bool(numbers) == everything:
        raise click.UsageError("give NUMBERS from pbm outbox list, or --all")
    with maintaining(app, by) as upkeep:
        if everything:
            due, owners = upkeep.retry_all_outgoing(app.leases.is_free)
            busy = [("others are", owner) for owner in owners]
        else:
            numbers = tuple(dict.fromkeys(numbers))
            found = [(n, upkeep.retry_outgoing(n, app.leases.is_free)) for n in numbers]
            busy = [(f"mail {number} is", owner) for number, owner in found if owner]
            due = len(found) - len(busy)
    for what, owner in busy:
        echo(f"{what} being delivered right now by {owner}", err=True)
    echo(f"{due} due now" + (_WAKES if due else ""))


@outbox.command("drop")
@click.argument("numbers", type=int, nargs=-1, required=True)
@maintains
def drop_outbox(upkeep: Upkeep, numbers: tuple[int, ...]) -> str:
    """Delete messages permanently."""
    for number in numbers:
        upkeep.drop_outgoing(number)
    return f"{len(numbers)} deleted"
