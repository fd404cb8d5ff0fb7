"""Reports on mails that came back which no conversation can write: forged ones, and in words.

tests/conversations/bounces.txt has the others.
"""

import re
from datetime import timedelta

import pytest

from tests.house import HouseUnderTest, text_of
from tests.service.returned_mails import BOB, is_off, playing_house, report_to, write_to_bob


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    return playing_house(tmp_path_factory.mktemp("begun"))


def test_a_report_in_words_from_a_host_that_gives_its_address_counts(
    house: HouseUnderTest,
) -> None:
    report = (
        "From: mailer-daemon@example.org\r\nSubject: failure notice\r\n\r\n"
        "Hi. This is the qmail-send program at example.org.\r\n\r\n"
        "<bob@example.org>:\r\nRemote host said: 550 no such user\r\n"
    )
    for _ in range(2):
        assert not is_off(house)
        to = house.senders[str(write_to_bob(house)["Message-ID"])]
        house.take(report.encode(), "mailer-daemon@example.org", to)
        house.clock.now += timedelta(days=1)
    assert is_off(house)


def test_nobody_can_forge_a_report_with_what_is_read_in_a_mail(house: HouseUnderTest) -> None:
    for _ in range(2):
        mail = write_to_bob(house)
        words = set(re.findall(r"[A-Za-z0-9]+", mail.as_string() + text_of(mail)))
        secret = house.senders[str(mail["Message-ID"])].partition("+")[2].partition("@")[0]
        assert secret not in words
        for guess in words:
            assert report_to(house, f"bounce+{guess}@games.example.org") == []
        house.clock.now += timedelta(days=1)
    assert not is_off(house)


def test_a_mail_to_a_bounce_address_that_reports_nothing_is_not_executed(
    house: HouseUnderTest,
) -> None:
    to = house.senders[str(write_to_bob(house)["Message-ID"])]
    assert house.mail(BOB, "help", to=to) == []
    assert house.mail(BOB, "resign 101 bob bob-pw", to=to) == []
    assert "resigned" not in text_of(house.mail(BOB, "show 101")[-1])
