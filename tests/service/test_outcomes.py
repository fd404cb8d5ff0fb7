"""What became of a mail, as the log and `pbm trace` say it: the deed, or the rule."""

from pathlib import Path

import pytest

from pbm.operator.administration import Administration
from pbm.service.ports import BanRow
from tests.house import HouseUnderTest

ALICE, STRANGER = "alice@example.org", "stranger@example.com"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house where alice and bob are at board 101."""
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add("alice", "bob", text_alone=True)
    with house.house.open_unit() as work:
        admin = Administration(house.house.services, work, house.clock())
        admin.create_match(
            house.house.catalogue.get("gonnect"), ["alice", "bob"], {"size": "5"}, {}
        )
        work.bans.add(BanRow("banned.example", house.clock(), ""))
        work.commit()
    house.deliver()
    return house


@pytest.fixture
def house(begun: HouseUnderTest, tmp_path: Path) -> HouseUnderTest:
    return begun.twin(tmp_path)


def outcome(house: HouseUnderTest) -> str:
    """Return what became of the newest mail."""
    with house.house.open_reading() as work:
        mail = work.lives.incoming(house.letters)
    assert mail is not None
    return mail.outcome


@pytest.mark.parametrize(
    ("author", "subject", "text", "headers", "told"),
    [
        (ALICE, "x", "move 101 alice alice-pw b2", "", "played: move on board 101"),
        (
            ALICE, "x", "move 101 alice alice-pw b2\nmove 101 alice alice-pw b3", "",
            "played: move on board 101, but refused not-now",
        ),
        (ALICE, "help", "", "", "played: help"),
        (ALICE, "x", "move 101 alice wrong-pw b2", "", "refused: wrong-password"),
        (ALICE, "x", "move 101 alice alice-pw zz", "", "refused: move-syntax-error"),
        (ALICE, "x", "move 101 b2", "", "refused: nameless"),
        (STRANGER, "hello", "", "", "refused: not-understood"),
        ("who@banned.example", "help", "", "", "silenced: banned"),
        (ALICE, "help", "", "Auto-Submitted: auto-replied\n", "silenced: auto-submitted"),
        (STRANGER, "no", "no", "", "silenced: said-no"),
    ],
)  # fmt: skip
def test_a_mail_is_remembered_by_what_it_did_or_by_the_rule(
    house: HouseUnderTest, author: str, subject: str, text: str, headers: str, told: str
) -> None:
    house.mail(author, subject, text, headers=headers)
    assert outcome(house) == told


def test_a_stranger_who_writes_again_is_silenced_by_the_rule_that_says_once_a_day(
    house: HouseUnderTest,
) -> None:
    house.mail(STRANGER, "hello")
    assert house.mail(STRANGER, "hello again") == []
    assert outcome(house) == "silenced: introduced-before"


def test_a_mail_of_many_lines_is_told_in_few_words(house: HouseUnderTest) -> None:
    lines = [f"chat 101 alice alice-pw\nshow 101#{n}" for n in range(1, 12)]
    house.mail(ALICE, "x", "\n".join(lines))
    assert len(outcome(house)) < 200
