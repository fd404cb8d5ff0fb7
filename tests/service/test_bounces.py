"""Addresses whose mails come back, tested through the house: when they are switched off."""

import re
from email.message import EmailMessage

import pytest

from pbm.domain.player import PlayerState
from pbm.operator.administration import Administration
from tests.house import HouseUnderTest, text_of
from tests.service.returned_mails import (
    ALICE,
    BOB,
    CAROL,
    OPERATOR,
    board_mail,
    come_back,
    deadline,
    fail_on,
    give,
    is_off,
    on_day,
    playing_house,
    prose,
    recipients,
    report_to,
    write_to_bob,
)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    return playing_house(tmp_path_factory.mktemp("begun"))


def test_an_address_that_does_not_exist_is_switched_off_on_the_second_day(
    house: HouseUnderTest,
) -> None:
    assert fail_on(house, 0, 0.1, 0.2) == []
    assert not is_off(house)
    fail_on(house, 1)
    assert is_off(house)


def test_the_operator_and_each_opponent_are_told_once_and_the_clocks_stand_for_thirty_days(
    house: HouseUnderTest,
) -> None:
    told = fail_on(house, 0, 1)
    assert recipients(told) == [ALICE, CAROL, OPERATOR]
    # START is Fri 20 Nov 2026 12:00. The clocks stand from a day later, for 30 days.
    until = "until Mon 21 Dec 2026 12:00 UTC"
    assert f"The clocks of bob stand {until}, or until bob writes again" in prose(told[0])
    assert "about board 101." in prose(house.last_to(ALICE))
    assert "about board 102." in prose(house.last_to(CAROL))
    assert "Mails to bob come back (status 5.1.1)" in prose(house.last_to(OPERATOR))
    assert "pbm user address bob ADDRESS" in prose(house.last_to(OPERATOR))
    # Of the 21 days one had run: 20 days from 21 Dec.
    assert "bob has time until Sun 10 Jan 2027 12:00 UTC" in deadline(house)
    assert f"Mails to bob come back; the clock stands {until}." in deadline(house)


def test_nothing_is_sent_to_an_address_that_is_off(house: HouseUnderTest) -> None:
    fail_on(house, 0, 1)
    told = house.mail(ALICE, "message alice alice-pw bob", "Are you there?")
    told += house.mail(ALICE, "chat 101 alice alice-pw", "Hello?")
    for day in (8, 20, 30):
        on_day(house, day)
        told += house.remind()
    assert set(recipients(told)) == {ALICE}


def test_a_report_that_is_repeated_counts_once(house: HouseUnderTest) -> None:
    mail = write_to_bob(house)
    for day in (0, 1, 2, 3):
        on_day(house, day)
        come_back(house, mail)
    assert not is_off(house)


def test_a_report_in_words_from_a_host_that_gives_its_address_counts(
    house: HouseUnderTest,
) -> None:
    report = (
        "From: mailer-daemon@example.org\r\nSubject: failure notice\r\n\r\n"
        "Hi. This is the qmail-send program at example.org.\r\n\r\n"
        "<bob@example.org>:\r\nRemote host said: 550 no such user\r\n"
    )
    for day in (0, 1):
        assert not is_off(house)
        on_day(house, day)
        to = house.senders[str(write_to_bob(house)["Message-ID"])]
        house.take(report.encode(), "mailer-daemon@example.org", to)
    assert is_off(house)


def test_an_address_that_refuses_us_for_what_we_are_is_switched_off_after_weeks(
    house: HouseUnderTest,
) -> None:
    # START is a Friday; such a failure counts on Mondays.
    fail_on(house, *range(17), status="5.7.1")
    assert not is_off(house)
    fail_on(house, 17, status="5.7.1")
    assert is_off(house)


def test_an_address_that_fails_for_another_reason_is_switched_off_on_the_third_day(
    house: HouseUnderTest,
) -> None:
    fail_on(house, 0, 1, status="5.2.2")
    assert not is_off(house)
    fail_on(house, 2, status="5.2.2")
    assert is_off(house)


def words_of(mail: EmailMessage) -> set[str]:
    """Return every word that a reader of `mail` finds anywhere in it."""
    return set(re.findall(r"[A-Za-z0-9]+", mail.as_string() + text_of(mail)))


def test_nobody_can_forge_a_report_with_what_is_read_in_a_mail(house: HouseUnderTest) -> None:
    for day in (0, 1):
        on_day(house, day)
        mail = write_to_bob(house)
        word = house.senders[str(mail["Message-ID"])].partition("+")[2].partition("@")[0]
        assert word not in words_of(mail)
        for guess in words_of(mail):
            assert report_to(house, f"bounce+{guess}@games.example.org") == []
    assert not is_off(house)


def test_a_mail_to_a_bounce_address_that_reports_nothing_is_not_executed(
    house: HouseUnderTest,
) -> None:
    to = house.senders[str(board_mail(house)["Message-ID"])]
    assert house.mail(BOB, "help", to=to) == []
    assert house.mail(BOB, "resign 101 bob bob-pw", to=to) == []
    assert deadline(house)


def test_a_reply_to_a_mail_starts_the_count_anew(house: HouseUnderTest) -> None:
    fail_on(house, 0)
    house.reply(board_mail(house), "show 101")
    fail_on(house, 1)
    assert not is_off(house)
    fail_on(house, 2)
    assert is_off(house)


def test_a_mail_without_proof_from_the_address_does_not(house: HouseUnderTest) -> None:
    fail_on(house, 0)
    house.mail(BOB, "show 101")
    house.mail(BOB, "set bob wrong-pw")
    fail_on(house, 1)
    assert is_off(house)


def test_nobody_is_told_of_a_disabled_player(house: HouseUnderTest) -> None:
    mails = [write_to_bob(house), write_to_bob(house)]
    with house.house.open_unit() as work:
        admin = Administration(house.house.services, work, house.clock())
        admin.set_state("bob", PlayerState.DISABLED)
        work.commit()
    assert recipients(house.deliver()) == [BOB]
    for day, mail in enumerate(mails):
        on_day(house, day)
        assert come_back(house, mail) == []
    assert is_off(house)


def test_clocks_stand_for_no_more_than_thirty_days_in_a_year(house: HouseUnderTest) -> None:
    fail_on(house, 0, 1)
    on_day(house, 21)
    house.mail(BOB, "set bob bob-pw")
    fail_on(house, 22, 23)
    # Twenty days are used up; ten are left, from day 23 on.
    assert "the clock stands until Wed 23 Dec 2026 12:00 UTC." in deadline(house)
    on_day(house, 34)
    house.mail(BOB, "set bob bob-pw")
    told = fail_on(house, 35, 36)
    assert recipients(told) == [ALICE, CAROL, OPERATOR]
    assert (
        "The clocks of bob keep running: they have already stood as long as they may this year."
        in prose(house.last_to(ALICE))
    )
    assert "stands" not in deadline(house)


def test_when_most_mails_come_back_it_is_the_server_and_no_address_is_switched_off(
    house: HouseUnderTest,
) -> None:
    for day in (2, 4, 6, 8):
        on_day(house, day)
        house.mail(ALICE, "chat 101 alice alice-pw", "Hello")
        mails = [house.last_to(ALICE), house.last_to(BOB)]
        assert come_back(house, mails[0]) == []
        told = come_back(house, mails[1])
        assert recipients(told) == [OPERATOR]
        assert "mails to 2 of 2 addresses have failed" in prose(told[0])
        assert come_back(house, write_to_bob(house)) == []
    assert not is_off(house, "bob")


def test_two_players_who_share_an_address_lose_it_and_have_it_back_together(
    house: HouseUnderTest,
) -> None:
    give(house, "carol", BOB)
    fail_on(house, 0, 1)
    assert is_off(house, "bob")
    assert is_off(house, "carol")
    house.mail(BOB, "set bob bob-pw")
    assert not is_off(house, "bob")
    assert not is_off(house, "carol")
