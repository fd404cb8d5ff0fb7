"""People without an account: lists of what they may write, and counts too high for conversations.

The rest is in conversations/strangers.txt.
"""

import logging
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbm.core.budget import DAY_FACTOR
from pbm.core.context import day_of, hour_of
from pbm.core.strangers import (
    DOMAIN_AN_HOUR,
    FIRST_OF_NETWORK,
    NETWORK_AN_HOUR,
    SERVER_AN_HOUR,
)
from pbm.domain.mail import ReceivedMail
from pbm.domain.player import YOUNG
from pbm.features.signups import INVITED_AN_HOUR
from pbm.store.people import BanRow
from tests.house import ADDRESS, START, HouseUnderTest, text_of
from tests.readings import rows, sections

ALICE, NINA = "alice@example.org", "nina@example.org"
HELLO, UNCLEAR = "A play-by-email game server", "Yes or no?"
LISTS = sections(Path(__file__).parent / "strangers.txt")
ANYTHING = ["", *rows(LISTS["neither yes nor no"])]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add("alice")
    return house


def subjects(house: HouseUnderTest, author: str, *lines: str) -> list[str]:
    return [str(mail["Subject"]) for line in lines for mail in house.mail(author, line)]


def asked(
    begun: HouseUnderTest, folder: Path, author: str, line: str, words: list[str]
) -> Iterator[tuple[HouseUnderTest, str]]:
    """Yield, for each of these answers to a question, a house that has just asked it."""
    (folder / "asked").mkdir()
    house = begun.twin(folder / "asked")
    house.mail(author, line)
    for number, word in enumerate(words):
        (folder / str(number)).mkdir()
        yield house.twin(folder / str(number)), word


def test_other_words_open_nothing_and_get_one_kind_sentence(
    begun: HouseUnderTest, tmp_path: Path
) -> None:
    for house, words in asked(begun, tmp_path, NINA, "signup nina ninas-pw", ANYTHING):
        question = house.last_to(NINA)
        (mail,) = house.reply(question, words)
        assert mail["Subject"] == UNCLEAR, words
        assert house.reply(question, words) == [], words
        (welcome,) = house.reply(mail, "yes")
        assert welcome["Subject"] == "Welcome", words


def test_other_words_add_no_address(begun: HouseUnderTest, tmp_path: Path) -> None:
    for house, words in asked(begun, tmp_path, ALICE, f"add alice alice-pw {NINA}", ANYTHING[:-1]):
        (mail,) = house.reply(house.last_to(NINA), words)
        assert mail["Subject"] == UNCLEAR, words
        assert subjects(house, NINA, "show 101") == [], f"{words!r}: she is no stranger"


def test_nothing_written_by_accident_becomes_a_password(
    begun: HouseUnderTest, tmp_path: Path
) -> None:
    words = [*ANYTHING, *rows(LISTS["no password"])]
    for house, word in asked(begun, tmp_path, "x@example.net", "forgot alice", words):
        for mail in house.reply(house.last_to(ALICE), word):
            assert mail["Subject"] != "Your password has changed", word
            assert "one-good-word" not in text_of(mail), word
        assert "Your settings" in subjects(house, ALICE, "set alice alice-pw"), word


def test_no_word_of_the_senders_reaches_anybody_but_the_userid_that_a_yes_opens(
    house: HouseUnderTest,
) -> None:
    headers = "In-Reply-To: <BUY-PILLS@evil.example>\nReply-To: BUY-PILLS <x@evil.example>\n"
    for number, line in enumerate(rows(LISTS["spam"])):
        victim = f"victim{number}@example.org"
        (mail,) = house.mail(victim, line, "BUY-PILLS at evil.example", headers=headers)
        assert mail["To"] == victim
        read = (mail.as_string() + text_of(mail)).replace("the account BUY-PILLS,", "")
        assert not re.search("PILLS|evil|letter-", read), line


def hello(house: HouseUnderTest, author: str) -> ReceivedMail:
    raw = f"From: {author}\r\nSubject: hello\r\n\r\n".encode()
    return ReceivedMail(author, (ADDRESS,), raw, house.clock())


def test_an_older_userid_with_a_dot_is_no_link_in_mails_to_strangers(house: HouseUnderTest) -> None:
    with house.administration() as admin:
        mallory = admin.add_player("mallory", "mallory-pw", ["mallory@evil.example"])
        admin.work.personal.rename(mallory, "evil-win.com")
    for line in (
        f"gonnect challenge evil-win.com mallory-pw {NINA}",
        "add evil-win.com mallory-pw o@b.cd",
    ):
        mail, _ = house.mail("mallory@evil.example", line)
        assert "evil-win-com" in text_of(mail), line
        assert "evil-win.com" not in mail.as_string() + text_of(mail), line


def test_invitations_have_a_bound_of_their_own_and_those_of_new_accounts_another(
    house: HouseUnderTest,
) -> None:
    house.add("old")
    house.clock.now += YOUNG
    house.add("young")
    hour = hour_of(house.clock.now)
    with house.house.open_unit() as work:
        work.add_to_tally("all:invitations by address from new accounts", hour, INVITED_AN_HOUR - 1)
        work.commit()
    for who, friends, gone in (("young", "ab", 1), ("old", "cd", 2)):
        lines = [f"gonnect challenge {who} {who}-pw {f}@phone.example" for f in friends]
        sent = [house.mail(f"{who}@example.org", line) for line in lines]
        assert sum(len(mails) for mails in sent) == len(friends) + gone
    assert "are the limit here" in text_of(house.last_to("young@example.org"))
    with house.house.open_unit() as work:
        assert work.tallied("strangers", hour) == 0


def test_a_domain_with_its_subdomains_gets_so_many_mails_an_hour_and_others_go_on(
    house: HouseUnderTest, caplog: pytest.LogCaptureFixture
) -> None:
    # All come before the first is played, so none is asked to come again.
    authors = [f"v{number}@mx{number}.example.com" for number in range(DOMAIN_AN_HOUR + 5)]
    assert not house.house.inbox.put([hello(house, author) for author in authors])
    with caplog.at_level(logging.WARNING, "pbm.play"):
        assert len(house.play()) == DOMAIN_AN_HOUR
    assert len(caplog.records) == 1
    assert "example.com" not in caplog.text
    assert house.house.inbox.put([hello(house, "real@example.com"), hello(house, NINA)]) == {0}
    assert len(house.play()) == 1
    house.clock.now = START.replace(hour=13)
    assert subjects(house, "w@mx1.example.com", "hello") == [HELLO]


def test_the_whole_server_writes_so_many_mails_to_strangers_an_hour(
    house: HouseUnderTest,
) -> None:
    count(house, "strangers", SERVER_AN_HOUR)
    for n in range(FIRST_OF_NETWORK):
        assert subjects(house, f"nina{n}@example.org", "hello") == [HELLO], "first of its network"
    count(house, "strangers-first", SERVER_AN_HOUR - FIRST_OF_NETWORK - 1)
    assert subjects(house, NINA, "hello", "signup nina ninas-pw") == []
    assert subjects(house, "pete@example.net", "hello") == [HELLO], "the last of such mails"
    assert subjects(house, "quentin@example.com", "hello") == []
    (mail,) = house.mail(ALICE, "help")
    assert mail["To"] == ALICE, "players are no strangers"


def test_a_day_has_three_hours_worth_of_them(house: HouseUnderTest) -> None:
    with house.house.open_unit() as work:
        work.add_to_tally("strangers of day", day_of(START), DAY_FACTOR * SERVER_AN_HOUR)
        work.commit()
    said = [subjects(house, f"nina{n}@example.org", "hello") for n in range(FIRST_OF_NETWORK + 1)]
    assert said == [[HELLO]] * FIRST_OF_NETWORK + [[]]
    house.clock.now += timedelta(days=1)
    assert subjects(house, "pete@example.org", "hello", "signup pete petes-pw")[0] == HELLO


def test_a_stranger_who_cannot_be_answered_in_this_hour_is_asked_to_come_again(
    house: HouseUnderTest,
) -> None:
    question = house.mail(NINA, "signup nina ninas-pw")[0]
    count(house, "strangers", SERVER_AN_HOUR)
    count(house, "strangers-first", SERVER_AN_HOUR)
    with house.house.open_unit() as work:
        work.bans.add(BanRow("example.net", START, ""))
        work.commit()
    reply_to = f"To: {question['Reply-To']}\r\nSubject: "
    later = {"Subject: signup nina ninas-pw": NINA, "Subject: hello": NINA,
             "Subject: show 101 alice": NINA}  # fmt: skip
    taken = {"Subject: signup alice2 alices-pw": ALICE, "Subject: move 101 alice alice-pw C3": NINA,
             f"{reply_to}yes": NINA, "Auto-Submitted: auto-replied\r\nSubject: away": NINA,
             "Subject: hi": "banned@example.net"}  # fmt: skip
    for text, author in {**later, **taken}.items():
        raw = f"From: {author}\r\n{text}\r\n".encode()
        mail = ReceivedMail(author, (ADDRESS,), raw, house.clock())
        assert bool(house.house.inbox.put([mail])) == (text in later), text
        house.clock.now += timedelta(hours=1)
        assert not house.house.inbox.put([mail]), "the next hour is another one"
        house.clock.now -= timedelta(hours=1)


def count(house: HouseUnderTest, key: str, amount: int) -> None:
    """Count so many in this hour."""
    with house.house.open_unit() as work:
        work.add_to_tally(key, hour_of(house.clock()), amount)
        work.commit()


def spend(house: HouseUnderTest, *networks: str) -> None:
    """Let these networks have had all answers of an hour."""
    for network in networks:
        count(house, f"strangers-from:{network}", NETWORK_AN_HOUR)


def test_the_mails_of_one_network_do_not_use_up_the_answers_to_all_strangers(
    tmp_path: Path,
) -> None:
    house = HouseUnderTest(tmp_path, authserv_id="mx.example.org")
    network = "Received: from x (x [192.0.2.1]) by mx.example.org\n"
    spend(house, "192.0.2.0/24")
    assert house.mail("mallory@example.net", "hello", headers=network) == []
    elsewhere = network.replace("192.0.2", "198.51.100")
    assert len(house.mail(NINA, "hello", headers=elsewhere)) == 1


def test_without_a_front_mta_the_network_is_the_one_that_intake_has_seen(
    house: HouseUnderTest,
) -> None:
    # An MTA of ours that nobody has told us of brings the mails of everybody.
    ours = ("127.0.0.0/24", "::/48", "10.1.2.0/24")
    spent, free = "192.0.2.0/24", ("198.51.100.0/24", "2001:db8:1::/48", "")
    for network in (spent, *free, *ours):
        house.clock.now += timedelta(days=2)
        spend(house, spent, *ours)
        raw = f"From: {NINA}\r\nSubject: hello\r\n\r\nWhat is this?\r\n".encode()
        house.house.inbox.put([ReceivedMail(NINA, (ADDRESS,), raw, house.clock(), network)])
        assert len(house.play()) == (network != spent), network
