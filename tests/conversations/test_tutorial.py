"""The mailed tutorial, played: its lines are typed as they stand in the mail."""

from pathlib import Path

from tests.house import HouseUnderTest, text_of

ALICE, BOB = "alice@example.org", "bob@example.org"


def test_the_lines_of_the_mailed_tutorial_lead_through_a_match(tmp_path: Path) -> None:
    house = HouseUnderTest(tmp_path)
    house.add("bob")
    (page,) = house.mail(BOB, "help tutorial")
    indented = [line for line in text_of(page).splitlines() if line.startswith(" " * 5)]
    challenge, yes, move, whole_move = (line.strip() for line in indented)

    house.mail(ALICE, challenge.replace("friend@example.com", BOB))
    house.reply(house.last_to(ALICE), yes)
    house.reply(house.last_to(BOB), yes)
    assert "It's your move" in text_of(house.last_to(ALICE))

    house.reply(house.last_to(ALICE), f"{move}\nA comment.")
    assert f"alice played {move}." in text_of(house.last_to(BOB))
    house.reply(house.last_to(BOB), "swap")
    assert "bob used the pie rule" in text_of(house.last_to(ALICE))
    house.reply(house.last_to(ALICE), "B2")
    house.reply(house.last_to(BOB), "undo")
    house.reply(house.last_to(ALICE), "show")
    assert "Board 101 after 3 moves." in text_of(house.last_to(ALICE))

    # The page names board 104 and a point that is taken by now, so the test fills in its own.
    elsewhere = whole_move.replace("104", "101").replace(move, "C3")
    house.reply(house.last_to(ALICE), "reject")
    house.reply(house.last_to(BOB), "B3")
    house.reply(house.last_to(ALICE), elsewhere)
    assert "alice played C3." in text_of(house.last_to(BOB))
    house.reply(house.last_to(ALICE), "resign")
    assert "alice resigned. You won." in text_of(house.last_to(BOB))
