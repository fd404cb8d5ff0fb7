"""Three hosts on one PostgreSQL: one is cut off, one loses its power, and the third goes on."""

import smtplib
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from pbm.core.delivery import LEASE
from pbm.domain.mail import OutgoingMail
from pbm.server.assembly import App
from pbm.store.intake import SlotSchedule
from pbm.store.unit import UnitOfWork
from tests.cluster import NoPostgresError, cluster
from tests.databases import postgres_database
from tests.e2e.people import letter
from tests.e2e.server import Server
from tests.hosts.network import HUB, Network, NoNetworkError
from tests.hosts.town import PAIRS, Town, open_town, seconds_until
from tests.processes import PATIENCE
from tests.torture.checks import look
from tests.torture.people import SERVER

pytestmark = [pytest.mark.hosts, pytest.mark.timeout(600)]

LOCKS_FREE = 25.0
"""Seconds after which the locks of a vanished host are free: 15, and what a busy machine adds."""

NOTICED = 25.0
"""Seconds after which a host says that its database is gone: 10, 5 to connect, and the same."""

TAKEN_OVER = 50.0
"""Seconds after which mails leased by it leave from another host: 15 until the database gives its
lifeline up, 5 until somebody looks, 15 of grace, and the relay."""

BACK = 12.0
"""Seconds after which a host that is joined again takes mails, plays and delivers."""

LEFT = "<left@localhost>"
"""A mail that the host leases which is cut off, and cannot deliver."""


def hold_everything(town: Town) -> tuple[App, UnitOfWork]:
    """Lease a mail, and begin a transaction with all locks that others wait for."""
    house, now = App(town.house.settings), datetime.now(UTC)
    content = f"From: Us <pbm@localhost>\r\nMessage-ID: {LEFT}\r\nSubject: Left\r\n\r\nHello.\r\n"
    with house.open_unit() as work:
        work.outbox.add([OutgoingMail(SERVER, "left@example.com", LEFT, content.encode())], now)
        work.outbox.claim(1000, house.leases.hold(), now, now + LEASE)
        work.commit()
    transaction = house.open_unit()
    assert isinstance(transaction, UnitOfWork)
    transaction.__enter__()
    transaction.be_only_scheduler()
    SlotSchedule(transaction.connection, ())
    transaction.next_number()
    return house, transaction


def answer_to_a_mail(server: Server) -> int:
    """Return the code that a server answers to the content of a mail."""
    content = letter("stranger@example.com", "help")
    with smtplib.SMTP(server.host, server.port, timeout=PATIENCE) as connection:
        try:
            connection.sendmail("stranger@example.com", [SERVER], content)
        except smtplib.SMTPDataError as refused:
            return refused.smtp_code
    return 250


def timed(work: Callable[[], object]) -> tuple[object, float]:
    """Return what `work` returns, and after how many seconds."""
    began = time.monotonic()
    return work(), time.monotonic() - began


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    with ExitStack() as stack:
        try:
            network = stack.enter_context(Network("cut", "dead", "well"))
            server = stack.enter_context(
                cluster(HUB, network.command("hub"), lambda: network.there("hub"))
            )
        except (NoNetworkError, NoPostgresError) as reason:
            pytest.skip(f"{reason}")
        stack.enter_context(network.there("hub"))
        url = stack.enter_context(postgres_database(server.url))
        yield stack.enter_context(open_town(tmp_path, network, url))


def play_on(town: Town, moves: int) -> None:
    """Return once the players were told of so many more moves.

    All boards may wait for mails that a vanished host has leased.
    """
    enough = len(town.people.told) + moves
    seconds_until(
        lambda: len(town.people.told) >= enough, TAKEN_OVER, lambda: f"{moves} more moves"
    )


def test_a_host_that_vanishes_holds_nobody_up_and_goes_on_by_itself_when_it_is_back(
    town: Town,
) -> None:
    servers, hosts = town.servers, town.network.hosts
    town.people.begin(boards=2)
    play_on(town, 4 * len(PAIRS))
    house, transaction = town.at("cut", partial(hold_everything, town)).result(PATIENCE)
    for name in ("cut", "dead"):
        hosts[name].cut()
    servers["dead"].kill()
    began = time.monotonic()

    # Each of these waits for what the host holds, or for the database.
    noticed = town.at("cut", lambda: timed(lambda: answer_to_a_mail(servers["cut"])))
    taken = town.at("well", lambda: timed(lambda: answer_to_a_mail(servers["well"])))
    reminded = town.at("well", lambda: timed(lambda: servers["well"].pbm("remind")))
    for name, future, expected, bound in (
        ("intake of the host that is well", taken, 250, LOCKS_FREE),
        ("intake of the host that is cut off", noticed, 451, NOTICED),
        ("a round of reminders", reminded, None, LOCKS_FREE),
    ):
        answer, seconds = future.result(2 * PATIENCE)
        print(f"{name}: {answer!r} after {seconds:.1f} s")
        assert expected in (None, answer)
        assert seconds < bound
    play_on(town, len(PAIRS))
    rest = began + TAKEN_OVER - time.monotonic()
    seconds_until(lambda: LEFT in town.people.contents, rest, lambda: "the mail left behind")
    print(f"a mail that was leased: left after {time.monotonic() - began:.1f} s")

    hosts["cut"].join()
    seconds = seconds_until(
        lambda: answer_to_a_mail(servers["cut"]) == 250, BACK, lambda: "the host"
    )
    print(f"the host that is back: takes mails after {seconds:.1f} s")
    # The other one has its power again, and now these two carry on.
    hosts["dead"].join()
    servers["dead"].start()
    assert servers["well"].stop() == 0
    play_on(town, len(PAIRS))

    town.people.resting = True
    seconds_until(lambda: not town.waits(), PATIENCE, town.waits)
    town.people.close()
    found = look(town.house, town.people)
    print(found)
    assert found.faults == []
    with town.house.open_reading() as work:
        assert work.pauses.of(None) == ()
    assert [servers[name].stop() for name in ("cut", "dead")] == [0, 0]
    for server in servers.values():
        assert "Traceback" not in server.log
    assert [mail.message_id for mail in town.relay.mails].count(LEFT) == 1
    # The server has ended it long ago; SQLAlchemy would complain when it rolls back.
    transaction.connection.invalidate()
    house.close()
