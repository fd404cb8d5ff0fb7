"""What a hint and an analysis say, and that nobody gets one who may not."""

from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from pbm.dispatch.thoughts import Claimed
from pbm.domain.robots import ThoughtKind
from pbm.features.learning import ANALYSES_A_DAY, HINTS_A_DAY, LONG_QUEUE, LONG_WAIT
from pbm.operator.administration import Administration
from pbm.robots.analysis import AnalysisTask
from pbm.robots.tasks import Task
from tests.house import HouseUnderTest, text_of
from tests.links import links_of
from tests.thinking.helpers import begin_match, match_of, run, waiting

ALICE, BOB, CAROL = (f"{name}@example.org" for name in ("alice", "bob", "carol"))

OVER = 101

TRIES = 500
"""Playouts of an analysis here, so that it takes no time."""


@pytest.fixture(scope="module")
def with_carol(begun: HouseUnderTest, tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    house = begun.twin(tmp_path_factory.mktemp("carol"))
    house.add("carol")
    return house


@pytest.fixture
def house(with_carol: HouseUnderTest, tmp_path: Path) -> HouseUnderTest:
    return with_carol.twin(tmp_path)


@pytest.fixture(scope="module")
def ended(with_carol: HouseUnderTest, tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    house = with_carol.twin(tmp_path_factory.mktemp("ended"))
    assert played(house) == OVER
    return house


@pytest.fixture
def over(ended: HouseUnderTest, tmp_path: Path) -> HouseUnderTest:
    """Return a house where alice and bob have played on board OVER to the end."""
    return ended.twin(tmp_path)


def think(house: HouseUnderTest) -> list[EmailMessage]:
    """Think about what is asked, quickly, and return the mails that result."""
    queue = house.house.robots.queue()
    while (taken := queue.take("test:1:think")) is not None:
        claimed, task = taken
        queue.carry_out(claimed, run(house.house, quick(task)), 0.1)
    return house.deliver()


def taken(house: HouseUnderTest) -> tuple[Claimed, Task]:
    """Return a thought that somebody thinks about now."""
    found = house.house.robots.queue().take("test:1:think")
    assert found
    return found


def quick(task: Task) -> Task:
    return replace(task, total=TRIES) if isinstance(task, AnalysisTask) else task


def told(mails: list[EmailMessage]) -> str:
    """Return the one mail as a line of words."""
    (mail,) = mails
    return " ".join(f"{mail['To']} {mail['From']} {text_of(mail)}".split())


def begin(house: HouseUnderTest, *userids: str, rated: bool = True) -> int:
    """Begin a small match and show it to its first player."""
    number = begin_match(house.house, "gonnect", *userids, rated=rated, size="5")
    for userid in userids:
        if not userid.startswith("robot"):
            house.mail(f"{userid}@example.org", f"show {number}")
    return number


def against_the_robot(house: HouseUnderTest) -> int:
    return begin(house, "alice", "robot-1", rated=False)


def played(house: HouseUnderTest) -> int:
    """Begin a match of two people and play it to its end, with a swap and a blunder."""
    number = begin(house, "alice", "bob")
    moves = ["C3", "swap", "B2", "D4", "B3", "D3", "B4", "D2", "A1", "D5", "E5", "D1"]
    for who, move in zip([ALICE, BOB] * 6, moves, strict=True):
        house.reply(house.last_to(who), move)
    return number


def test_a_hint_names_a_move_and_why_and_can_be_played_by_a_tap(house: HouseUnderTest) -> None:
    against_the_robot(house)
    begun = house.last_to(ALICE)
    assert "You may also reply hint, draw" in " ".join(text_of(begun).split())
    assert house.reply(begun, "hint") == []
    (mail,) = think(house)
    words = told([mail])
    assert f"{ALICE} A hint - Gonnect 101" in words
    assert "so neither side is much better." in words
    assert "Nothing has been played. It's your move (move 1). You play Eks (x)." in words
    move = words.partition("I would play ")[2].split(":")[0]
    assert f"Reply with a move, for example {move}" in words
    assert move in {link.text for link in links_of(mail)}
    assert "You played" in told(house.reply(mail, move))


def test_who_has_moved_since_gets_no_hint_even_when_it_is_their_turn_again(
    house: HouseUnderTest,
) -> None:
    number = against_the_robot(house)
    begun = house.last_to(ALICE)
    house.reply(begun, "hint")
    claimed, task = taken(house)
    house.clock.now += timedelta(seconds=5)
    house.reply(begun, "C3")
    assert not house.house.robots.queue().carry_out(claimed, run(house.house, task), 0.1)
    (mail,) = think(house)
    assert "robot-1 played" in text_of(mail) or "robot-1 used the pie rule" in text_of(mail)
    assert len(match_of(house.house, number).plies) == 2
    assert not waiting(house.house)


def test_who_is_not_to_move_gets_no_hint(house: HouseUnderTest) -> None:
    against_the_robot(house)
    house.reply(house.last_to(ALICE), "C3")
    assert "It is not your turn on board 101." in told(house.reply(house.last_to(ALICE), "hint"))


def test_a_rated_match_is_played_alone_even_against_a_robot(house: HouseUnderTest) -> None:
    begin(house, "alice", "robot-1")
    begun = house.last_to(ALICE)
    assert "hint" not in text_of(begun)
    assert "Board 101 is rated, so you play it alone." in told(house.reply(begun, "hint"))
    assert think(house) == []


def test_a_third_person_gets_no_hint_for_somebody_elses_match(house: HouseUnderTest) -> None:
    against_the_robot(house)
    assert "You do not play on board 101." in told(house.mail(CAROL, "hint 101 carol carol-pw"))


def test_an_analysis_shows_the_mistakes_and_the_curve(over: HouseUnderTest) -> None:
    assert over.reply(over.last_to(BOB), "How did I play?") == []
    (mail,) = think(over)
    words = told([mail])
    assert f"{BOB} The analysis - Gonnect 101" in words
    assert "bob won: a chain joins two opposite sides." in words
    assert "Move 11: alice played E5, which loses for certain. D1 would have won" in words
    assert "What the match was worth to bob after each move, in per cent:" in words
    lines = text_of(mail).splitlines()
    # bob has the first seat since the swap, whose stones made the first move.
    assert any(line.split()[:3] == ["1", "x", "C3"] for line in lines)
    assert any(line.split()[:3] == ["2", "o", "swap"] for line in lines)
    assert any(line.startswith(" 11 o E5") and line.endswith(" 1") for line in lines), "flagged"
    assert "12 x D1              |########## 100" in lines[-5]
    assert "show 101#10" in {link.text for link in links_of(mail)}


def test_the_curve_is_a_picture_where_pictures_are_wanted(over: HouseUnderTest) -> None:
    over.reply(over.last_to(BOB), "analyse")
    (mail,) = think(over)
    (picture,) = (part for part in mail.walk() if part.get_content_type() == "image/png")
    assert Image.open(BytesIO(picture.get_content())).width == 720
    page = mail.get_body(("html",))
    assert page is not None
    assert "Curve of what the match was worth to bob" in page.get_content()
    assert "####" not in page.get_content()
    over.mail(BOB, "set bob bob-pw picture no")
    over.mail(BOB, "analyse 101 bob bob-pw")
    (mail,) = think(over)
    page = mail.get_body(("html",))
    assert page is not None
    assert "####" in page.get_content()
    assert not [part for part in mail.walk() if part.get_content_maintype() == "image"]


def test_somebody_who_only_looks_on_gets_the_curve_of_the_first_side(over: HouseUnderTest) -> None:
    assert over.mail(CAROL, "analyse 101 carol carol-pw") == []
    words = told(think(over))
    assert "What the match was worth to bob after each move" in words
    assert "alice played E5" in words


def test_a_match_that_the_operator_reopens_is_not_analysed(over: HouseUnderTest) -> None:
    over.reply(over.last_to(BOB), "analyse")
    with over.house.open_unit() as work:
        Administration(over.house.services, work, over.clock()).undo(OVER)
        work.commit()
    over.deliver()
    assert think(over) == []


def test_a_match_that_was_resigned_is_looked_at_up_to_there(house: HouseUnderTest) -> None:
    begin(house, "alice", "bob")
    for who, move in zip([ALICE, BOB, ALICE], ["C3", "B2", "resign"], strict=True):
        house.reply(house.last_to(who), move)
    house.reply(house.last_to(ALICE), "analyze")
    words = told(think(house))
    assert "bob won: resigned" in words
    assert "2 o B2" in words


def test_hints_and_analyses_have_bounds_for_a_day(house: HouseUnderTest) -> None:
    against_the_robot(house)
    played(house)
    day = house.clock().replace(hour=0, minute=0)
    with house.house.open_unit() as work:
        alice = work.players.by_userid("alice")
        assert alice
        work.add_to_tally(f"hint:{alice.id}", day, HINTS_A_DAY)
        work.add_to_tally(f"analysis:{alice.id}", day, ANALYSES_A_DAY)
        work.commit()
    assert "100 hints a day are the limit" in told(house.mail(ALICE, "hint 101 alice alice-pw"))
    assert "20 analyses a day are the limit" in told(
        house.mail(ALICE, "analyse 102 alice alice-pw")
    )
    house.clock.now += timedelta(days=1)
    assert house.mail(ALICE, "hint 101 alice alice-pw") == []


def test_who_must_wait_long_is_told_so(house: HouseUnderTest) -> None:
    against_the_robot(house)
    with house.house.open_unit() as work:
        carol = work.players.by_userid("carol")
        assert carol
        work.thoughts.add(ThoughtKind.HINT, 101, carol.id, house.clock())
        work.commit()
    assert house.reply(house.last_to(ALICE), "hint") == []
    house.clock.now += LONG_WAIT
    words = told(house.reply(house.last_to(ALICE), "hint"))
    assert "I shall think about board 101." in words
    assert LONG_QUEUE > 2
