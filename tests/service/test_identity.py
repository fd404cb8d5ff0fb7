"""Proofs of a sender: keys as two processes see them, forged mails and reports, and secrets.

tests/conversations/identity.txt, keys.txt and bounces.txt have what one player sees of it.
"""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from pbm.dispatch.script import without_secrets
from pbm.server.token_keys import BEFORE_SIGNING, rotate
from tests.house import ADDRESS, HouseUnderTest, text_of
from tests.readings import answers
from tests.service.houses import PLAYER
from tests.service.returned_mails import is_off, report_to, write_to_bob

ALICE, BOB = "alice@example.org", "bob@example.org"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house where alice and bob have begun board 101, and alice is to move."""
    house = HouseUnderTest(tmp_path_factory.mktemp("keys"))
    house.add("alice", "bob", text_alone=True)
    house.begin_match()
    house.beat()
    return house


def key_file(house: HouseUnderTest) -> Path:
    return house.folder / "key"


def moves(house: HouseUnderTest) -> str:
    return text_of(house.mail(ALICE, "show 101")[-1])


def test_a_process_that_looks_later_reads_what_one_that_looked_earlier_has_signed(
    house: HouseUnderTest,
) -> None:
    house.beat()
    late = HouseUnderTest(house.folder, clock=house.clock)
    late.beat()
    rotate(key_file(house), house.clock())
    late.beat()
    house.clock.now += BEFORE_SIGNING
    house.beat()
    house.reply(house.last_to(ALICE), "C3")
    late.reply(house.last_to(BOB), "swap")
    assert "after 2 moves" in moves(house)
    late.house.close()


def test_a_mail_that_was_stored_before_the_new_key_goes_out_with_its_token(
    house: HouseUnderTest,
) -> None:
    house.beat()
    house.busy = True
    house.reply(house.last_to(ALICE), "C3")
    assert house.house.play_stage.play_waiting()
    rotate(key_file(house), house.clock())
    house.clock.now += BEFORE_SIGNING
    house.beat()
    assert {str(mail["To"]) for mail in house.play()} == {ALICE, BOB}
    house.reply(house.last_to(BOB), "swap")
    assert "after 2 moves" in moves(house)


def test_a_key_file_that_is_exchanged_under_a_running_server_is_told_once_and_not_used(
    house: HouseUnderTest, caplog: pytest.LogCaptureFixture
) -> None:
    house.beat()
    right = key_file(house).read_text()
    for text in ("ab" * 32 + "\n", right):
        key_file(house).unlink()
        key_file(house).write_text(text)
        house.beat()
        house.beat()
    told = [record.getMessage() for record in caplog.records if "key" in record.getMessage()]
    assert len(told) == 2
    assert "is not the one that signed" in told[0]
    assert told[1] == "the key file is in order again"
    assert right.strip() not in str(told)
    house.reply(house.last_to(ALICE), "C3")
    assert "after 1 move" in moves(house)


def test_a_forged_from_brings_the_board_to_its_owner_only_and_within_an_hours_bound(
    house: HouseUnderTest,
) -> None:
    board = house.last_to(ALICE)
    to = ADDRESS.replace("@", "+abcdefghijklmnopqrstuvwxyz234567abcdefghij@")
    subject = "Re: [Gonnect 101] alice - bob"
    mails = [mail for n in range(40) for mail in house.mail(ALICE, subject, f"C3\n\n{n}", to)]
    assert {mail["To"] for mail in mails} == {ALICE}
    assert 1 <= len(mails) <= 20
    # What was forged is not counted for the player, who goes on as ever.
    assert "Board - " in str(house.reply(board, "show")[0]["From"])
    assert len(house.reply(board, "C3")) == 2


def test_a_reply_without_a_from_proves_nothing_and_nobody_is_told(house: HouseUnderTest) -> None:
    to = str(house.last_to(ALICE)["Reply-To"]).strip("<>")
    assert house.take(f"To: {to}\r\nSubject: C3\r\n\r\n".encode(), "", to) == []


# ---- reports on mails that came back


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


# ---- what is passed on


SECRETS = r"""
move 104 alice alice-pw b2             -> move 104 alice ***
I said:\nALICE\talice-pw\nBye       -> I said:\nALICE ***\nBye
change alice alice-pw new-pw           -> change alice ***
alice-pw alice                         -> alice-pw alice
I am alice                             -> I am alice
alice is my name                       -> alice is my name
Good luck, bob bob-pw!                 -> Good luck, bob bob-pw!
Password: correct-horse-9 ok           -> Password: *** ok
My password is correct-horse!          -> My password is ***
password=abcd, mot de passe 4abc       -> password=*** mot de passe ***
Passwort:\nalice-pw\nKennwort ist alice-pw -> Passwort:\n***\nKennwort ist ***
I forgot my password again.            -> I forgot my password again.
pw: correct-horse-9, pass:correct-horse -> pw: *** pass:***
senha correct-horse-9                  -> senha ***
\u043f\u0430\u0440\u043e\u043b\u044c: correct-horse -> \u043f\u0430\u0440\u043e\u043b\u044c: ***
My pw is correct-horse!                -> My pw is ***
I pass. Pass: never                    -> I pass. Pass: ***
I pass E5 on                           -> I pass E5 on
# A word on the next line is masked only where the line above ends as if it came.
I forgot my passwd\nTomorrow4 I know    -> I forgot my passwd\nTomorrow4 I know
My password is\ncorrect-horse           -> My password is\n***
# The name that a player signs with is passed on if their mails give it.
Well played!\nAlice M\xfcller | Alice M\xfcller     -> Well played!\nAlice M\xfcller
Well played!\nAlice M\xfcller | Al                   -> Well played!\nAlice ***
move 104 Alice alice-pw b2 | Alice M\xfcller          -> move 104 Alice ***
"""


def test_what_follows_the_userid_is_not_passed_on_whatever_the_password_is() -> None:
    for word in ("alice-pw", "alice-px", "another-word"):
        table = SECRETS.replace("alice-pw", word)
        assert answers(table, lambda *columns: without_secrets(PLAYER, *columns)) == table
