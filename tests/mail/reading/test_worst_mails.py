"""The bound on what the worst mail costs, held by all that were found."""

from tests.mail.reading.worst_mails import cost, worst_mails

BOUND = 0.2
"""Seconds of processor time: twice what they may cost, because other work slows them down too."""


def test_no_mail_of_a_mebibyte_costs_a_tenth_of_a_second() -> None:
    mails = worst_mails()
    once = [name for name, make in mails.items() if cost(make()) > BOUND]
    assert [name for name in once if min(cost(mails[name]()) for _ in range(5)) > BOUND] == []
