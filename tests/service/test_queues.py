"""Queues beside other work on the same board."""

import pytest

from pbm.service.boards import Boards, snapshot_of
from pbm.service.ports import Conflict
from tests.house import HouseUnderTest


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house with a match of alice and bob on board 101, alice to move."""
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add("alice", "bob")
    house.begin_match()
    return house


def test_a_worker_that_has_not_seen_a_new_queue_must_play_its_mail_again(
    house: HouseUnderTest,
) -> None:
    """On PostgreSQL a move and a queue command can run at the same time; neither may get lost."""
    with house.house.open_unit() as work:
        before = Boards(work, house.house.services.catalogue, house.clock()).get(101)
    house.mail("bob@example.org", "queue 101 bob bob-pw B2 if C3")
    with house.house.open_unit() as work, pytest.raises(Conflict):
        work.matches.save(before.match, before.match, snapshot_of(before), before.to_move)


def test_what_is_queued_or_only_looked_at_leaves_the_log_as_it_was(house: HouseUnderTest) -> None:
    house.mail("bob@example.org", "queue 101 bob bob-pw B2")
    house.mail("alice@example.org", "submit 101 alice alice-pw C3")
    house.mail("alice@example.org", "preview 101 C3 C4")
    with house.house.open_unit() as work:
        found = work.matches.get(101)
        assert found is not None
        assert found[0].log == ()
        assert list(work.matches.numbers()) == [101]
