"""Addresses that were switched off, tested through the house: when they are on again."""

import pytest

from tests.house import HouseUnderTest, text_of
from tests.service.returned_mails import (
    ALICE,
    BOB,
    CAROL,
    board_mail,
    deadline,
    fail_on,
    give,
    is_off,
    on_day,
    playing_house,
    prose,
    recipients,
)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    return playing_house(tmp_path_factory.mktemp("begun"))


def test_mails_go_to_the_next_address_and_say_which_one_failed(
    house: HouseUnderTest,
) -> None:
    second = "bob@work.example.org"
    give(house, "bob", BOB, second)
    told = fail_on(house, 0, 1)
    assert recipients(told) == [second]
    assert f"mails to {BOB} have come back on several days" in prose(told[0])
    assert "clock stands" not in deadline(house)
    house.mail(ALICE, "message alice alice-pw bob", "There you are.")
    assert "There you are." in text_of(house.last_to(second))
    house.mail(BOB, "set bob bob-pw")
    assert "Your settings" in text_of(house.last_to(BOB))


def test_a_command_with_password_brings_a_player_back_and_tells_what_they_missed(
    house: HouseUnderTest,
) -> None:
    fail_on(house, 0, 1)
    on_day(house, 11)
    told = house.mail(BOB, "set bob bob-pw")
    assert recipients(told) == [ALICE, BOB, BOB, CAROL]
    back = next(mail for mail in told if mail["Subject"] == "Your clocks run again")
    # The clocks stood for ten days: 21 days from START have become 31.
    assert (
        "These boards are waiting for your move: "
        "101 Gonnect, against alice: by Mon 21 Dec 2026 12:00 UTC "
        "102 Gonnect, against carol: by Mon 21 Dec 2026 12:00 UTC"
    ) in prose(back)
    assert "bob can be reached again, and the clocks of bob run. This is about board 102." in (
        prose(house.last_to(CAROL))
    )
    assert "stands" not in deadline(house)
    assert "bob has time until Mon 21 Dec 2026 12:00 UTC" in deadline(house)


def test_reminders_follow_the_new_deadline_once_the_player_is_back(house: HouseUnderTest) -> None:
    fail_on(house, 0, 1)
    on_day(house, 8)
    assert house.remind() == []
    on_day(house, 11)
    house.mail(BOB, "set bob bob-pw")
    assert house.house.list_what_is_due() == []
    # The clock had run for one day; the first reminder comes after seven days of running time.
    on_day(house, 16.9)
    assert house.remind() == []
    on_day(house, 17)
    assert recipients(house.remind()) == [BOB]


def test_a_board_shown_before_the_password_in_the_same_mail_is_shown_as_it_stands_after(
    house: HouseUnderTest,
) -> None:
    fail_on(house, 0, 1)
    on_day(house, 11)
    told = house.mail(BOB, "multiple", "show 101\nset bob bob-pw\nshow 101")
    back = next(mail for mail in told if mail["Subject"] == "Your clocks run again")
    assert "101 Gonnect, against alice: by Mon 21 Dec 2026 12:00 UTC" in prose(back)
    assert all("stands" not in prose(mail) for mail in told)


def test_a_reply_to_an_old_mail_brings_a_player_back_and_is_answered(house: HouseUnderTest) -> None:
    fail_on(house, 0, 1)
    on_day(house, 2)
    told = house.reply(board_mail(house), "Z99")
    assert recipients(told) == [ALICE, BOB, BOB, CAROL]
    assert not is_off(house)


def test_a_refused_line_brings_a_player_back_too(house: HouseUnderTest) -> None:
    fail_on(house, 0, 1)
    told = house.mail(BOB, "move 101 bob bob-pw Z99")
    assert recipients(told) == [ALICE, BOB, BOB, CAROL]
    assert not is_off(house)


@pytest.mark.parametrize("subject", ["show 101", "set bob wrong-pw", "help", "what is up?"])
def test_an_address_in_from_alone_brings_nobody_back_but_one_question_a_day(
    house: HouseUnderTest, subject: str
) -> None:
    fail_on(house, 0, 1)
    (question,) = house.mail(BOB, subject)
    assert question["To"] == BOB
    assert "a mail has come from this address without your password" in prose(question)
    assert house.mail(BOB, subject) == []
    assert is_off(house)
    house.reply(question, "games next", author="mallory@example.net")
    assert is_off(house)
    assert recipients(house.reply(question, "games next")) == [ALICE, BOB, BOB, CAROL]
    assert not is_off(house)


def test_a_password_from_elsewhere_gives_the_address_another_try(house: HouseUnderTest) -> None:
    fail_on(house, 0, 1)
    told = house.mail("bob@elsewhere.example.net", "set bob bob-pw")
    assert recipients(told) == [ALICE, BOB, BOB, CAROL]
    fail_on(house, 2, 3)
    assert is_off(house)


def test_a_new_address_brings_a_player_back_once_it_is_confirmed(house: HouseUnderTest) -> None:
    fail_on(house, 0)
    house.mail(BOB, "change address bob bob-pw new@example.net")
    question = house.last_to("new@example.net")
    fail_on(house, 1, 2)
    assert is_off(house)
    told = house.reply(question, "yes")
    assert recipients(told) == [ALICE, CAROL, "new@example.net", "new@example.net"]
    assert not is_off(house)
    assert "stands" not in deadline(house)


def test_an_address_that_is_added_is_where_mails_go_while_the_first_is_off(
    house: HouseUnderTest,
) -> None:
    fail_on(house, 0)
    house.mail(BOB, "add bob bob-pw new@example.net")
    question = house.last_to("new@example.net")
    fail_on(house, 1, 2)
    told = house.reply(question, "yes")
    joined = next(mail for mail in told if mail["Subject"] == "Your address is confirmed")
    assert "Mails to bob go here." in prose(joined)
    house.mail(BOB, "set bob bob-pw")
    assert "Your settings" in text_of(house.last_to(BOB))


def test_a_lost_password_is_asked_for_at_an_address_that_works(house: HouseUnderTest) -> None:
    second = "bob@work.example.org"
    give(house, "bob", BOB, second)
    fail_on(house, 0, 1)
    assert recipients(house.mail("bob@elsewhere.example.net", "forgot bob")) == [second]


def test_a_new_password_given_in_a_reply_brings_a_player_back(house: HouseUnderTest) -> None:
    fail_on(house, 0, 1)
    house.mail(BOB, "forgot bob")
    question = next(mail for mail in house.sent if mail["Subject"] == "Choose a new password")
    assert is_off(house)
    assert recipients(house.reply(question, "password better-pw")) == [ALICE, BOB, BOB, CAROL]
    assert not is_off(house)


def test_the_operator_brings_a_player_back_with_another_address(house: HouseUnderTest) -> None:
    fail_on(house, 0, 1)
    new = "bob@new.example.net"
    give(house, "bob", new)
    told = house.deliver()
    assert recipients(told) == [ALICE, new, new, CAROL]
    assert "belongs to the account bob" in prose(next(mail for mail in told if mail["To"] == new))
    assert "stands" not in deadline(house)


def test_the_operator_can_have_the_same_address_tried_again(house: HouseUnderTest) -> None:
    fail_on(house, 0, 1)
    give(house, "bob", BOB)
    assert not is_off(house)


def test_a_player_not_reached_in_thirty_days_gets_one_more_try_and_then_forfeits(
    house: HouseUnderTest,
) -> None:
    fail_on(house, 0, 1)
    on_day(house, 30.9)
    assert house.remind() == []
    on_day(house, 31)
    (question,) = house.remind()
    assert question["To"] == BOB
    # The clock had run for a day before that: 20 days are left.
    line = "101 Gonnect, against alice: by Sun 10 Jan 2027 12:00 UTC"
    assert "They run again now. This mail is one more try." in prose(question)
    assert line in prose(question)
    for day in (31.1, 37, 49, 50.9):
        on_day(house, day)
        assert house.remind() == []
    on_day(house, 51)
    assert recipients(house.remind()) == [ALICE, CAROL]
    assert "You won" in prose(house.last_to(ALICE))


def test_a_player_who_is_back_in_time_needs_no_last_try(house: HouseUnderTest) -> None:
    fail_on(house, 0, 1)
    on_day(house, 31.1)
    house.mail(BOB, "set bob bob-pw")
    assert house.remind() == []


def test_the_answer_to_the_last_try_brings_a_player_back(house: HouseUnderTest) -> None:
    fail_on(house, 0, 1)
    on_day(house, 31)
    (question,) = house.remind()
    answers = house.reply(question, "games next")
    assert recipients(answers) == [BOB]
    on_day(house, 37)
    assert recipients(house.remind()) == [BOB]
