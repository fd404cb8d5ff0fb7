"""What the house does when it opens after an earlier process was killed."""

import os
import socket
from datetime import timedelta
from pathlib import Path

import pytest

from pbm.bootstrap import House
from pbm.config import Settings
from pbm.service.letters import letter
from tests.house import HouseUnderTest

HOST = socket.gethostname()


@pytest.mark.parametrize("pid", ["999999999", str(os.getpid())], ids=["gone", "ours again"])
def test_what_a_dead_process_was_delivering_is_taken_up_at_once(tmp_path: Path, pid: str) -> None:
    house = HouseUnderTest(tmp_path)
    lease(house, f"{HOST}:{pid}:word")
    house.house.release_dead()
    assert house.house.deliver_waiting(house.house.new_relay()) == 1


@pytest.mark.parametrize("owner", ["elsewhere:1:word", f"{HOST}:1:word"])
def test_what_a_living_or_distant_process_is_delivering_is_left_to_it(
    tmp_path: Path, owner: str
) -> None:
    house = HouseUnderTest(tmp_path)
    lease(house, owner)
    house.house.release_dead()
    assert house.house.deliver_waiting(house.house.new_relay()) == 0


def test_a_house_hashes_passwords_at_the_cost_that_was_chosen_unless_told_otherwise(
    tmp_path: Path,
) -> None:
    settings = Settings(
        "pbm@games.example.org", f"sqlite:///{tmp_path}/pbm.db", "null:", tmp_path / "key"
    )
    stored = House(settings).passwords.hash("hunter2")
    assert stored.startswith("$argon2id$v=19$m=19456,t=2,p=1$")


def lease(house: HouseUnderTest, owner: str) -> None:
    """Put a mail into the outbox, leased by `owner` for an hour."""
    now = house.clock()
    services = house.house.services
    notice = letter("operator@example.org", "bounces/shunted", number=1)
    uid, returns = services.chance.new_id(), services.chance.new_id()
    mail = services.composer.compose(notice, uid, returns, now)
    with house.house.open_unit() as work:
        work.outbox.add([mail], now)
        work.outbox.claim(10, owner, now, now + timedelta(hours=1))
        work.commit()
