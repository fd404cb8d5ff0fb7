"""A newcomer who only taps: from the answer to their first mail to the end of a match with a robot.

All of it goes through `pbm serve` and its robots, by SMTP, as on a phone.
"""

import pytest

from tests.e2e.conftest import Table
from tests.e2e.people import Person, hand_in, letter
from tests.links import Link, links_of
from tests.sink import Arrived

pytestmark = pytest.mark.slow

MOST_TAPS = 400

NO_TURN = {
    *("draw", "undo", "I resign", "show", "rematch", "record", "hint", "analyse", "games"),
    *("robot", "chat"),
}
"""Links of a board mail that are no turn."""


def tap(person: Person, link: Link) -> None:
    """Send the mail that a phone makes of a link."""
    text = f"{link.text}\n\nSent from my phone"
    hand_in(
        person.server,
        person.address,
        letter(person.address, link.subject, text, to=link.to),
        link.to,
    )


def link_called(mail: Arrived, text: str) -> Link:
    return next(link for link in links_of(mail.message) if link.text == text)


def turns_in(mail: Arrived) -> list[Link]:
    links = links_of(mail.message)
    turns = [x for x in links if x.text not in NO_TURN and not x.text.startswith("help")]
    return [link for link in turns if link.on_board] or turns


def test_a_newcomer_finishes_a_match_with_a_robot_by_nothing_but_taps(table: Table) -> None:
    dora = Person("dora", table.server, table.sink)
    dora.write("signup dora three-green-cups")
    tap(dora, link_called(dora.next("yes"), "yes"))
    tap(dora, link_called(dora.next("robot"), "robot"))
    mail = dora.next("Your move")
    tap(dora, link_called(mail, "hint"))
    mail = dora.next("I would play")
    hinted = turns_in(mail)[0]
    tap(dora, hinted)
    for _ in range(MOST_TAPS):
        mail = dora.next()
        if mail.headline.startswith(("You won", "You lost", "The match is a draw")):
            break
        if "our move" in mail.text:
            tap(dora, turns_in(mail)[0])  # along the upper edge, which soon makes a chain
    else:
        raise AssertionError("the match does not come to an end")
    assert "analyse" in {link.text for link in links_of(mail.message)}
    assert table.server.pbm("verify").endswith(" 0 with faults\n")
