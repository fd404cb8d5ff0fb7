"""A scripted match by real mail: `make demo`, or `python -m tests.demo`.

Starts a server on a free port, with everything in a temporary directory, writes to it by SMTP
as two players would, and prints every mail that they receive.
"""

import smtplib
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from pathlib import Path

import click

from pbm.cli import terminal
from pbm.system import SystemChance, utc_now
from tests.processes import PATIENCE, PBM, Streams, clean_environment, run, start
from tests.sink import Sink

SERVER_ADDRESS = "pbm@localhost"


class DemoError(Exception):
    """The match did not go as scripted; `str()` says where."""


@dataclass(frozen=True, slots=True)
class Step:
    """One mail of `player`, and the answers to it.

    `text` is the subject of a new mail, or with `answers` the reply to the last mail that
    `player` got. `told` has a reader and a phrase for each mail that must follow, in any order;
    the phrase is in From, Subject or the text.
    """

    player: str
    text: str
    told: tuple[tuple[str, str], ...]
    answers: bool = True


def _turn(player: str, text: str, opponent: str) -> Step:
    """Return a step after which the opponent is to move and both players are told."""
    return Step(player, text, ((player, f"{opponent} to move"), (opponent, "Your move")))


SCRIPT = (
    Step("alice", "signup alice", (("alice", "To open the account alice"),), answers=False),
    Step("alice", "yes\npassword green-apple-tree", (("alice", "Your account is open"),)),
    Step("bob", "signup bob", (("bob", "To open the account bob"),), answers=False),
    Step("bob", "yes", (("bob", "Your account is open"),)),
    Step("alice", "gonnect challenge alice green-apple-tree bob -size=5",
         (("alice", "Waiting for an answer"), ("bob", "alice invites you")), answers=False),
    Step("bob", "accept", (("alice", "Your move"), ("bob", "alice to move"))),
    _turn("alice", "C3\n\nHave fun!", "bob"),
    _turn("bob", "swap\n\nThank you, I do.", "alice"),
    _turn("alice", "C4", "bob"),
    Step("bob", "C3", (("bob", "C3 is already occupied"),)),
    _turn("bob", "B3", "alice"),
    _turn("alice", "B4", "bob"),
    _turn("bob", "D3", "alice"),
    _turn("alice", "D4", "bob"),
    _turn("bob", "A3", "alice"),
    _turn("alice", "E4", "bob"),
    Step("bob", "E3\n\nThat was close.", (("alice", "You lost"), ("bob", "You won"))),
)  # fmt: skip
"""The match: a swap, a refused move, comments, and a chain from west to east."""


def address_of(player: str) -> str:
    """Return the address that `player` writes from."""
    return f"{player}@example.com"


@dataclass(slots=True)
class Post:
    """The players' side: an SMTP port to write to, and the sink where the answers arrive."""

    port: int
    sink: Sink
    seen: list[terminal.TerminalMail] = field(default_factory=list)

    def send(self, step: Step) -> None:
        """Send the mail of `step`."""
        sender = address_of(step.player)
        recipient, content = self._reply(step) if step.answers else _new_mail(sender, step.text)
        with smtplib.SMTP("127.0.0.1", self.port, timeout=PATIENCE) as connection:
            connection.sendmail(sender, [recipient], content)

    def _reply(self, step: Step) -> tuple[str, bytes]:
        reader = address_of(step.player)
        last = next(letter for letter in reversed(self.seen) if letter.recipient == reader)
        mail = terminal.reply(last, step.text, utc_now(), SystemChance().new_id())
        return mail.recipient, mail.content

    def receive(self, count: int) -> list[terminal.TerminalMail]:
        """Return the next `count` mails; raise AssertionError if they do not arrive in time."""
        due = len(self.seen) + count
        self.sink.wait(lambda mails: len(mails) >= due, f"{count} mails")
        for number, mail in enumerate(self.sink.mails[len(self.seen) :]):
            filed = f"Delivered-To: {mail.recipient}\n".encode() + mail.content
            self.seen.append(terminal.read_letter(number, filed.replace(b"\r\n", b"\n")))
        return self.seen[due - count :]


def _new_mail(sender: str, subject: str) -> tuple[str, bytes]:
    message = EmailMessage()
    message["From"] = sender
    message["To"] = SERVER_ADDRESS
    message["Subject"] = subject
    message["Date"] = format_datetime(utc_now())
    message["Message-ID"] = make_msgid(domain="example.com")
    return SERVER_ADDRESS, message.as_bytes()


def play(post: Post, script: Sequence[Step]) -> None:
    """Play and print `script`; raise DemoError at the first mail that differs from it."""
    for step in script:
        verb = "replies" if step.answers else "writes"
        click.echo(f"\n{'=' * 76}\n{step.player} {verb}: {step.text}")
        post.send(step)
        letters = post.receive(len(step.told))
        for letter in letters:
            click.echo(_boxed(terminal.full(letter)))
        _compare(step, letters)


def _compare(step: Step, letters: list[terminal.TerminalMail]) -> None:
    told = dict(step.told)
    for letter in letters:
        phrase = told.pop(letter.recipient.partition("@")[0], None)
        said = " ".join(f"{letter.author} {letter.subject} {letter.text}".split())
        if phrase is None or phrase not in said:
            raise DemoError(
                f"{letter.recipient} should read {phrase!r} after {step.text!r} by {step.player}."
            )


def _boxed(text: str) -> str:
    return "\n" + "\n".join(f"  | {line}".rstrip() for line in text.splitlines())


@contextmanager
def running_server(home: Path, sink: Sink) -> Iterator[int]:
    """Yield the SMTP port of a server that runs in `home`, and delivers to `sink`."""
    log = home / "serve.log"
    run(*PBM, "db", "upgrade", home=home, environment=clean_environment())
    with start(
        *PBM, "serve", "--smtp", "127.0.0.1:0", "--relay", sink.relay,
        home=home, environment=clean_environment(), streams=Streams(errors=log),
    ) as process:  # fmt: skip
        line = process.stdout.readline()
        if not line.startswith("listening smtp"):
            raise DemoError(f"The server did not start.\n{log.read_text()}")
        yield int(line.rpartition(":")[2])
        process.end()


def main(script: Sequence[Step] = SCRIPT) -> int:
    """Play the match; return 0 if it went as scripted, else 1."""
    with tempfile.TemporaryDirectory(prefix="pbm-demo-") as folder:
        home = Path(folder)
        try:
            with Sink() as sink, running_server(home, sink) as port:
                play(Post(port, sink), script)
        except (DemoError, AssertionError, OSError, smtplib.SMTPException) as error:
            click.echo(f"\npbm demo: {error}", err=True)
            return 1
    click.echo("\nThe match ended as scripted.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
