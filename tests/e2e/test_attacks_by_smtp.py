"""The attacks that anyone can carry out with a mail, each by SMTP at a running server."""

from collections.abc import Iterator

import pytest

from tests.e2e.people import Person, letter
from tests.e2e.town import ALICE, BOB, EVE, Town, open_town, password_of

PASSWORD = password_of("alice")


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    with open_town(tmp_path_factory.mktemp("attacks"), "alice", "bob") as town:
        town.match("alice", "bob")
        yield town


FORGED = {
    "an invitation": "gonnect challenge alice bob",
    "a message": "message alice bob Buy this now",
    "a chat": "chat 101 alice Buy this now",
    "a follower": "follow alice bob",
    "a vacation": "vacation alice 10 days",
    "a setting": "set alice format text",
    "a resignation": "resign 101 alice",
    "a block": "block alice bob",
    "a report": "report alice bob",
    "a logout": "log out alice",
}
"""Mails in the name of alice that prove nothing, by what they try."""


@pytest.mark.parametrize("text", FORGED.values(), ids=FORGED.keys())
def test_a_forged_mail_does_nothing_and_only_its_owner_hears_of_it(town: Town, text: str) -> None:
    answers = town.attacked(ALICE, text)
    assert [mail.recipient for mail in answers] == [ALICE]
    assert answers[0].headline == "Not done - pbm"
    assert "Buy this" not in answers[0].text


def test_ten_old_positions_are_one_mail_at_most(town: Town) -> None:
    answers = town.attacked(BOB, "\n".join(f"show 101#{n}" for n in range(10)))
    assert [mail.recipient for mail in answers] == [BOB]
    assert len(answers[0].content) < 150_000


def test_a_hundred_mails_of_ten_pages_of_help_are_thirty_answers_at_most(town: Town) -> None:
    answers = town.attacked(BOB, *["\n".join(["help reference", "help"] * 5)] * 105)
    assert {mail.recipient for mail in answers} == {BOB}
    assert len(answers) <= 31
    assert sum(len(mail.content) for mail in answers) < 1_000_000


@pytest.mark.parametrize(
    "author",
    ["al\u200bice@example.com", "alice\u00ad@example.com", "al\u2060ice@example.com"],
    ids=["zero-width space", "soft hyphen", "word joiner"],
)
def test_a_from_with_what_nobody_sees_is_nobodys(town: Town, author: str) -> None:
    plain = letter(ALICE, "", f"set alice {PASSWORD}")
    content = plain.replace(f"From: {ALICE}".encode(), f"From: {author}".encode())
    assert content != plain
    assert town.provoked(content) == []


def test_words_that_are_no_yes_open_no_account(town: Town) -> None:
    victim = Person("victim", town.server, town.sink)
    victim.write("signup victim long-enough-1")
    asked = victim.next("Open your account")
    town.attacked(victim.address, "Who are you? I did not sign up", to=asked.reply_to)
    assert "victim" not in town.server.pbm("user", "list")


def test_a_stranger_gets_three_mails_a_day_and_none_of_their_own_words(town: Town) -> None:
    answers = town.attacked(EVE, *["signup Cheap_Pills", "help", "hello", "signup x", "help me"])
    assert {mail.recipient for mail in answers} <= {EVE}
    assert 1 <= len(answers) <= 3
    assert not any("Cheap" in mail.text for mail in answers)


def test_a_message_goes_the_same_way_whether_or_not_it_holds_a_password(town: Town) -> None:
    secret = password_of("bob")
    outcomes = [
        [
            (mail.recipient, mail.headline)
            for mail in town.attacked(BOB, f"message bob {secret} alice Is {word} yours?")
        ]
        for word in (PASSWORD, "zq-alice-pw-9")
    ]
    assert outcomes[0]
    assert outcomes[0] == outcomes[1]


def test_ordinary_mail_to_a_bounce_address_does_nothing(town: Town) -> None:
    line = f"set alice {PASSWORD} format text"
    assert town.attacked(ALICE, line, to=f"bounce+{'0' * 24}@localhost") == []


def test_wrong_passwords_in_a_players_name_do_not_stop_their_reply(town: Town) -> None:
    board = next(m for m in town.sink.mails if m.recipient == ALICE and "Your move" in m.headline)
    town.attacked(ALICE, *[f"set alice wrong-guess-{n}" for n in range(8)])
    Person("alice", town.server, town.sink).answer(board, "B2")
    town.sink.wait(
        lambda mails: any("bob to move" in m.headline for m in mails), "the move to be played"
    )
