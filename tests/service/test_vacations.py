"""Vacations, tested through the house: late ends, changes, and boards that are broken."""

import logging
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import text

from pbm.domain.player import PlayerState
from pbm.domain.settings import Periods
from pbm.operator.administration import Administration
from pbm.store.migrations import connected
from tests.house import START, HouseUnderTest, text_of

ALICE, BOB, CAROL = "alice@example.org", "bob@example.org", "carol@example.org"
DAY = timedelta(days=1)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house where alice is to move since START: on 101 with bob, on 102 with carol."""
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add("alice", "bob", "carol")
    for opponent in ("bob", "carol"):
        house.mail(ALICE, f"gonnect challenge alice alice-pw {opponent} -size=5")
        house.reply(house.last_to(f"{opponent}@example.org"), "accept")
    return house


def asks(house: HouseUnderTest, words: str, userid: str = "alice") -> list[str]:
    """Return the answer to a player's `vacation WORDS`, and what others are told."""
    line = f"vacation {userid} {userid}-pw {words}".strip()
    mails = house.mail(f"{userid}@example.org", line)
    return [f"{mail['To']}: {' '.join(text_of(mail).split())}" for mail in mails]


def on_day(house: HouseUnderTest, day: float) -> list[tuple[str, str]]:
    """Turn the clock to `day` days after START and do what is due; return who is told what."""
    house.clock.now = START + day * DAY
    return [(str(mail["To"]), str(mail["Subject"])) for mail in house.remind()]


def set_state(house: HouseUnderTest, userid: str, state: PlayerState) -> None:
    with house.house.open_unit() as work:
        Administration(house.house.services, work, house.clock()).set_state(userid, state)
        work.commit()
    house.deliver()


OVER = (ALICE, "Your vacation is over")
WAIT = (ALICE, "2 boards are waiting for your move")


def test_the_nag_comes_after_as_many_days_on_which_the_clock_ran(house: HouseUnderTest) -> None:
    house.clock.now = START + 2 * DAY
    asks(house, "10 days")
    assert on_day(house, 11.9) == []
    assert on_day(house, 12) == [OVER]
    assert on_day(house, 16.9) == []
    assert on_day(house, 17) == [WAIT]


def test_after_an_early_end_the_nag_comes_when_it_would_have_come(house: HouseUnderTest) -> None:
    house.clock.now = START + 1 * DAY
    asks(house, "20 days")
    # A look on the seventh day shows that nothing is due for a long time.
    assert on_day(house, 7) == []
    house.clock.now = START + 8 * DAY
    asks(house, "off")
    assert on_day(house, 13.9) == []
    assert on_day(house, 14) == [WAIT]


def test_a_late_end_is_told_once_and_before_any_reminder(house: HouseUnderTest) -> None:
    asks(house, "2 days")
    assert on_day(house, 9.5) == [OVER, WAIT]
    assert on_day(house, 9.6) == []


def test_a_new_vacation_says_enough_about_the_end_of_the_last(house: HouseUnderTest) -> None:
    asks(house, "2 days")
    house.clock.now = START + 3 * DAY
    asks(house, "2 days")
    assert on_day(house, 4) == []
    assert on_day(house, 5) == [OVER]


def test_a_dry_run_lists_whose_vacation_is_over(house: HouseUnderTest) -> None:
    asks(house, "2 days")
    house.clock.now = START + 3 * DAY
    (due,) = house.house.list_what_is_due()
    assert (due.at, due.what, due.player) == (START + 2 * DAY, "end of vacation", "alice")


def test_a_disabled_player_is_not_told_that_a_vacation_is_over(house: HouseUnderTest) -> None:
    asks(house, "2 days")
    set_state(house, "alice", PlayerState.DISABLED)
    assert OVER not in on_day(house, 3)


def test_an_opponent_who_does_not_play_here_any_more_is_told_nothing(house: HouseUnderTest) -> None:
    set_state(house, "bob", PlayerState.DISABLED)
    _, told = asks(house, "2 days")
    assert told.startswith(CAROL)


def test_the_boards_of_one_mail_show_the_vacation_that_it_began(house: HouseUnderTest) -> None:
    shown = house.reply(house.last_to(ALICE), "show 101\nvacation 10 days\nshow 101")
    (told,) = (text_of(mail) for mail in shown if "As asked" in str(mail["From"]))
    before, after = told.split("until")[1:]
    assert before.startswith(" Fri 11 Dec 2026 12:00 UTC: 21 days.")
    assert after.startswith(" Mon 21 Dec 2026 12:00 UTC: 31 days.")


def test_a_refusal_shows_no_board_even_in_answer_to_a_board_mail(house: HouseUnderTest) -> None:
    (refused,) = house.reply(house.last_to(ALICE), "vacation off")
    assert text_of(refused).splitlines()[2:] == ["Try: vacation 10 days"]


def test_opponents_are_not_told_of_more_than_five_changes_a_day(house: HouseUnderTest) -> None:
    for days in (1, 2, 3, 4, 5):
        assert len(asks(house, f"{days} days")) == 3
    (refused,) = asks(house, "6 days")
    assert "It can change again tomorrow. You can still end it with vacation off." in refused
    assert refused.endswith("Try: vacation alice your-password off")
    assert len(asks(house, "off")) == 3, "it can always be ended"
    (refused,) = asks(house, "6 days")
    assert refused.endswith("tomorrow. Try: vacation alice your-password")
    house.clock.now += DAY
    assert len(asks(house, "6 days")) == 3


def test_the_operator_says_how_long_a_vacation_can_be(house: HouseUnderTest) -> None:
    settings = replace(house.house.settings, periods=Periods(vacation=3))
    house.house = replace(house.house, settings=settings)
    (refused,) = asks(house, "4 days")
    assert "Of the 3 days of vacation in a calendar year you have 3 days left" in refused
    assert len(asks(house, "3 days")) == 3
    (shown,) = asks(house, "")
    assert "You have 0 days of vacation left in 2026, of 3 days" in shown


def test_without_a_day_left_the_refusal_names_a_line_that_still_works(
    house: HouseUnderTest,
) -> None:
    asks(house, "30 days")
    house.clock.now = START + 29.5 * DAY
    asks(house, "off")
    new_ones = "New ones come on 1 January 2027 (UTC). Try: "
    (refused,) = asks(house, "1 day")
    assert "That is too long: it is 1 day." in refused
    assert f"you have 0 days left in 2026. {new_ones}" in refused
    assert refused.endswith("Try: vacation alice your-password")
    (unread,) = asks(house, "until whenever")
    # Half a day of vacation is left, but today only ends in 24 hours.
    assert unread.endswith("Try: vacation alice your-password")
    assert f"You have no whole day of vacation left in 2026. {new_ones}" in unread
    (passed,) = asks(house, "until 19 Nov")
    assert (
        f"it was 19 Nov 2026. You have no whole day of vacation left in 2026. {new_ones}" in passed
    )
    (shown,) = asks(house, "")
    assert (
        "You have 12 hours of vacation left in 2026, of 30 days in a calendar year. New ones"
        in shown
    )
    assert "To begin one now" not in shown


def test_where_there_are_no_vacations_no_new_days_are_promised(house: HouseUnderTest) -> None:
    settings = replace(house.house.settings, periods=Periods(vacation=0))
    house.house = replace(house.house, settings=settings)
    for words in ("", "1 day", "until whenever"):
        (told,) = asks(house, words)
        assert "New ones come" not in told


def test_a_clock_that_was_put_back_leaves_no_vacation_in_the_future(house: HouseUnderTest) -> None:
    house.clock.now = START + 20 * DAY
    asks(house, "5 days")
    house.clock.now = START
    (shown,) = asks(house, "")
    assert "you are not on vacation" in shown
    asks(house, "2 days")
    assert on_day(house, 2) == [OVER]
    assert on_day(house, 8.9) == []
    assert on_day(house, 9) == [WAIT]


def test_a_broken_board_holds_up_only_the_mail_that_would_tell_of_it(
    house: HouseUnderTest, caplog: pytest.LogCaptureFixture
) -> None:
    asks(house, "2 days")
    asks(house, "2 days", "bob")
    with connected(house.house.settings.database) as connection, connection.begin():
        connection.execute(text("UPDATE snapshots SET state = '[]' WHERE match_number = 101"))
    with caplog.at_level(logging.ERROR):
        assert (BOB, "Your vacation is over") in on_day(house, 3)
    assert "the end of vacation 1 cannot be told" in caplog.text
    assert on_day(house, 3.1) == []
