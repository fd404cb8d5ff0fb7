"""Who is kept out by the operator: nothing from there is executed, answered, or made an account."""

import pytest

from pbm.domain.addresses import patterns_of, read_pattern
from pbm.domain.errors import NotAllowed, NotUnderstood
from pbm.domain.player import PlayerState
from pbm.operator.administration import Administration
from pbm.operator.upkeep import Upkeep
from pbm.service.audit import Signature
from tests.house import HouseUnderTest, text_of
from tests.tables import each

ANN = Signature("ann", "spam")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add("alice", "bob")
    return house


def ban(house: HouseUnderTest, pattern: str) -> None:
    with house.house.open_unit() as work:
        Upkeep(work, house.clock(), ANN).ban(pattern)
        work.commit()


def lift(house: HouseUnderTest, pattern: str) -> None:
    with house.house.open_unit() as work:
        Upkeep(work, house.clock(), ANN).lift_ban(pattern)
        work.commit()


def set_state(house: HouseUnderTest, userid: str, state: PlayerState) -> None:
    with house.house.open_unit() as work:
        Administration(house.house.services, work, house.clock(), ANN).set_state(userid, state)
        work.commit()
    house.deliver()


def players(house: HouseUnderTest) -> list[str]:
    with house.house.open_reading() as work:
        return [player.userid for player in work.players.listing()]


BANNED = (
    ("mallory@spam.example", "mallory@spam.example"),
    ("mallory@spam.example", "MALLORY@Spam.Example"),
    ("mallory@spam.example", "mallory+again@spam.example"),
    ("mal.lory@gmail.com", "mallory@gmail.com"),
    ("mallory@gmail.com", "m.al.lory+again@googlemail.com"),
    ("mallory+again@gmail.com", "mal.lory+again@gmail.com"),
    ("spam.example", "anybody@spam.example"),
    ("spam.example", "anybody@mx7.spam.example"),
    ("@spam.example", "anybody@spam.example"),
)

FREE = (
    ("mallory@spam.example", "trent@spam.example"),
    ("mallory@spam.example", "mallory@spam.example.org"),
    ("mallory+again@spam.example", "mallory@spam.example"),
    ("mallory@spam.example", "mal.lory@spam.example"),
    ("spam.example", "anybody@notspam.example"),
    ("spam.example", "spam.example@example.org"),
)


@pytest.mark.parametrize(("pattern", "author"), BANNED)
@pytest.mark.parametrize("line", ["signup trent trent-secret", "help", "games alice", "nonsense"])
def test_a_mail_from_a_banned_address_is_neither_executed_nor_answered(
    house: HouseUnderTest, pattern: str, author: str, line: str
) -> None:
    ban(house, pattern)
    assert house.mail(author, line) == []
    with house.house.open_reading() as work:
        assert work.signups.latest(author) is None


@pytest.mark.parametrize(("pattern", "author"), FREE)
def test_others_are_not_kept_out(house: HouseUnderTest, pattern: str, author: str) -> None:
    ban(house, pattern)
    (asked,) = house.mail(author, "signup trent trent-secret")
    assert asked["To"] == author


def test_a_banned_players_commands_do_nothing_by_password_or_token(house: HouseUnderTest) -> None:
    house.mail("alice@example.org", "gonnect challenge alice alice-pw bob -size=5")
    invitation = house.last_to("bob@example.org")
    ban(house, "bob@example.org")
    assert house.reply(invitation, "accept") == []
    assert house.mail("bob@example.org", "accept 101 bob bob-pw") == []
    lift(house, "bob@example.org")
    assert house.reply(invitation, "accept")


def test_a_signup_from_before_the_ban_opens_nothing(house: HouseUnderTest) -> None:
    (asked,) = house.mail("trent@spam.example", "signup trent trent-secret")
    ban(house, "spam.example")
    assert house.reply(asked, "yes") == []
    assert "trent" not in players(house)


def test_a_banned_address_is_not_added_to_another_account(house: HouseUnderTest) -> None:
    house.mail("alice@example.org", "add alice alice-pw trent@spam.example")
    asked = house.last_to("trent@spam.example")
    ban(house, "spam.example")
    assert house.reply(asked, "yes") == []
    with house.house.open_reading() as work:
        alice = work.players.by_userid("alice")
    assert alice is not None
    assert alice.addresses == ("alice@example.org",)


def test_the_operator_is_told_that_an_address_is_banned(house: HouseUnderTest) -> None:
    ban(house, "spam.example")
    with house.house.open_unit() as work, pytest.raises(NotAllowed, match="banned"):
        Administration(house.house.services, work, house.clock(), ANN).add_player(
            "trent", "trent-secret", ["trent@spam.example"]
        )


@pytest.mark.parametrize("asked_before", [True, False])
def test_a_disabled_players_address_opens_no_new_account(
    house: HouseUnderTest, *, asked_before: bool
) -> None:
    line = "signup bob2 another-secret"
    asked = house.mail("bob@example.org", line)[-1] if asked_before else None
    set_state(house, "bob", PlayerState.DISABLED)
    if asked is None:
        assert house.mail("Bob@Example.org", line) == []
    else:
        assert house.reply(asked, "yes") == []
    assert "bob2" not in players(house)
    set_state(house, "bob", PlayerState.ACTIVE)
    answered = house.reply(asked, "yes") if asked else house.mail("bob@example.org", line + "x")
    assert answered


@pytest.mark.parametrize(
    ("address", "other"),
    [
        ("bob@example.org", "bob+2@example.org"),
        ("bob+play@example.org", "bob@example.org"),
        ("b.ob@gmail.com", "bo.b+2@googlemail.com"),
    ],
)
def test_no_address_of_a_disabled_players_mailbox_opens_a_new_account(
    house: HouseUnderTest, address: str, other: str
) -> None:
    with house.house.open_unit() as work:
        Administration(house.house.services, work, house.clock(), ANN).set_addresses(
            "bob", [address]
        )
        work.commit()
    set_state(house, "bob", PlayerState.DISABLED)
    assert house.mail(other, "signup trent trent-secret") == []
    assert house.mail("bobby@example.org", "signup trent trent-secret")


@pytest.mark.parametrize(
    ("state", "told"),
    [
        (PlayerState.DISABLED, "Your account is disabled"),
        (PlayerState.GONE, "Goodbye"),
    ],
)
def test_a_player_is_told_what_the_operator_made_of_their_account(
    house: HouseUnderTest, state: PlayerState, told: str
) -> None:
    with house.house.open_unit() as work:
        Administration(house.house.services, work, house.clock(), ANN).set_state("bob", state)
        work.commit()
    (mail,) = house.deliver()
    assert (mail["To"], told in mail["Subject"]) == ("bob@example.org", True)
    assert "spam" not in text_of(mail), "the reason is the operator's own"


def test_a_player_is_told_once_that_they_can_play_again(house: HouseUnderTest) -> None:
    set_state(house, "bob", PlayerState.DISABLED)
    for subjects in (["Your account works again"], []):
        with house.house.open_unit() as work:
            admin = Administration(house.house.services, work, house.clock(), ANN)
            admin.set_state("bob", PlayerState.ACTIVE)
            work.commit()
        told = [str(mail["Subject"]) for mail in house.deliver()]
        assert len(told) == len(subjects)
        assert all(subject in line for subject, line in zip(subjects, told, strict=True))


def test_a_player_is_told_of_a_new_password_and_of_new_addresses(house: HouseUnderTest) -> None:
    with house.house.open_unit() as work:
        admin = Administration(house.house.services, work, house.clock(), ANN)
        admin.set_password("bob", "another-secret")
        admin.set_addresses("alice", ["new@example.org"])
        work.commit()
    told = [(str(mail["To"]), text_of(mail)) for mail in house.deliver()]
    assert [to for to, _ in told] == ["bob@example.org", "alice@example.org", "new@example.org"]
    assert "your password has changed" in told[0][1]
    assert "another-secret" not in told[0][1]
    assert "new@example.org" in told[1][1]
    assert "belongs to the account alice" in told[2][1]


def test_a_player_is_not_told_of_addresses_that_stay_the_same(house: HouseUnderTest) -> None:
    with house.house.open_unit() as work:
        admin = Administration(house.house.services, work, house.clock(), ANN)
        admin.set_addresses("bob", ["Bob@Example.org"])
        work.commit()
    assert house.deliver() == []


def test_an_account_of_somebody_who_has_left_is_not_changed(house: HouseUnderTest) -> None:
    set_state(house, "bob", PlayerState.GONE)
    with house.house.open_unit() as work:
        admin = Administration(house.house.services, work, house.clock(), ANN)
        with pytest.raises(NotAllowed, match="has left"):
            admin.set_password("bob", "another-secret")
        with pytest.raises(NotAllowed, match="has left"):
            admin.set_addresses("bob", ["bob@example.org"])
        with pytest.raises(NotAllowed, match="has left"):
            admin.set_state("bob", PlayerState.DISABLED)


@each("text", ["", "@", "a b", "a@b@c", "spam example", "x/y", "<a@b.c>", "*"])
def test_a_pattern_is_an_address_or_a_domain(text: str) -> None:
    with pytest.raises(NotUnderstood):
        read_pattern(text)


def test_every_pattern_that_keeps_an_address_out_is_known() -> None:
    assert patterns_of("A+b@X.Example.org") == (
        "a+b@x.example.org", "a@x.example.org", "x.example.org", "example.org", "org",
    )  # fmt: skip
