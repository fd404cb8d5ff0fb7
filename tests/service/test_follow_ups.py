"""What one mail leads to for many people comes in parts, and reaches each of them once."""

from collections import Counter

import pytest

from pbm.domain.mail import ReceivedMail
from pbm.domain.player import PlayerState
from pbm.features.leaving import BATCH as BOARDS_IN_A_PART
from pbm.operator.administration import Administration
from pbm.operator.personal import erase
from pbm.service.audit import Signature
from pbm.service.schedule import READERS
from tests.house import ADDRESS, START, HouseUnderTest, text_of

FANS = 2 * READERS + 5
ALICE, BOB = "alice@example.org", "bob@example.org"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add("alice", "bob", *(f"fan{n}" for n in range(FANS)))
    _start(house, "alice", "bob")
    house.play()
    return house


def _start(house: HouseUnderTest, *players: str) -> int:
    with house.house.open_unit() as work:
        game = house.house.catalogue.get("gonnect")
        admin = Administration(house.house.services, work, house.clock())
        number = admin.create_match(game, list(players), {"size": "5"}, {})
        work.commit()
    return number


def _follow(house: HouseUnderTest, count: int) -> None:
    with house.house.open_unit() as work:
        for n in range(count):
            fan = work.players.by_userid(f"fan{n}")
            assert fan
            work.followers.follow(fan.id, 101)
            work.players.set_setting(fan.id, "broadcast", "yes")
        work.commit()


def _take(house: HouseUnderTest, text: str, to: str = ADDRESS, author: str = ALICE) -> None:
    """Put a mail into the inbox and play it, without what it leads to later."""
    raw = f"From: {author}\r\nTo: {to}\r\nSubject: hello\r\n\r\n{text}".encode()
    house.house.inbox.put([ReceivedMail(author, (to,), raw, START)])
    assert house.house.play_stage.play_waiting() == 1


def _parts(house: HouseUnderTest) -> list[Counter[str]]:
    """Return whom each part has told, and how often."""
    told = []
    while house.house.play_stage.go_on():
        told.append(Counter(str(mail["To"]) for mail in house.deliver()))
    return told


def test_players_hear_of_a_move_at_once_and_a_crowd_in_parts_each_once(
    house: HouseUnderTest,
) -> None:
    _follow(house, FANS)
    _take(house, "move 101 alice alice-pw C3\nend\nHave fun!")
    mails = house.deliver()
    assert [mail["To"] for mail in mails] == [ALICE, BOB]
    names = f"fan0, fan1, fan2, fan3, fan4, fan5, fan6, fan7, fan8, fan9 and {FANS - 10} others"
    assert f"{names} follow this match." in " ".join(text_of(mails[0]).split())
    told = _parts(house)
    assert all(part.total() <= READERS for part in told)
    assert sum(told, Counter()) == Counter(f"fan{n}@example.org" for n in range(FANS))
    last = text_of(house.sent[-1])
    assert "alice played C3" in last
    assert "Have fun!" in last


def test_moves_that_come_before_a_crowd_is_told_of_the_first_are_told_in_one_mail(
    house: HouseUnderTest,
) -> None:
    _follow(house, FANS)
    for name, point in (("alice", "C3"), ("bob", "B2"), ("alice", "D4")):
        _take(house, f"move 101 {name} {name}-pw {point}", author=f"{name}@example.org")
    house.deliver()
    told = sum(_parts(house), Counter[str]())
    assert told == Counter(f"fan{n}@example.org" for n in range(FANS))
    last = text_of(house.sent[-1])
    assert all(f"played {point}" in last for point in ("C3", "B2", "D4"))


def test_a_move_that_comes_while_a_crowd_is_told_of_another_is_told_to_each_of_them(
    house: HouseUnderTest,
) -> None:
    _follow(house, FANS)
    _take(house, "move 101 alice alice-pw C3")
    assert house.house.play_stage.go_on()
    _take(house, "move 101 bob bob-pw B2", author=BOB)
    house.deliver()
    told = sum(_parts(house), Counter[str]())
    assert told == Counter(f"fan{n}@example.org" for n in (*range(READERS, FANS), *range(FANS)))


def test_a_few_followers_are_told_with_the_players(house: HouseUnderTest) -> None:
    _follow(house, 3)
    _take(house, "move 101 alice alice-pw C3")
    assert len(house.deliver()) == 5
    assert not house.house.play_stage.go_on()


def test_a_broadcast_reaches_those_who_want_it_but_for_who_blocks_its_author(
    house: HouseUnderTest,
) -> None:
    _follow(house, FANS)
    house.mail("fan7@example.org", "block fan7 fan7-pw alice")
    _take(house, "broadcast alice alice-pw\nend\nA tournament begins on Monday.")
    (receipt,) = house.deliver()
    assert f"taken for {FANS} players" in text_of(receipt)
    told = sum(_parts(house), Counter[str]())
    assert told == Counter(f"fan{n}@example.org" for n in range(FANS) if n != 7)


def test_an_author_who_is_erased_is_heard_no_more(house: HouseUnderTest) -> None:
    _follow(house, FANS)
    _take(house, "broadcast alice alice-pw\nend\nA tournament begins on Monday.")
    house.deliver()
    with house.house.open_unit() as work:
        by = Signature("root", "asked for")
        erase(Administration(house.house.services, work, house.clock(), by), "alice")
        work.commit()
    _parts(house)
    assert not any("tournament" in text_of(mail) for mail in house.sent)


def test_who_leaves_is_gone_at_once_and_their_boards_end_in_parts(house: HouseUnderTest) -> None:
    opponents = [f"fan{n}" for n in range(2 * BOARDS_IN_A_PART)]
    for name in opponents:
        _start(house, "alice", name)
    house.mail(ALICE, "signoff alice alice-pw")
    asked = house.last_to(ALICE)
    _take(house, "yes", str(asked["Reply-To"]))
    (farewell,) = house.deliver()
    assert "Goodbye" in farewell["Subject"]
    assert _state(house) == (PlayerState.GONE, (ALICE,))
    told = _parts(house)
    assert all(0 < part.total() <= BOARDS_IN_A_PART for part in told[:-1])
    assert sum(told, Counter()) == Counter(f"{n}@example.org" for n in ("bob", *opponents))
    assert _state(house) == (PlayerState.GONE, ())


def _state(house: HouseUnderTest) -> tuple[PlayerState, tuple[str, ...]]:
    with house.house.open_reading() as work:
        alice = work.players.by_userid("alice")
    assert alice
    return alice.state, alice.addresses


def test_a_part_that_is_not_committed_is_done_again_from_where_it_began(
    house: HouseUnderTest,
) -> None:
    _follow(house, FANS)
    _take(house, "move 101 alice alice-pw C3")
    house.deliver()
    assert house.house.play_stage.go_on()
    with house.house.open_unit() as work:
        follow_up = work.follow_ups.claim()
        assert follow_up
        work.follow_ups.progress(
            follow_up.id, 10**6
        )  # as a process does that is killed before it commits
    assert follow_up.done_up_to > 0
    told = Counter(str(mail["To"]) for mail in house.deliver()) + sum(_parts(house), Counter())
    assert told == Counter(f"fan{n}@example.org" for n in range(FANS))


def test_nobody_but_the_operator_lets_a_player_have_more_boards_than_one_can(
    house: HouseUnderTest,
) -> None:
    for n in range(200):
        _start(house, "alice", f"fan{n % FANS}")
    house.play()
    house.mail(BOB, "gonnect challenge bob bob-pw alice")
    (answer,) = house.reply(house.last_to(ALICE), "accept")
    assert "alice plays on 200 boards, the most at a time." in text_of(answer)
