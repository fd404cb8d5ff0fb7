"""`pbm inject`: a raw mail goes into the inbox without SMTP."""

from typing import BinaryIO

import click

from pbm.bootstrap import House
from pbm.cli.options import echo, setting, with_house
from pbm.domain.mail import ReceivedMail
from pbm.service.ports.post import IntakeUnavailable


@click.command()
@setting("--sender", default="", show_default=False,
         help="The envelope sender.  [default: made up, unless From is missing]")  # fmt: skip
@setting("--recipient", multiple=True, help="An envelope recipient.  [default: the server's]")
@click.argument("file", type=click.File("rb"))
@with_house
def inject(house: House, sender: str, recipient: tuple[str, ...], file: BinaryIO) -> None:
    """Put the raw mail in FILE into the inbox; - is standard input."""
    lines = file.read().replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    content = lines.replace(b"\n", b"\r\n")
    recipients = recipient or (house.settings.address,)
    mail_in = ReceivedMail(sender or _return_path(content), recipients, content, house.clock())
    if house.inbox.put([mail_in]):
        raise IntakeUnavailable("This sender has too many mails waiting.")
    echo("in the inbox; a running server plays it, or pbm work")


def _return_path(content: bytes) -> str:
    """Return an envelope sender for a mail from a file: null only if the mail has no From.

    The reader only needs to know whether it is null, and a mail with a From is not a bounce.
    """
    head = content.partition(b"\r\n\r\n")[0].lower()
    return "injected@localhost" if b"from:" in head else ""
