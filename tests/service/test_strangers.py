"""People without an account: what they get, how often, and what their words cannot do."""

import hashlib
import logging
import re
from datetime import timedelta
from pathlib import Path

import pytest

from pbm.domain.mail import ReceivedMail
from pbm.service.context import hour_of
from pbm.service.strangers import (
    DOMAIN_AN_HOUR,
    MAILS_A_DAY,
    NETWORK_AN_HOUR,
    SERVER_AN_HOUR,
)
from tests.house import ADDRESS, START, HouseUnderTest, text_of
from tests.tables import each

NINA = "nina@example.org"
QUESTION, HELLO = "Open your account with a reply", "A play-by-email game server"
UNCLEAR, WRONG = "Yes or no?", "No account yet"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add("alice")
    return house


def subjects(house: HouseUnderTest, author: str, *lines: str) -> list[str]:
    return [str(mail["Subject"]) for line in lines for mail in house.mail(author, line)]


def has_account(house: HouseUnderTest, userid: str) -> bool:
    with house.house.open_reading() as work:
        return work.players.by_userid(userid) is not None


def opens_with(house: HouseUnderTest, userid: str, password: str) -> bool:
    """Return whether a command with this password is carried out."""
    told = house.mail(f"{userid}@elsewhere.example", f"set {userid} {password}")
    return any("Your settings" in mail["Subject"] for mail in told)


@pytest.mark.parametrize(
    ("subject", "text"),
    [("help", ""), ("hello there", ""), ("", "What is this?"), ("show 101", ""), ("list", ""),
     ("move 101 alice wrong-pw C3", ""), ("gonnect challenge alice wrong-pw nina", ""),
     ("RE: accept", "accept"), ("\u4f60\u597d", "\u4f60\u597d")],
)  # fmt: skip
def test_whatever_can_be_read_is_answered_by_the_introduction(
    house: HouseUnderTest, subject: str, text: str
) -> None:
    (mail,) = house.mail(NINA, subject, text)
    assert (mail["To"], mail["Subject"]) == (NINA, HELLO)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("signup", "signup needs a userid and a password of your choice."),
        ("signup nina", "signup needs a userid and a password of your choice."),
        ("register nina", "signup needs a userid and a password of your choice."),
        ("signup ALICE good-nina-pw", "That userid is taken."),
        ("signup 7up! good-nina-pw", "That cannot be a userid."),
        ("signup draw good-nina-pw", "That cannot be a userid."),
        ("signup nina x", "A password is one word"),
        ("signup nina --option-pw", "A password is one word"),
    ],
)
def test_a_mistake_is_told_and_the_corrected_line_is_asked_at_once(
    house: HouseUnderTest, line: str, sentence: str
) -> None:
    (mail,) = house.mail(NINA, line)
    assert (mail["To"], mail["Subject"]) == (NINA, WRONG)
    assert sentence in text_of(mail)
    assert "signup your-userid your-password" in text_of(mail)
    assert subjects(house, NINA, "signup nina good-nina-pw") == [QUESTION]
    house.reply(house.last_to(NINA), "yes")
    assert opens_with(house, "nina", "good-nina-pw")


def test_a_mistake_below_a_greeting_is_told_as_well(house: HouseUnderTest) -> None:
    (mail,) = house.mail(NINA, "Hello", "Dear server,\n\nsignup nina\n\nThank you")
    assert "signup needs a userid and a password" in text_of(mail)
    assert subjects(house, NINA, "signup nina good-nina-pw") == [QUESTION]


def test_no_word_of_the_senders_reaches_anybody(house: HouseUnderTest) -> None:
    for number, line in enumerate(
        ["BUY-PILLS at evil.example", "signup BUY-PILLS evil.example", "signup evil.example",
         "signup BUY!PILLS evil.example-pw", "signup BUY-PILLS evil.example-pw",
         "help BUY-PILLS", "BUY-PILLS evil.example"]
    ):  # fmt: skip
        victim = f"victim{number}@example.org"
        headers = "In-Reply-To: <BUY-PILLS@evil.example>\nReply-To: BUY-PILLS <x@evil.example>\n"
        (mail,) = house.mail(victim, line, "BUY-PILLS at evil.example", headers=headers)
        assert mail["To"] == victim
        assert not re.search("PILLS|evil|letter-", mail.as_string() + text_of(mail))


def test_one_mailbox_gets_three_mails_a_day_under_all_its_names(house: HouseUnderTest) -> None:
    names = ["nina.q@gmail.com", "ninaq@gmail.com", "n.i.n.a.q@googlemail.com", "NinaQ+1@gmail.com"]
    for round_ in range(4):
        for name in names:
            house.mail(name, "hello")
            house.mail(name, f"signup x{round_}")
            house.mail(name, f"signup nina{round_} nina-{round_}-pw")
    assert len(house.sent) == MAILS_A_DAY
    house.clock.now = START.replace(hour=23, minute=59, day=20)
    assert subjects(house, names[0], "signup nina nina-good-pw") == []
    house.clock.now = START.replace(hour=11, day=21)
    assert subjects(house, names[0], "signup nina nina-good-pw") == [], "midnight is no new day"
    house.clock.now = START.replace(hour=13, day=21)
    assert subjects(house, names[0], "signup nina nina-good-pw") == [QUESTION]


def test_a_domain_with_its_subdomains_gets_so_many_mails_an_hour_and_others_go_on(
    house: HouseUnderTest, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "pbm.play"):
        for number in range(DOMAIN_AN_HOUR + 5):
            house.mail(f"v{number}@mx{number}.example.com", "hello")
    assert len(house.sent) == DOMAIN_AN_HOUR
    assert len(caplog.records) == 1
    assert "example.com" not in caplog.text
    assert subjects(house, NINA, "hello") == [HELLO]
    house.clock.now = START.replace(hour=13)
    assert subjects(house, "w@mx1.example.com", "hello") == [HELLO]


def test_the_whole_server_writes_so_many_mails_to_strangers_an_hour(
    house: HouseUnderTest, caplog: pytest.LogCaptureFixture
) -> None:
    with house.house.open_unit() as work:
        for _ in range(SERVER_AN_HOUR - 1):
            work.tally("strangers", hour_of(START))
        work.commit()
    assert subjects(house, NINA, "hello") == [HELLO]
    with caplog.at_level(logging.WARNING, "pbm.play"):
        assert subjects(house, "pete@example.net", "hello", "signup pete petes-pw") == []
    assert len(caplog.records) == 1
    (mail,) = house.mail("alice@example.org", "help")
    assert mail["To"] == "alice@example.org", "players are no strangers"
    with house.house.open_reading() as work:
        assert work.tallied("strangers-unanswered", hour_of(START)) >= 2


def test_a_forged_signup_before_or_after_mine_does_not_choose_my_password(
    house: HouseUnderTest,
) -> None:
    for line in ("signup nina first-forged-pw", "signup nina my-own-pw", "signup nina forged-pw"):
        assert subjects(house, NINA, line) == [QUESTION]
    mine, forged = house.sent[-2], house.sent[-1]
    assert "This was not the first request" in text_of(mine)
    house.reply(mine, "yes")
    house.reply(forged, "yes")
    assert opens_with(house, "nina", "my-own-pw")
    assert not opens_with(house, "nina", "forged-pw")


def test_once_one_signup_is_open_the_others_of_its_address_open_nothing(
    house: HouseUnderTest,
) -> None:
    house.mail(NINA, "signup nina my-own-pw")
    house.mail(NINA, "signup mallory forged-pw")
    mine, forged = house.sent
    house.reply(mine, "yes")
    house.reply(forged, "yes")
    assert has_account(house, "nina")
    assert not has_account(house, "mallory")


VACATION = (
    "I am out of the office until Monday.\n\nYes, you can reach my colleague.\n\nSent by iCloud"
)

ANYTHING = [
    "", "Who are you? I did not sign up", VACATION, "Hello", "fine", "thanks", "What?\nyes",
    "nina and friends", "nina\nis away", "Hi\nI am away", "accept", "help", "C3", "-", "???",
]  # fmt: skip


@pytest.mark.parametrize("words", ANYTHING)
def test_other_words_open_nothing_and_get_one_kind_sentence(
    house: HouseUnderTest, words: str
) -> None:
    house.mail(NINA, "signup nina ninas-pw")
    question = house.last_to(NINA)
    (mail,) = house.reply(question, words)
    assert mail["Subject"] == UNCLEAR
    assert house.reply(question, words) == []
    assert not has_account(house, "nina")
    house.reply(mail, "yes")
    assert has_account(house, "nina")


def test_a_vacation_program_does_not_confirm_a_userid_that_was_made_for_it(
    house: HouseUnderTest,
) -> None:
    house.mail(NINA, "signup Hi forged-pw")
    house.reply(house.last_to(NINA), "Hi,\nI am away.")
    assert not has_account(house, "hi")


@pytest.mark.parametrize("words", ["Yes", "yes please", "ja", "Nina", "OK!\n\nBest wishes\nNina"])
def test_a_yes_or_the_userid_opens_the_account(house: HouseUnderTest, words: str) -> None:
    house.mail(NINA, "signup nina ninas-pw")
    house.reply(house.last_to(NINA), words)
    assert has_account(house, "nina")


@pytest.mark.parametrize("words", ["No", "Stop!", "nein danke", "Please remove me", "unsubscribe"])
@pytest.mark.parametrize("line", ["signup nina ninas-pw", "hello"])
def test_a_no_is_kept_until_that_mailbox_signs_up(
    house: HouseUnderTest, line: str, words: str
) -> None:
    house.mail(NINA, line)
    asked = house.last_to(NINA)
    assert house.reply(asked, words) == []
    house.clock.now = START.replace(month=12)
    assert house.reply(asked, "yes") == []
    assert subjects(house, "nina+x@example.org", "hello") == []
    assert not has_account(house, "nina")
    with house.house.open_reading() as work:
        assert work.left_alone.find(hashlib.sha256(NINA.encode()).hexdigest())
    assert subjects(house, NINA, "signup nina ninas-new-pw") == [QUESTION]


def test_a_mailbox_that_said_no_is_asked_for_no_account_either(house: HouseUnderTest) -> None:
    house.mail(NINA, "stop")
    told = house.mail("alice@example.org", "add alice alice-pw nina+1@example.org")
    assert [mail["To"] for mail in told] == ["alice@example.org"]
    assert "may not write to that address" in text_of(told[0])


def test_questions_of_accounts_and_signups_share_the_three_mails(house: HouseUnderTest) -> None:
    for name in "abcd":
        house.mail(NINA, f"signup nina{name} ninas-{name}-pw")
    (told,) = house.mail("alice@example.org", "add alice alice-pw nina@example.org")
    assert "may not write to that address" in text_of(told)
    assert len([mail for mail in house.sent if mail["To"] == NINA]) == MAILS_A_DAY


@pytest.mark.parametrize("words", [words for words in ANYTHING if words != "help"])
def test_other_words_add_no_address(house: HouseUnderTest, words: str) -> None:
    house.mail("alice@example.org", f"add alice alice-pw {NINA}")
    (mail,) = house.reply(house.last_to(NINA), words)
    assert mail["Subject"] == UNCLEAR
    with house.house.open_reading() as work:
        assert work.players.by_address(NINA) == ()


@pytest.mark.parametrize(
    "words",
    [*ANYTHING, "Stop!", "no", "one-good-word-pw", "password", "password two words", "passwords x",
     "my password is one-good-word-pw", "new: one-good-word-pw", "yes"],
)  # fmt: skip
def test_nothing_written_by_accident_becomes_a_password(house: HouseUnderTest, words: str) -> None:
    house.mail("x@example.net", "forgot alice")
    question = house.last_to("alice@example.org")
    for mail in house.reply(question, words):
        assert mail["Subject"] != "Your password has changed"
        assert "one-good-word" not in text_of(mail)
    assert opens_with(house, "alice", "alice-pw")


def test_the_mails_of_one_network_do_not_use_up_the_answers_to_all_strangers(
    tmp_path: Path,
) -> None:
    house = HouseUnderTest(tmp_path, authserv_id="mx.example.org")
    network = "Received: from x (x [192.0.2.1]) by mx.example.org\n"
    with house.house.open_unit() as work:
        work.add_to_tally("strangers-from:192.0.2.0/24", hour_of(START), NETWORK_AN_HOUR)
        work.commit()
    assert house.mail("mallory@example.net", "hello", headers=network) == []
    elsewhere = network.replace("192.0.2", "198.51.100")
    assert len(house.mail(NINA, "hello", headers=elsewhere)) == 1


@each(
    ("network", "answered"),
    [
        ("192.0.2.0/24", False),
        ("198.51.100.0/24", True),
        ("2001:db8:1::/48", True),
        ("", True),
        # An MTA of ours that nobody has told us of brings the mails of everybody.
        ("127.0.0.0/24", True),
        ("::/48", True),
        ("10.1.2.0/24", True),
    ],
)
def test_without_a_front_mta_the_network_is_the_one_that_intake_has_seen(
    house: HouseUnderTest, network: str, answered: bool
) -> None:
    house.clock.now += timedelta(days=2)
    with house.house.open_unit() as work:
        for full in ("192.0.2.0/24", "127.0.0.0/24", "::/48", "10.1.2.0/24"):
            work.add_to_tally(f"strangers-from:{full}", hour_of(house.clock()), NETWORK_AN_HOUR)
        work.commit()
    raw = f"From: {NINA}\r\nSubject: hello\r\n\r\nWhat is this?\r\n".encode()
    house.house.inbox.put([ReceivedMail(NINA, (ADDRESS,), raw, house.clock(), network)])
    assert len(house.play()) == answered
