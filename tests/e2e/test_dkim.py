"""DKIM: what leaves a real server is verified by implementations that are not ours."""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import dkim  # type: ignore[import-untyped]
import pytest

from tests.e2e.people import PASSWORD, open_table, take_turn
from tests.processes import run, run_pbm

SCRIPT = Path(__file__).with_name("verify_dkim.pl")


@cache
def has_mail_dkim() -> bool:
    if os.environ.get("CI"):
        return True
    return run("perl", "-MMail::DKIM", "-e", "1").returncode == 0


@dataclass(frozen=True)
class Sent:
    """The mails that a server sent, as a sink got them, and the record that `pbm` printed."""

    algorithm: str
    mails: tuple[bytes, ...]
    record: str

    def verdicts(self, mails: Iterable[bytes], folder: Path) -> set[str]:
        """Return all that Mail::DKIM says of these mails."""
        files = []
        for number, content in enumerate(mails):
            files.append(folder / f"{number}.eml")
            files[-1].write_bytes(content)
        told = run("perl", SCRIPT, self.record, *files).stdout.splitlines()
        assert len(told) == len(files) > 9
        return set(told)

    def is_valid(self, content: bytes) -> bool:
        """Return what dkimpy says of a mail."""
        published = "".join(re.findall(r'"([^"]*)"', self.record)).encode()
        return bool(dkim.verify(content, dnsfunc=lambda name, timeout=5: published))


@pytest.fixture(scope="module", params=["rsa", "ed25519"])
def sent(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Sent:
    """Play the beginning of a match at a server that signs."""
    home = tmp_path_factory.mktemp("dkim")
    made = run_pbm("dkim", "new", "--algorithm", request.param, home=home)
    assert made.returncode == 0, made.stderr
    assert 'dkim_key = "var/dkim.pem"' in made.stderr
    with open_table(home, "--dkim-key", "var/dkim.pem", accounts=()) as table:
        for person in (table.alice, table.bob):
            person.opens_account(PASSWORD)
        talk = "A comment  with  blanks and a dot\n.\n..\nat the end"
        take_turn(table.alice, table.bob, table.begin()[0], f"C3\n\n{talk}")
        sent = tuple(mail.content for mail in table.sink.mails)
        return Sent(request.param, sent, made.stdout.strip())


@pytest.mark.mail_dkim
@pytest.mark.skipif(not has_mail_dkim(), reason="needs Mail::DKIM (apt: libmail-dkim-perl)")
@pytest.mark.parametrize("sent", ["rsa"], indirect=True)  # of ed25519 it knows nothing yet
def test_debians_mail_dkim_verifies_each_mail_and_no_mutant_of_it(
    sent: Sent, tmp_path: Path
) -> None:
    assert sent.verdicts(sent.mails, tmp_path) == {"pass"}
    assert sent.verdicts(mutants(sent.mails[-1]), tmp_path) == {
        "fail (body has been altered)", "fail (message has been altered)",
    }  # fmt: skip


def test_dkimpy_verifies_each_mail_and_no_mutant_of_it(sent: Sent) -> None:
    assert all(map(sent.is_valid, sent.mails))
    assert not any(map(sent.is_valid, mutants(sent.mails[-1])))


def mutants(content: bytes) -> Iterator[bytes]:
    """Yield the mail with one octet changed, or one field added, in each place that counts."""
    head, gap, body = content.partition(b"\r\n\r\n")
    at = body.index(b"C3")
    yield head + gap + body[:at] + b"D" + body[at + 1 :]
    yield content + b"more\r\n"
    for name in (b"From", b"To", b"Subject", b"Date", b"Message-ID", b"References", b"Reply-To"):
        before, field, after = content.partition(b"\r\n" + name + b": ")
        assert field, name
        letter = b"y" if after[2:3] != b"y" else b"z"
        yield before + field + after[:2] + letter + after[3:]
        yield name + b": eve@evil.example\r\n" + content
    for name in (b"Cc", b"Sender", b"List-Unsubscribe", b"In-Reply-To", b"List-Unsubscribe-Post"):
        if b"\r\n" + name + b": " not in content:
            yield name + b": <mailto:eve@evil.example>\r\n" + content


def test_the_signature_limits_no_length_and_names_each_field_once_more_than_it_is_there(
    sent: Sent,
) -> None:
    for mail in sent.mails:
        head = mail.partition(b"\r\n\r\n")[0].decode()
        signature = re.sub(r"\s+", "", head[: head.index("\r\nFrom: ")].replace("\r\n\t", ""))
        tags = dict(tag.split("=", 1) for tag in signature.partition(":")[2].split(";"))
        assert tags["a"] == f"{sent.algorithm}-sha256"
        assert (tags["c"], tags["d"], tags["s"]) == ("relaxed/relaxed", "localhost", "pbm")
        assert "l" not in tags
        assert tags["h"].split(":").count("from") == 2
        assert "list-unsubscribe" in tags["h"].split(":")
