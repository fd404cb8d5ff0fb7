"""A player who loses all their boards on time is asked once whether they stay.

tests/conversations/absence.txt shows how it usually goes.
"""

from datetime import timedelta

import pytest

from pbm.domain.invitations import InvitationState
from pbm.domain.pauses import PauseKind
from pbm.domain.player import PlayerState
from tests.house import START, HouseUnderTest, text_of

ALICE, BOB, WORK = "alice@example.org", "bob@example.org", "bob@work.example.com"
DAY = timedelta(days=1)

ASKED = 6 * DAY
"""After this time bob, who does not move, has lost the board."""


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house where bob has a seek and one board, on which he is to move."""
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add("alice", "bob", "carol")
    house.mail(BOB, "gonnect challenge bob bob-pw alice --nagtime=2 --forfeittime=6")
    house.reply(house.last_to(ALICE), "accept")
    house.mail(BOB, "olix seek 1 bob bob-pw")
    return house


def told_by(house: HouseUnderTest, after: timedelta) -> list[str]:
    """Turn the clock to `after` START and remind; return "WHOM: SUBJECT" of each mail."""
    house.clock.now = START + after
    return [f"{mail['To']}: {mail['Subject']}" for mail in house.remind()]


def lose(house: HouseUnderTest) -> list[str]:
    """Let bob's time run out after the usual warning; return who is told at the end."""
    told_by(house, 4 * DAY)
    return told_by(house, ASKED)


def seeks(house: HouseUnderTest) -> int:
    with house.house.open_reading() as work:
        return len(work.wishes.seeks())


def state_of(house: HouseUnderTest, invitation: int) -> InvitationState:
    with house.house.open_reading() as work:
        found = work.invitations.get(invitation)
    assert found is not None
    return found.state


def is_missing(house: HouseUnderTest) -> bool:
    with house.house.open_reading() as work:
        bob = work.players.by_userid("bob")
    assert bob is not None
    return bob.missing_since is not None


def test_silence_counts_from_the_question_on_and_is_listed_before_it_is_acted_on(
    house: HouseUnderTest,
) -> None:
    assert f"{BOB}: Do you want to stay?" in lose(house)
    house.mail(ALICE, "morris challenge alice alice-pw bob")
    assert told_by(house, ASKED + 14 * DAY - timedelta(minutes=1)) == []
    assert (seeks(house), state_of(house, 103)) == (1, InvitationState.OPEN)
    house.clock.now = START + ASKED + 14 * DAY
    due = house.house.list_what_is_due()
    assert {(row.what, row.player, row.at) for row in due} >= {
        ("silence", "bob", START + ASKED + 14 * DAY)
    }
    assert house.house.do_what_is_due()["silence"] == 1
    assert (seeks(house), state_of(house, 103)) == (0, InvitationState.EXPIRED)
    assert house.house.list_what_is_due() == []


def test_an_outage_does_not_count_as_silence(house: HouseUnderTest) -> None:
    lose(house)
    with house.house.open_unit() as work:
        began = house.clock.now + 2 * DAY
        work.pauses.add(PauseKind.OUTAGE, began, began + 3 * DAY)
        work.commit()
    told_by(house, ASKED + 17 * DAY - timedelta(minutes=1))
    assert seeks(house) == 1
    told_by(house, ASKED + 17 * DAY)
    assert seeks(house) == 0


def test_a_reply_from_any_address_of_the_player_keeps_everything_open(
    house: HouseUnderTest,
) -> None:
    with house.house.open_unit() as work:
        bob = work.players.by_userid("bob")
        assert bob is not None
        work.players.set_addresses(bob.id, [BOB, WORK])
        work.commit()
    lose(house)
    (thanks,) = house.reply(house.last_to(BOB), "Yes, I do.", author=WORK)
    assert "Thank you. You stay, and everything is as it was." in text_of(thanks)
    assert not is_missing(house)
    told_by(house, ASKED + 15 * DAY)
    assert seeks(house) == 1


def test_a_command_with_the_password_is_a_sign_of_life_and_gets_no_thanks(
    house: HouseUnderTest,
) -> None:
    lose(house)
    (answer,) = house.mail(BOB, "gonnect accept bob bob-pw")
    assert "You accept every invitation to Gonnect." in text_of(answer)
    told_by(house, ASKED + 15 * DAY)
    assert seeks(house) == 1


def test_a_disabled_player_is_not_asked(house: HouseUnderTest) -> None:
    with house.house.open_unit() as work:
        bob = work.players.by_userid("bob")
        assert bob is not None
        work.players.set_state(bob.id, PlayerState.DISABLED)
        work.commit()
    assert f"{BOB}: Do you want to stay?" not in lose(house)
    assert not is_missing(house)


def test_silence_counts_for_an_unreachable_player_who_was_asked_before(
    house: HouseUnderTest,
) -> None:
    lose(house)
    house.reply(house.last_to(BOB), "yes")
    house.mail(BOB, "gonnect challenge bob bob-pw alice --nagtime=2 --forfeittime=6")
    house.reply(house.last_to(ALICE), "accept")
    told_by(house, ASKED + 4 * DAY)
    with house.house.open_unit() as work:
        bob = work.players.by_userid("bob")
        assert bob is not None
        work.players.count_failure(BOB)
        work.players.switch_off(bob.id, BOB, house.clock.now)
        work.players.set_missing(bob.id, house.clock.now)
        work.commit()
    assert all(ALICE in line for line in told_by(house, 2 * ASKED))
    assert seeks(house) == 1
    told_by(house, 2 * ASKED + 14 * DAY)
    assert seeks(house) == 0
