"""Hints and analyses, where it takes few tries, a bound of a day or a race to see it.

The rest is in tests/conversations/learning.txt.
"""

from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from pbm.domain.robots import ThoughtKind
from pbm.features.learning import ANALYSES_A_DAY, HINTS_A_DAY, LONG_QUEUE, LONG_WAIT
from pbm.robots.analysis import AnalysisTask
from tests.house import HouseUnderTest, text_of
from tests.links import links_of
from tests.thinking.conftest import begin_match, carry_out, match_of, run, taken, waiting

ALICE, BOB, CAROL = (f"{name}@example.org" for name in ("alice", "bob", "carol"))

TRIES = 500
"""Playouts of an analysis here, so that it takes no time."""


@pytest.fixture(scope="module")
def with_carol(begun: HouseUnderTest, tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    house = begun.twin(tmp_path_factory.mktemp("carol"))
    house.add("carol")
    return house


@pytest.fixture
def house(with_carol: HouseUnderTest, tmp_path: Path) -> HouseUnderTest:
    """Return a house where alice is to move against robot-1 on board 101."""
    house = with_carol.twin(tmp_path)
    begin(house, "alice", "robot-1")
    return house


@pytest.fixture(scope="module")
def ended(with_carol: HouseUnderTest, tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house where a match on board 101 is over, with a swap and a blunder."""
    house = with_carol.twin(tmp_path_factory.mktemp("ended"))
    begin(house, "alice", "bob")
    moves = ["C3", "swap", "B2", "D4", "B3", "D3", "B4", "D2", "A1", "D5", "E5", "D1"]
    for who, move in zip([ALICE, BOB] * 6, moves, strict=True):
        house.reply(house.last_to(who), move)
    return house


@pytest.fixture
def over(ended: HouseUnderTest, tmp_path: Path) -> HouseUnderTest:
    return ended.twin(tmp_path)


def begin(house: HouseUnderTest, *userids: str) -> None:
    """Begin a small match and show it to its first player."""
    number = begin_match(house.house, "gonnect", *userids, size="5")
    house.mail(ALICE, f"show {number}")
    house.mail(BOB, f"show {number}")


def think(house: HouseUnderTest) -> list[EmailMessage]:
    """Think about what is asked, quickly, and return the mails that result."""
    queue = house.house.robots.queue()
    while (found := queue.take("test:1:think")) is not None:
        claimed, task = found
        quick = replace(task, total=TRIES) if isinstance(task, AnalysisTask) else task
        queue.carry_out(claimed, run(house.house, quick), 0.1)
    return house.deliver()


def told(mails: list[EmailMessage]) -> str:
    """Return the one mail as a line of words."""
    (mail,) = mails
    return " ".join(f"{mail['To']} {mail['From']} {text_of(mail)}".split())


def test_a_hint_names_a_move_and_why_and_can_be_played_by_a_tap(house: HouseUnderTest) -> None:
    assert house.reply(house.last_to(ALICE), "hint") == []
    (mail,) = think(house)
    words = told([mail])
    assert f"{ALICE} A hint - Gonnect 101" in words
    assert "so neither side is much better." in words
    assert "Nothing has been played. It's your move (move 1). You play Eks (x)." in words
    move = words.partition("would play ")[2].split(":")[0]
    assert f"Reply with a move, for example {move}" in words
    assert move in {link.text for link in links_of(mail)}
    assert house.reply(mail, move) == []
    assert "You played" in told(think(house))


def test_who_has_moved_since_gets_no_hint_even_when_it_is_their_turn_again(
    house: HouseUnderTest,
) -> None:
    begun = house.last_to(ALICE)
    house.reply(begun, "hint")
    thought = taken(house)
    house.clock.now += timedelta(seconds=5)
    house.reply(begun, "C3")
    assert not carry_out(house, thought)
    (mail,) = think(house)
    assert "robot-1 played" in text_of(mail) or "robot-1 used the pie rule" in text_of(mail)
    assert len(match_of(house.house, 101).plies) == 2
    assert not waiting(house.house)


def test_an_analysis_shows_the_mistakes_and_the_curve_and_a_picture_where_it_is_wanted(
    over: HouseUnderTest,
) -> None:
    assert over.reply(over.last_to(BOB), "How did I play?") == []
    (mail,) = think(over)
    words = told([mail])
    assert f"{BOB} The analysis - Gonnect 101" in words
    assert "bob won: a chain joins two opposite sides." in words
    assert "Move 11: alice played E5, which loses by force. D1 won" in words
    assert "bob's winning chances after each move" in words
    lines = text_of(mail).splitlines()
    # bob has the first seat since the swap, whose stones made the first move.
    assert any(line.split()[:3] == ["1", "x", "C3"] for line in lines)
    assert any(line.split()[:3] == ["2", "o", "swap"] for line in lines)
    assert any(line.startswith(" 11 o E5") and line.endswith(" 1") for line in lines), "flagged"
    assert "12 x D1              |########## 100" in lines[-4]
    assert "show 101#10" in {link.text for link in links_of(mail)}
    (picture,) = (part for part in mail.walk() if part.get_content_type() == "image/png")
    assert Image.open(BytesIO(picture.get_content())).width == 720
    page = page_of(mail)
    assert "bob&#x27;s winning chances (%):" in page
    assert "####" not in page
    over.mail(BOB, "set bob bob-pw picture no")
    over.mail(BOB, "analyse 101 bob bob-pw")
    (mail,) = think(over)
    assert "####" in page_of(mail)
    assert not [part for part in mail.walk() if part.get_content_maintype() == "image"]


def page_of(mail: EmailMessage) -> str:
    page = mail.get_body(("html",))
    assert page is not None
    return str(page.get_content())


def test_somebody_who_only_looks_on_gets_the_curve_of_the_first_side(over: HouseUnderTest) -> None:
    assert over.mail(CAROL, "analyse 101 carol carol-pw") == []
    words = told(think(over))
    assert "bob's winning chances after each move" in words
    assert "alice played E5" in words


def test_a_match_that_the_operator_reopens_is_not_analysed(over: HouseUnderTest) -> None:
    over.reply(over.last_to(BOB), "analyse")
    with over.administration() as operator:
        operator.undo(101)
    over.deliver()
    assert think(over) == []


def test_hints_and_analyses_have_bounds_for_a_day(house: HouseUnderTest) -> None:
    day = house.clock().replace(hour=0, minute=0)
    begin(house, "alice", "bob")
    house.mail(ALICE, "move 102 alice alice-pw C3")
    house.mail(ALICE, "resign 102 alice alice-pw")
    with house.house.open_unit() as work:
        alice = work.players.by_userid("alice")
        assert alice
        work.add_to_tally(f"hint:{alice.id}", day, HINTS_A_DAY)
        work.add_to_tally(f"analysis:{alice.id}", day, ANALYSES_A_DAY)
        work.commit()
    hint, analysis = "hint 101 alice alice-pw", "analyse 102 alice alice-pw"
    assert "100 hints a day are the limit" in told(house.mail(ALICE, hint))
    assert "20 analyses a day are the limit" in told(house.mail(ALICE, analysis))
    house.clock.now += timedelta(days=1)
    assert house.mail(ALICE, hint) == []


def test_who_must_wait_long_is_told_so(house: HouseUnderTest) -> None:
    with house.house.open_unit() as work:
        carol = work.players.by_userid("carol")
        assert carol
        work.thoughts.add(ThoughtKind.HINT, 101, carol.id, house.clock())
        work.commit()
    assert house.reply(house.last_to(ALICE), "hint") == []
    house.clock.now += LONG_WAIT
    words = told(house.reply(house.last_to(ALICE), "hint"))
    assert "Your request about board 101 is in the queue." in words
    assert LONG_QUEUE > 2
