"""Keys that are renewed or lost, and replies to mails whose token cannot be read any more."""

from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbm.domain.mail import ReceivedMail
from pbm.service.heartbeat import SERVING
from pbm.token_keys import BEFORE_SIGNING, KEPT, replace_all, rotate
from tests.house import ADDRESS, HouseUnderTest, text_of

ALICE, BOB, EVE = "alice@example.org", "bob@example.org", "eve@example.org"
TOO_OLD = "The link in the mail that you answered is too old. Nothing was done"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house where alice and bob have begun board 101, and alice is to move."""
    house = HouseUnderTest(tmp_path_factory.mktemp("keys"))
    house.add("alice", "bob", text_alone=True)
    house.begin_match()
    house.house.beat((), SERVING)
    return house


@pytest.fixture
def house(begun: HouseUnderTest, tmp_path: Path) -> Iterator[HouseUnderTest]:
    twin = begun.twin(tmp_path)
    beat(twin)
    yield twin
    twin.house.close()


def key_file(house: HouseUnderTest) -> Path:
    return house.folder / "key"


def beat(house: HouseUnderTest) -> None:
    """Do what a running server does once a minute."""
    house.house.beat((), SERVING)


def lose_keys(house: HouseUnderTest) -> None:
    """Put a new key in the place of the old one, as `pbm key new` does."""
    fresh, _ = replace_all(key_file(house))
    with house.house.open_unit() as work:
        work.token_keys.add(fresh.fingerprint, house.clock())
        work.commit()
    beat(house)


def prose(mails: list[EmailMessage]) -> str:
    return " ".join(" ".join(map(text_of, mails)).split())


def moved(house: HouseUnderTest) -> int:
    with house.house.open_reading() as work:
        found = work.matches.get(101)
        assert found is not None
        return len(found[0].plies)


def token_of(mail: EmailMessage) -> str:
    return str(mail["Reply-To"]).partition("+")[2].partition("@")[0]


# ---- rotation


def test_after_a_rotation_replies_to_earlier_mails_count_and_later_ones_have_the_new_key(
    house: HouseUnderTest,
) -> None:
    mint = house.house.keychain.mint
    first = house.last_to(ALICE)
    rotate(key_file(house), house.clock())
    house.clock.now += BEFORE_SIGNING
    beat(house)
    assert mint is house.house.services.mint
    house.reply(first, "C3")
    assert moved(house) == 1
    house.reply(house.last_to(BOB), "swap")
    assert moved(house) == 2


def test_a_process_that_looks_later_reads_what_one_that_looked_earlier_has_signed(
    house: HouseUnderTest,
) -> None:
    late = HouseUnderTest(house.folder, clock=house.clock)
    beat(late)
    rotate(key_file(house), house.clock())
    beat(late)
    house.clock.now += BEFORE_SIGNING
    beat(house)
    house.reply(house.last_to(ALICE), "C3")
    late.reply(house.last_to(BOB), "swap")
    assert moved(house) == 2
    late.house.close()


def test_a_mail_that_was_stored_before_the_new_key_goes_out_with_its_token(
    house: HouseUnderTest,
) -> None:
    to = str(house.last_to(ALICE)["Reply-To"]).strip("<>")
    letter = f"From: {ALICE}\r\nTo: {to}\r\nSubject: Re: x\r\n\r\nC3\r\n"
    house.house.inbox.put([ReceivedMail(ALICE, (to,), letter.encode(), house.clock())])
    assert house.house.play_stage.play_waiting()
    rotate(key_file(house), house.clock())
    house.clock.now += BEFORE_SIGNING
    beat(house)
    assert {str(mail["To"]) for mail in house.deliver()} == {ALICE, BOB}
    house.reply(house.last_to(BOB), "swap")
    assert moved(house) == 2


def test_after_90_days_the_old_key_counts_no_more_in_a_server_that_runs_on(
    house: HouseUnderTest,
) -> None:
    first = house.last_to(ALICE)
    rotate(key_file(house), house.clock())
    house.clock.now += BEFORE_SIGNING + KEPT - timedelta(minutes=1)
    beat(house)
    assert TOO_OLD not in prose(house.reply(first, "show"))
    house.clock.now += timedelta(minutes=1)
    beat(house)
    assert TOO_OLD in prose(house.reply(first, "C3"))
    assert moved(house) == 0


def test_a_key_file_that_is_exchanged_under_a_running_server_is_told_once_and_not_used(
    house: HouseUnderTest, caplog: pytest.LogCaptureFixture
) -> None:
    right = key_file(house).read_text()
    key_file(house).write_text("ab" * 32 + "\n")
    beat(house)
    beat(house)
    key_file(house).unlink()
    key_file(house).write_text(right)
    beat(house)
    told = [record.getMessage() for record in caplog.records if "key" in record.getMessage()]
    assert len(told) == 2
    assert "is not the one that signed" in told[0]
    assert told[1] == "the key file is in order again"
    assert right.strip() not in str(told)
    house.reply(house.last_to(ALICE), "C3")
    assert moved(house) == 1


# ---- tokens that cannot be read


@pytest.mark.parametrize("text", ["C3", "resign", "chat\n\nSecret words", "log out", "Well, well."])
def test_a_reply_to_a_mail_whose_key_is_lost_does_nothing_and_gets_the_board_of_now(
    house: HouseUnderTest, text: str
) -> None:
    before = house.last_to(ALICE)
    lose_keys(house)
    (answer,) = house.reply(before, text)
    assert answer["To"] == ALICE
    assert TOO_OLD in prose([answer])
    assert "A B C D E" in prose([answer])
    assert "Secret words" not in prose([answer])
    assert moved(house) == 0
    assert token_of(answer) != token_of(before)
    house.reply(answer, "C3")
    assert moved(house) == 1


def test_a_password_in_it_counts_as_in_any_mail(house: HouseUnderTest) -> None:
    before = house.last_to(ALICE)
    lose_keys(house)
    house.reply(before, "move 101 alice alice-pw C3")
    assert moved(house) == 1


def test_without_a_board_in_the_subject_the_sentence_comes_alone(house: HouseUnderTest) -> None:
    before = house.last_to(ALICE)
    lose_keys(house)
    (answer,) = house.mail(ALICE, "Re: hello", "C3", str(before["Reply-To"]))
    assert answer["To"] == ALICE
    assert TOO_OLD in prose([answer])
    assert "A B C D E" not in prose([answer])
    assert moved(house) == 0


def test_of_two_accounts_of_an_address_the_one_at_the_board_is_meant(
    house: HouseUnderTest,
) -> None:
    house.add("carol")
    with house.house.open_unit() as work:
        carol = work.players.by_userid("carol")
        assert carol is not None
        work.players.set_addresses(carol.id, (ALICE,))
        work.commit()
    before = house.last_to(ALICE)
    lose_keys(house)
    (answer,) = house.reply(before, "C3")
    assert TOO_OLD in prose([answer])
    assert "alice" in prose([answer])


# ---- the enemy


def test_a_forged_from_brings_the_board_to_its_owner_only_and_within_an_hours_bound(
    house: HouseUnderTest,
) -> None:
    board = house.last_to(ALICE)
    word = "abcdefghijklmnopqrstuvwxyz234567abcdefghij"
    to = ADDRESS.replace("@", f"+{word}@")
    mails = [
        mail
        for n in range(40)
        for mail in house.mail(ALICE, "Re: [Gonnect 101] alice - bob", f"C3\n\n{n}", to)
    ]
    assert {mail["To"] for mail in mails} == {ALICE}
    assert 1 <= len(mails) <= 20
    # What was forged is not counted for the player, who goes on as ever.
    assert "As asked" in str(house.reply(board, "show")[0]["From"])
    house.reply(board, "C3")
    assert moved(house) == 1


def test_a_stranger_learns_nothing_by_a_word_like_a_token(house: HouseUnderTest) -> None:
    to = ADDRESS.replace("@", "+abcdefghijklmnopqrstuvwxyz234567abcdefghij@")
    mails = house.mail(EVE, "Re: [Gonnect 101] alice - bob", "C3", to)
    assert TOO_OLD not in prose(mails)
    assert "A B C D E" not in prose(mails)


def test_somebody_elses_board_is_not_shown(house: HouseUnderTest) -> None:
    house.add("dora")
    to = ADDRESS.replace("@", "+abcdefghijklmnopqrstuvwxyz234567abcdefghij@")
    (answer,) = house.mail("dora@example.org", "Re: [Gonnect 101] alice - bob", "C3", to)
    assert TOO_OLD in prose([answer])
    assert "A B C D E" not in prose([answer])
