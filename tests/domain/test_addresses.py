"""Which addresses are one mailbox, and which domains one owner's."""

import pytest

from pbm.domain.addresses import (
    beginning_of_all,
    domain_sold,
    mailbox,
    patterns_of,
    read_pattern,
    spelled_once,
)
from pbm.domain.errors import NotUnderstood
from tests.readings import answers
from tests.tables import each


@each(
    ("address", "same"),
    [
        ("Ann@Example.org", "ann@example.org"),
        ("ann+games@example.org", "ann@example.org"),
        ("ann+a+b@example.org", "ann@example.org"),
        ("a.n.n@gmail.com", "ann@gmail.com"),
        ("A.n.n+pbm@GoogleMail.com", "ann@gmail.com"),
        (" ann@example.org ", "ann@example.org"),
    ],
)
def test_addresses_that_lead_to_one_mailbox_are_one(address: str, same: str) -> None:
    assert mailbox(address) == same
    assert mailbox(same) == same
    assert address.strip().lower().startswith(beginning_of_all(same))


def test_a_tag_is_part_of_the_address_and_not_of_the_mailbox() -> None:
    assert spelled_once("A.n.n+a.b@GoogleMail.com") == "ann+a.b@gmail.com"
    assert spelled_once("A.nn+a.b@Example.org") == "a.nn+a.b@example.org"


def test_dots_count_where_they_are_not_known_to_be_ignored() -> None:
    assert mailbox("a.nn@example.org") != mailbox("ann@example.org")


def test_an_address_that_begins_with_a_plus_is_not_everybodys() -> None:
    assert mailbox("+ann@example.org") != mailbox("+bob@example.org")


def test_the_empty_sender_of_a_report_is_no_mailbox() -> None:
    assert mailbox("") == ""


@each(
    ("address", "domain"),
    [
        ("ann@example.org", "example.org"),
        ("ann@a.b.mail.example.org", "example.org"),
        ("ann@mx.example.co.uk", "example.co.uk"),
        ("ann@uni.example.de", "example.de"),
        ("ann@localhost", "localhost"),
        ("ann@x.GoogleMail.com", "googlemail.com"),
    ],
)
def test_subdomains_are_counted_with_the_domain_that_was_bought(address: str, domain: str) -> None:
    assert domain_sold(address) == domain


BANS = """
# a pattern, an address, and whether the pattern keeps it out
mallory@spam.example | mallory@spam.example               -> True
mallory@spam.example | MALLORY@Spam.Example               -> True
mallory@spam.example | mallory+again@spam.example         -> True
mal.lory@gmail.com | mallory@gmail.com                    -> True
mallory@gmail.com | m.al.lory+again@googlemail.com        -> True
mallory+again@gmail.com | mal.lory+again@gmail.com        -> True
spam.example | anybody@mx7.spam.example                   -> True
@spam.example | anybody@spam.example                      -> True
Example | anybody@spam.example                            -> True
mallory@spam.example | trent@spam.example                 -> False
mallory@spam.example | mallory@spam.example.org           -> False
mallory+again@spam.example | mallory@spam.example         -> False
mallory@spam.example | mal.lory@spam.example              -> False
spam.example | anybody@notspam.example                    -> False
spam.example | spam.example@example.org                   -> False
"""
NO_PATTERNS = ("", "@", "a b", "a@b@c", "spam example", "x/y", "<a@b.c>", "*")


def test_a_ban_keeps_out_an_address_with_its_other_spellings_or_a_domain_with_those_below() -> None:
    assert answers(BANS, lambda pattern, who: read_pattern(pattern) in patterns_of(who)) == BANS
    for text in NO_PATTERNS:
        with pytest.raises(NotUnderstood):
            read_pattern(text)
