"""A few power cuts in the ordinary suite, and two files whose power is cut at every write.

Those two are not seen from a server: it makes each file once, at its beginning. That the disk
itself forgets no more than a disk does, only a file shows.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from pbm.core.relaying import Sent
from pbm.domain.mail import OutgoingMail
from pbm.server.relay.maildir import MaildirRelay
from pbm.server.token_keys import KEY_BYTES, load_or_create
from pbm.system import sync
from tests.processes import another
from tests.torture.power import EARLY, PowerDisk, cut_power, missing, serve_unsynced
from tests.torture.test_torture import CROWD

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(400),
    pytest.mark.skipif(bool(missing()), reason=f"no power is cut: {missing()}"),
]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[PowerDisk]:
    """Yield a disk without power."""
    disk = PowerDisk(tmp_path)
    yield disk
    disk.cut()


def test_what_is_shorter_than_before_has_no_old_end(disk: PowerDisk) -> None:
    disk.on()
    file = disk.place / "file"
    for content in (b"a long one", b"short"):
        file.write_bytes(content)
        sync(file)
    sync(disk.place)
    disk.cut()
    assert disk.platter.files() == {"file": b"short"}


def test_a_server_whose_power_is_cut_loses_nothing_and_leaves_whole_pages(tmp_path: Path) -> None:
    result = cut_power(tmp_path, len(EARLY), seed=1, crowd=CROWD)
    assert result.faults == []
    assert result.found.moves > 0
    assert result.pages > 0


def test_a_server_that_syncs_nothing_loses_mails(tmp_path: Path) -> None:
    result = cut_power(tmp_path, 2, 1, CROWD, serve_unsynced, early=EARLY[:1])
    assert result.found.lost > 0


def make_key(told: Connection, place: Path) -> None:
    with suppress(OSError):
        told.send(load_or_create(place / "new" / "keys").keys[0].secret.hex())


MAIL = OutgoingMail("a@b.example", "c@d.example", "1@localhost", b"Subject: 1\r\n\r\nHello.\r\n")


def file_mail(told: Connection, place: Path) -> None:
    with suppress(OSError):
        for number, verdict in MaildirRelay(place / "mails").deliver([MAIL]):
            if isinstance(verdict, Sent):
                told.send(number)


Told = list[int | str]
Files = dict[str, bytes]


def lives(disk: PowerDisk, deed: Callable[..., None]) -> Iterator[tuple[Told, Files]]:
    """Yield what a process said that does a deed, and the files that are left of it.

    The power is cut at each write of it in turn, until it has come to its end.
    """
    for early in EARLY[:2]:
        for turns in count(1):
            disk.empty()
            disk.on(early, turns=turns)
            with another(deed, disk.place) as process:
                told: Told = []
                with suppress(EOFError):
                    while True:
                        told.append(process.told.recv())
            ended = disk.runs
            disk.cut()
            yield told, disk.platter.files()
            if ended:
                break


def test_a_key_that_was_used_is_there_and_whole_after_a_power_cut(disk: PowerDisk) -> None:
    for told, files in lives(disk, make_key):
        left = [files["new/keys"].decode().strip()] if "new/keys" in files else []
        assert left == told or (not told and len(left[0]) == 2 * KEY_BYTES)
    assert told


def test_a_mail_that_was_filed_is_there_and_whole_after_a_power_cut(disk: PowerDisk) -> None:
    for told, files in lives(disk, file_mail):
        filed = [content for path, content in files.items() if path.startswith("mails/new/")]
        assert len(filed) >= len(told)
        assert all(each.endswith(b"\nSubject: 1\n\nHello.\n") for each in filed)
    assert told
