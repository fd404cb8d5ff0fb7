"""A reply to a message or broadcast goes back to its sender, and proves nothing else."""

from datetime import timedelta

import pytest

from tests.house import HouseUnderTest, text_of

ALICE, BOB, CAROL = "alice@example.org", "bob@example.org", "carol@example.org"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house where alice has just written to bob, who is to move on board 101."""
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add("alice", "bob", "carol")
    house.begin_match()
    house.reply(house.last_to(ALICE), "C3")
    house.mail(ALICE, "message alice alice-pw bob", "Who plays Olix?")
    return house


def prose(house: HouseUnderTest, address: str) -> str:
    return " ".join(text_of(house.last_to(address)).split())


def test_the_answer_goes_to_the_sender_and_shows_no_address(house: HouseUnderTest) -> None:
    to_alice, receipt = house.reply(house.last_to(BOB), "I do.")
    assert (to_alice["To"], receipt["To"]) == (ALICE, BOB)
    assert "bob writes to you: I do." in prose(house, ALICE)
    assert BOB not in to_alice.as_string()
    assert ALICE not in receipt.as_string()


@pytest.mark.parametrize(
    "text",
    ["resign 101", "move 101 B4", "101 B4", "resign", "vacation 10 days",
     "message carol\nHello Carol!", "gonnect challenge carol", "logout"],
)  # fmt: skip
def test_commands_in_it_are_words_to_the_sender(house: HouseUnderTest, text: str) -> None:
    to_alice, receipt = house.reply(house.last_to(BOB), text)
    assert (to_alice["To"], receipt["To"]) == (ALICE, BOB)
    assert f"bob writes to you: {' '.join(text.split())}" in prose(house, ALICE)
    house.mail(BOB, "show 101")
    assert "Your move, bob: you are Ohs (o), move 2." in prose(house, BOB)


def test_it_does_not_block_without_a_password(house: HouseUnderTest) -> None:
    asked = house.last_to(BOB)
    (answer,) = house.reply(asked, "block alice")
    assert "Say who you are" in text_of(answer)
    assert "block bob your-password alice" in text_of(answer)
    (answer,) = house.reply(asked, "block bob bob-pw alice")
    assert "You block alice" in text_of(answer)


def test_a_forwarded_mail_lets_nobody_write_in_the_readers_name(house: HouseUnderTest) -> None:
    (warning,) = house.reply(house.last_to(BOB), "I am bob.", author=CAROL)
    assert warning["To"] == BOB
    assert "an address that is not yours" in prose(house, BOB)
    assert "(number" not in prose(house, BOB)


def test_who_is_blocked_gets_the_same_receipt_and_is_not_heard(house: HouseUnderTest) -> None:
    asked = house.last_to(BOB)
    house.mail(ALICE, "block alice alice-pw bob")
    (receipt,) = house.reply(asked, "Why not?")
    assert "Your message for alice is taken." in text_of(receipt)


def test_answers_count_against_the_bound_on_messages(house: HouseUnderTest) -> None:
    asked = house.last_to(BOB)
    sent = [house.reply(asked, f"Answer {n}.") for n in range(11)]
    assert [len(mails) for mails in sent] == [2] * 10 + [1]
    assert "10 messages an hour to one player are the limit" in prose(house, BOB)


def test_it_lasts_thirty_days_and_no_longer_than_a_logout(house: HouseUnderTest) -> None:
    asked = house.last_to(BOB)
    house.clock.now += timedelta(days=29)
    assert len(house.reply(asked, "Still there?")) == 2
    house.clock.now += timedelta(days=2)
    (late,) = house.reply(asked, "And now?")
    assert "more than 30 days old" in " ".join(text_of(late).split())
    house.mail(ALICE, "message alice alice-pw bob", "Again?")
    again = house.last_to(BOB)
    house.mail(BOB, "logout bob bob-pw")
    (void,) = house.reply(again, "Yes.")
    assert "before you logged out" in " ".join(text_of(void).split())


def test_a_password_in_it_stays_here(house: HouseUnderTest) -> None:
    house.reply(house.last_to(BOB), "This works:\nmove 101 bob bob-pw B4\nbob bob-pw\nTry it.")
    assert "bob writes to you: This works: bob *** Try it." in prose(house, ALICE)


def test_an_empty_answer_is_told_so(house: HouseUnderTest) -> None:
    (answer,) = house.reply(house.last_to(BOB), "")
    assert "nothing went to alice" in text_of(answer)
