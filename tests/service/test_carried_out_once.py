"""Everyday lines are carried out once: a batch has what they read, and says before if they lock."""

from pathlib import Path

from pbm.dispatch.carry_out import receive
from tests.costs import calls_of
from tests.house import HouseUnderTest
from tests.readings import answers
from tests.sent_mails import text_of

LINES = Path(__file__).with_name("everyday_lines.txt").read_text()


def test_everyday_lines_are_carried_out_once(tmp_path: Path) -> None:
    house = HouseUnderTest(tmp_path)
    house.house.robots.make()
    house.add("alice", "bob", "carol")
    house.begin_match()
    house.create_match("bob", "carol")
    house.play()

    def times(said: str) -> str:
        who, _, text = said.rpartition(": ")
        address = f"{who or 'alice'}@example.org"
        text = text.replace(" / ", "\n")
        asked = [m for m in house.sent if m["To"] == address and "[Gonnect" in m["Subject"]]
        return str(
            calls_of(
                receive,
                lambda: house.reply(asked[-1], text) if asked else house.mail(address, text),
            )
        )

    assert answers(LINES, times) == LINES
    assert "declined (0 moves)" in text_of(house.last_to("carol@example.org"))
    house.house.close()
