"""kill -9 in the midst of a delivery: no mail is lost, and ten at most go out once more."""

import os
import signal
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbm.bootstrap import House
from pbm.config import Settings
from pbm.domain.mail import OutgoingMail
from tests.databases import new_database
from tests.processes import fork, run_pbm
from tests.sink import Sink

MAILS = 90


@dataclass
class DeadlySink(Sink):
    """Kills the process that delivers to it once it has taken so many mails."""

    after: int = 0
    victims: list[int] = field(default_factory=list)

    async def handle_EHLO(  # noqa: N802 - aiosmtpd calls it so
        self, server: SMTP, session: Session, envelope: Envelope, name: str, replies: list[str]
    ) -> list[str]:
        session.host_name = name
        return ["250-PIPELINING", *replies]

    async def handle_DATA(  # noqa: N802 - aiosmtpd calls it so
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        reply = await super().handle_DATA(server, session, envelope)
        if len(self.mails) == self.after:
            os.kill(self.victims.pop(), signal.SIGKILL)
        return reply


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with new_database(request.param, tmp_path) as url:
        yield url


def fill_outbox(database: str, home: Path) -> None:
    house = House(Settings("pbm@localhost", database, "null:", home / "key"))
    mails = [
        OutgoingMail("bounce+x@localhost", f"p{n}@example.org", f"<{n}@localhost>",
                     b"Message-ID: <%d@localhost>\r\n\r\nHello.\r\n" % n)
        for n in range(MAILS)
    ]  # fmt: skip
    with house.open_unit() as work:
        work.outbox.add(mails, datetime.now(UTC))
        work.commit()
    house.close()


def test_a_kill_repeats_ten_mails_at_most_and_the_next_process_goes_on_at_once(
    database: str, tmp_path: Path
) -> None:
    fill_outbox(database, tmp_path)
    with DeadlySink(after=57) as sink:
        options = ("work", "--database", database, "--relay", sink.relay, "--secret", "key")
        with fork(*options, home=tmp_path) as victim:
            sink.victims.append(victim.pid)
            assert victim.wait() == -signal.SIGKILL
        after = run_pbm(*options, home=tmp_path)
    assert after.returncode == 0, after.stderr
    assert "took over the mails" in after.stderr
    arrived = Counter(mail.message_id for mail in sink.mails)
    assert len(arrived) == MAILS
    assert arrived.total() - MAILS <= 10
    assert set(arrived.values()) <= {1, 2}
