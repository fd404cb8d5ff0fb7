"""Keys and tokens as two processes see them, a mail in between, and an enemy.

tests/conversations/keys.txt has what one player sees of keys that are renewed or lost.
"""

from pathlib import Path

import pytest

from pbm.token_keys import BEFORE_SIGNING, rotate
from tests.house import ADDRESS, HouseUnderTest, text_of

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
    assert "As asked" in str(house.reply(board, "show")[0]["From"])
    assert len(house.reply(board, "C3")) == 2
