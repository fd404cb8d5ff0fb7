#!/usr/bin/env python3
"""Mail `help` to the server and wait in a Maildir for the next mail from it.

    round-trip.py --from you@example.org --to pbm@games.example.org --maildir ~/Maildir

Prints how many seconds the answer took. The exit status is 1 if none came.
"""

import argparse
import smtplib
import sys
import time
from collections.abc import Iterator
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.utils import formatdate, make_msgid
from pathlib import Path


def main() -> None:
    """Send the mail, wait, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--from", dest="sender", required=True)
    parser.add_argument("--to", required=True, help="the address that players write to")
    parser.add_argument("--maildir", type=Path, required=True, help="where mails to --from arrive")
    parser.add_argument("--smtp", default="localhost:25", metavar="HOST:PORT")
    parser.add_argument("--wait", type=float, default=300, metavar="SECONDS")
    asked = parser.parse_args()
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = asked.sender, asked.to, "help"
    mail["Date"] = formatdate()
    mail["Message-ID"] = make_msgid(domain=asked.sender.rpartition("@")[2])
    host, _, port = asked.smtp.rpartition(":")
    before, begun = set(files(asked.maildir)), time.monotonic()
    try:
        with smtplib.SMTP(host, int(port), timeout=30) as connection:
            connection.send_message(mail)
    except OSError as error:
        sys.exit(f"{asked.smtp} does not take the mail: {error}")
    while (seconds := time.monotonic() - begun) < asked.wait:
        if any(is_from(asked.to, file) for file in set(files(asked.maildir)) - before):
            print(f"answered after {seconds:.1f} s")  # noqa: T201
            return
        time.sleep(0.1)
    sys.exit(f"no answer within {asked.wait:g} s")


def files(maildir: Path) -> Iterator[Path]:
    """Yield the mails of a Maildir, read or not."""
    return (file for folder in ("new", "cur") for file in (maildir / folder).glob("*"))


def is_from(address: str, file: Path) -> bool:
    """Return whether the mail in `file` comes from `address`."""
    try:
        with file.open("rb") as content:
            return address in BytesHeaderParser().parse(content).get("From", "")
    except FileNotFoundError:  # a mail program has just moved it
        return False


if __name__ == "__main__":
    main()
