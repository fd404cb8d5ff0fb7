"""The worst mails wait by the hundred, and `pbm serve` still ends within five seconds."""

import time
from pathlib import Path

import pytest

from pbm.bootstrap import House
from pbm.config import Settings
from pbm.domain.mail import ReceivedMail
from tests.e2e.people import hand_in, letter
from tests.e2e.server import Server
from tests.service.worst_mails import ALICE, MAILS, long_boards

STOPS_WITHIN = 5.0
WAITING = 200


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return the directory of a server with long boards, and very many of the worst mails."""
    (tmp_path / "var").mkdir()
    house = long_boards(tmp_path / "var")
    house.house.close()
    settings = Settings(
        "pbm@localhost", f"sqlite:///{tmp_path}/var/pbm.db", "null:", tmp_path / "var" / "key"
    )
    taken = House(settings)
    for n in range(WAITING):
        text = list(MAILS.values())[n % len(MAILS)][:20_000]
        content = letter(ALICE, "many", text)
        taken.inbox.put([ReceivedMail(ALICE, ("pbm@localhost",), content, taken.clock())])
    taken.close()
    return tmp_path


def test_sigterm_ends_it_within_five_seconds_while_the_worst_mails_wait(home: Path) -> None:
    with Server(home, "--relay", "null:", "--roles", "intake,play") as server:
        hand_in(server, ALICE, letter(ALICE, "many", MAILS["recorded"]))
        began = time.monotonic()
        assert server.stop() == 0
        took = time.monotonic() - began
        assert "Traceback" not in server.log
    assert took < STOPS_WITHIN
    left = House(Settings("pbm@localhost", f"sqlite:///{home}/var/pbm.db", "null:", home / "key"))
    with left.open_reading() as work:
        assert 0 < work.inbox.waiting() <= WAITING
        assert work.shunt.listing() == ()
    left.close()
