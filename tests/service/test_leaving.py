"""A player who leaves is forgotten: only the userid on their matches is still stored."""

from datetime import UTC, datetime

import pytest

from pbm.domain.invitations import Seek, Terms
from pbm.domain.match import FIRST_NUMBER
from pbm.domain.player import PlayerState
from pbm.engine import Setup
from pbm.operator.administration import Administration
from tests.house import HouseUnderTest, text_of

NOW = datetime(2026, 2, 1, 9, 30, tzinfo=UTC)
ALICE = "alice@example.org"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add("bob", "carol")
    house.mail(ALICE, "signup alice alice-pw")
    house.reply(house.last_to(ALICE), "yes")
    return house


def leave(house: HouseUnderTest) -> list[str]:
    """Sign alice off; return the addresses of the mails that her yes causes."""
    house.mail(ALICE, "signoff alice alice-pw")
    return [str(mail["To"]) for mail in house.reply(house.last_to(ALICE), "yes")]


def test_addresses_settings_and_password_are_forgotten(house: HouseUnderTest) -> None:
    house.mail(ALICE, "set alice alice-pw zone Europe/Berlin")
    house.mail(ALICE, "add alice alice-pw alice@work.example.com")
    assert leave(house) == [ALICE]
    with house.house.open_reading() as work:
        alice = work.players.by_userid("alice")
        assert alice is not None
        assert (alice.state, alice.addresses, alice.settings) == (PlayerState.GONE, (), {})
        assert work.players.password_hash(alice.id) == ""
        assert work.signups.latest(ALICE) is None
        assert work.confirmations.of(alice.id) == ()
        assert work.confirmations.latest("alice@work.example.com") is None


def test_blocks_end_on_both_sides(house: HouseUnderTest) -> None:
    house.mail(ALICE, "block alice alice-pw bob")
    house.mail("bob@example.org", "block bob bob-pw alice")
    with house.house.open_unit() as work:
        alice, bob = (work.players.by_userid(name) for name in ("alice", "bob"))
        assert alice is not None
        assert bob is not None
    leave(house)
    with house.house.open_reading() as work:
        assert work.blocks.blocked_by(alice.id) == work.blocks.blocked_by(bob.id) == frozenset()


def test_seeks_are_withdrawn_and_followed_boards_left(house: HouseUnderTest) -> None:
    game = next(iter(house.house.catalogue)).info
    with house.house.open_unit() as work:
        for name in ("alice", "bob"):
            player = work.players.by_userid(name)
            assert player is not None
            setup = Setup(game.setup().options, 1)
            seek = Seek(player.id, player.id, game.key, setup, Terms(), 2, NOW)
            work.wishes.set_seek(seek)
            work.followers.follow(player.id, game.key)
        work.commit()
    leave(house)
    with house.house.open_unit() as work:
        alice, bob = (work.players.by_userid(name) for name in ("alice", "bob"))
        assert alice is not None and bob is not None  # noqa: PT018 - both are there
        work.players.set_state(alice.id, PlayerState.ACTIVE)
        assert [seek.player for seek in work.wishes.seeks()] == [bob.id]
        assert work.followers.followed_by(alice.id) == ()
        assert work.followers.followed_by(bob.id) == (game.key,)


def test_all_boards_are_given_up_however_many_with_one_mail_to_each_opponent_and_board(
    house: HouseUnderTest,
) -> None:
    game = next(iter(house.house.catalogue))
    with house.house.open_unit() as work:
        admin = Administration(house.house.services, work, house.clock())
        for opponent in ("bob", "carol", "bob"):
            admin.create_match(game, ("alice", opponent), {}, {})
        admin.create_match(game, ("bob", "carol"), {}, {})
        work.commit()
    house.play()
    told = leave(house)
    assert sorted(told) == [ALICE, "bob@example.org", "bob@example.org", "carol@example.org"]
    assert all("alice has left the server." in text_of(mail) for mail in house.sent[-3:])
    with house.house.open_reading() as work:
        rows = work.matches.listing(None, (), over=False)
    assert [row.number for row in rows] == [FIRST_NUMBER + 3]


def test_another_reply_to_the_same_mail_finds_nobody(house: HouseUnderTest) -> None:
    leave(house)
    asked = [mail for mail in house.sent if mail["Subject"] == "Close your account?"][-1]
    (mail,) = house.reply(asked, "yes")
    assert mail["Subject"] == "A play-by-email game server"


def test_leaving_one_of_two_accounts_gives_the_other_no_rating(house: HouseUnderTest) -> None:
    with house.house.open_unit() as work:
        admin = Administration(house.house.services, work, house.clock())
        twin = admin.add_player("twin", "twin-pw", [ALICE])
        admin.create_match(house.house.catalogue.get("gonnect"), ["alice", "twin"], {}, {})
        work.commit()
    house.mail(ALICE, "move 101 alice alice-pw C4")
    house.mail(ALICE, "move 101 twin twin-pw C5")
    leave(house)
    with house.house.open_reading() as work:
        found = work.matches.get(FIRST_NUMBER)
        assert found is not None
        assert found[0].over
        assert work.ratings.all_of(twin.id) == {}
