"""Mails to the postmaster go to the operator, and to nobody else."""

from pathlib import Path

import pytest

from pbm.features.people import MAILS_AN_HOUR
from tests.house import HouseUnderTest, text_of

OPERATOR = "operator@example.org"
POSTMASTER = "postmaster@games.example.org"


@pytest.fixture
def house(tmp_path: Path) -> HouseUnderTest:
    under_test = HouseUnderTest(tmp_path, OPERATOR)
    under_test.add("alice")
    return under_test


@pytest.mark.parametrize("to", [POSTMASTER, "Postmaster", "abuse+x@elsewhere.example"])
def test_the_operator_gets_the_mail_as_it_came(house: HouseUnderTest, to: str) -> None:
    [mail] = house.mail("carol@example.net", "Spam from you", "Please stop.", to)
    assert (mail["To"], mail["Auto-Submitted"]) == (OPERATOR, "auto-generated")
    assert "carol@example.net wrote to the postmaster" in text_of(mail)
    assert "Spam from you" in text_of(mail)
    [attached] = mail.iter_attachments()
    assert "From: carol@example.net" in attached.get_content()
    assert "Please stop." in attached.get_content()


def test_nothing_in_it_is_a_command_and_its_writer_gets_no_answer(house: HouseUnderTest) -> None:
    [mail] = house.mail("alice@example.org", "games alice alice-pw", "", POSTMASTER)
    assert mail["To"] == OPERATOR


def test_a_report_to_the_postmaster_is_passed_on_too(house: HouseUnderTest) -> None:
    report = "Content-Type: multipart/report; boundary=b\r\nFrom: x@example.net\r\n\r\n--b\r\n"
    [mail] = house.take(report.encode(), "", POSTMASTER)
    assert mail["To"] == OPERATOR


def test_a_mail_that_was_passed_on_and_comes_back_to_the_postmaster_is_dropped(
    house: HouseUnderTest,
) -> None:
    house.mail("carol@example.net", "Spam from you", "", POSTMASTER)
    assert house.take(house.wire[-1], "", POSTMASTER) == []


def test_the_operator_gets_no_more_of_them_in_an_hour_than_they_can_read(
    house: HouseUnderTest, caplog: pytest.LogCaptureFixture
) -> None:
    got = [
        house.mail("carol@example.net", f"Spam {n}", "", POSTMASTER)
        for n in range(MAILS_AN_HOUR + 5)
    ]
    assert [len(mails) for mails in got] == [1] * MAILS_AN_HOUR + [0] * 5
    assert [record.message for record in caplog.records] == [
        "the postmaster gets no more mails in this hour: there were 20"
    ]
