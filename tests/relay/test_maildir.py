"""Mails filed in a Maildir: each one once, whole, and with a number that never changes."""

import mailbox
import os
import stat
import threading
from pathlib import Path

import pytest

from pbm.server.relay import open_relay
from pbm.server.relay.maildir import MaildirRelay, filed_mails
from tests.doors import Failed, Sent
from tests.relay.relays import deliver, mail, unreached, verdicts_of


@pytest.fixture
def maildir(tmp_path: Path) -> Path:
    return tmp_path / "var" / "mail"


def _numbers(maildir: Path) -> list[int]:
    return sorted(filed.number for filed in filed_mails(maildir))


def test_a_mail_is_filed_as_it_is_below_its_envelope(maildir: Path) -> None:
    assert deliver(f"maildir:{maildir}", mail()) == [Sent()]
    (file,) = (maildir / "new").iterdir()
    assert file.read_bytes() == (
        b"Return-Path: <bounce+k3v9@games.example.org>\nDelivered-To: bob@example.net\n"
        + mail().content.replace(b"\r\n", b"\n")
    )
    assert list((maildir / "tmp").iterdir()) == []


def test_other_mail_readers_can_read_it(maildir: Path) -> None:
    deliver(f"maildir:{maildir}", mail())
    (message,) = mailbox.Maildir(maildir, create=False)
    assert message["Subject"] == "[Gonnect 104] alice - bob"


def test_nobody_else_on_the_machine_can_read_it(maildir: Path) -> None:
    deliver(f"maildir:{maildir}", mail())
    (file,) = (maildir / "new").iterdir()
    assert stat.S_IMODE(maildir.stat().st_mode) == 0o700
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_mail_handed_over_again_after_a_crash_is_not_filed_twice(maildir: Path) -> None:
    for _ in range(2):
        assert deliver(f"maildir:{maildir}", mail("a@x.example"), mail("b@x.example")) == [
            Sent(),
            Sent(),
        ]
    assert _numbers(maildir) == [1, 2]


def test_a_mail_that_a_reader_has_moved_is_not_filed_again(maildir: Path) -> None:
    deliver(f"maildir:{maildir}", mail())
    (file,) = (maildir / "new").iterdir()
    file.rename(maildir / "cur" / f"{file.name}:2,S")
    assert deliver(f"maildir:{maildir}", mail()) == [Sent()]
    assert list((maildir / "new").iterdir()) == []


def test_what_a_crash_left_half_written_never_shows_and_is_overwritten(maildir: Path) -> None:
    deliver(f"maildir:{maildir}", mail())
    (file,) = filed_mails(maildir)
    file.path.unlink()
    (maildir / "tmp" / file.digest).write_bytes(b"Return-Path: <bounce" * 500)
    assert deliver(f"maildir:{maildir}", mail()) == [Sent()]
    assert list((maildir / "tmp").iterdir()) == []
    (again,) = filed_mails(maildir)
    assert again.path.read_bytes().endswith(b"alice played C4.\n")


def test_a_mail_is_on_disk_before_anybody_is_told(
    maildir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deliver(f"maildir:{maildir}", mail("first@x.example"))  # which makes its folders
    steps: list[str] = []
    rename, fsync = Path.rename, os.fsync

    def noted_rename(path: Path, target: Path) -> Path:
        steps.append("rename")
        return rename(path, target)

    def noted_fsync(descriptor: int) -> None:
        steps.append("directory" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        fsync(descriptor)

    monkeypatch.setattr(Path, "rename", noted_rename)
    monkeypatch.setattr(os, "fsync", noted_fsync)
    deliver(f"maildir:{maildir}", mail())
    assert steps == ["file", "rename", "directory"]


def test_numbers_go_on_where_they_were_and_stay_when_mails_are_moved_or_deleted(
    maildir: Path,
) -> None:
    deliver(f"maildir:{maildir}", *(mail(f"p{n}@x.example") for n in range(3)))
    by_number = {filed.number: filed.path for filed in filed_mails(maildir)}
    by_number[1].unlink()
    by_number[3].rename(maildir / "cur" / f"{by_number[3].name}:2,RS")
    deliver(f"maildir:{maildir}", mail("p9@x.example"))
    assert _numbers(maildir) == [2, 3, 4]


def test_two_workers_never_give_one_number_twice(maildir: Path) -> None:
    first, second = MaildirRelay(maildir), MaildirRelay(maildir)
    batch = first.deliver([mail("a@x.example"), mail("b@x.example")])
    assert next(batch) == (0, Sent())
    other = threading.Thread(target=lambda: list(second.deliver([mail("c@x.example")])))
    other.start()
    other.join(0.2)
    assert other.is_alive(), "the second worker did not wait for the first one's batch"
    assert list(batch) == [(1, Sent())]
    other.join(10)
    assert _numbers(maildir) == [1, 2, 3]


def test_a_batch_that_is_left_early_locks_nobody_out(maildir: Path) -> None:
    batch = MaildirRelay(maildir).deliver([mail("a@x.example"), mail("b@x.example")])
    assert next(batch) == (0, Sent())
    batch.close()
    assert deliver(f"maildir:{maildir}", mail("c@x.example")) == [Sent()]


def test_an_address_cannot_add_headers(maildir: Path) -> None:
    verdicts = deliver(f"maildir:{maildir}", mail("bob@x.example\r\nSubject: x"), mail())
    assert [type(verdict) for verdict in verdicts] == [Failed, Sent]


def test_a_place_that_is_no_directory_lets_every_mail_wait(tmp_path: Path) -> None:
    (tmp_path / "mail").write_text("a file")
    verdicts = deliver(f"maildir:{tmp_path / 'mail'}", mail(), mail())
    assert verdicts == [unreached("The Maildir cannot be written: File exists.")] * 2


def test_a_full_disk_lets_one_mail_wait_and_the_next_be_tried(
    maildir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deliver(f"maildir:{maildir}", mail("first@x.example"))  # which makes its folders
    full = iter([True, False])
    fsync = os.fsync

    def failing_fsync(descriptor: int) -> None:
        if next(full, False):
            raise OSError(28, os.strerror(28))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", failing_fsync)
    relay = open_relay(f"maildir:{maildir}", "h.example")
    assert verdicts_of(relay, mail("a@x.example"), mail("b@x.example")) == [
        unreached("The Maildir cannot be written: No space left on device."),
        Sent(),
    ]
    assert _numbers(maildir) == [1, 2]
