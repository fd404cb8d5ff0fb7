"""Many mails: batches of play, and what one mail leads to for many, in parts and each once.

Each needs a crowd or a stop in the middle, which no conversation has.
"""

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from itertools import count

import pytest

from pbm.core.audit import Signature
from pbm.core.events import Happening
from pbm.core.schedule import READERS
from pbm.domain.mail import FOLLOWED_AN_HOUR
from pbm.features.leaving import BATCH as BOARDS_IN_A_PART
from pbm.operator.personal import erase
from pbm.server.play_stage import BATCH, LOCKED_TIME
from tests.conversations.conversation import prepare
from tests.house import ADDRESS, START, HouseUnderTest, text_of

FANS = 2 * READERS + 5
EVENTS = (
    "started welcomed left moved swapped offered agreed rejected chatted queued noted dropped "
    "ended seeks_closed taken_back reopened reminded extended stopped resumed"
)
"""The names of events that a database may have."""
ALICE, BOB, CAROL = "alice@example.org", "bob@example.org", "carol@example.org"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add("alice", "bob", *(f"fan{n}" for n in range(FANS)))
    house.create_match("alice", "bob")
    house.play()
    return house


@pytest.mark.parametrize("name", EVENTS.split())
@pytest.mark.usefixtures("begun")
def test_a_stored_happening_is_read_back(name: str) -> None:
    kept = {
        "event": name,
        "actor": 1,
        "text": "b2",
        "comment": "",
        "queued": True,
        "only_for": 2,
        "secret": "",
    }
    assert Happening.of(kept).stored() == kept


def follow(house: HouseUnderTest, count: int) -> None:
    with house.house.open_unit() as work:
        for n in range(count):
            fan = work.players.by_userid(f"fan{n}")
            assert fan
            work.followers.follow(fan.id, 101)
            work.players.set_setting(fan.id, "broadcast", "yes")
        work.commit()


def take(house: HouseUnderTest, text: str, to: str = ADDRESS, author: str = ALICE) -> None:
    """Put a mail into the inbox and play it, without what it leads to later."""
    house.busy = True
    house.mail(author, "hello", text, to)
    assert house.house.play_stage.play_waiting() == 1


def parts(house: HouseUnderTest) -> list[Counter[str]]:
    """Return whom each part has told, and how often."""
    told = []
    while house.house.play_stage.go_on():
        told.append(Counter(str(mail["To"]) for mail in house.deliver()))
    return told


def each_once(*fans: int) -> Counter[str]:
    return Counter(f"fan{n}@example.org" for n in fans)


def test_players_hear_of_a_move_at_once_and_a_crowd_in_parts_each_once(
    house: HouseUnderTest,
) -> None:
    follow(house, FANS)
    take(house, "move 101 alice alice-pw C3\nend\nHave fun!")
    mails = house.deliver()
    assert [mail["To"] for mail in mails] == [ALICE, BOB]
    names = f"fan0, fan1, fan2, fan3, fan4, fan5, fan6, fan7, fan8, fan9 and {FANS - 10} others"
    assert f"{names} follow this match." in " ".join(text_of(mails[0]).split())
    told = parts(house)
    assert all(part.total() <= READERS for part in told)
    assert sum(told, Counter()) == each_once(*range(FANS))
    last = text_of(house.sent[-1])
    assert "alice played C3" in last
    assert "Have fun!" in last


def test_moves_that_come_before_a_crowd_is_told_of_the_first_are_told_in_one_mail(
    house: HouseUnderTest,
) -> None:
    follow(house, FANS)
    for name, point in (("alice", "C3"), ("bob", "B2"), ("alice", "D4")):
        take(house, f"move 101 {name} {name}-pw {point}", author=f"{name}@example.org")
    house.deliver()
    assert sum(parts(house), Counter()) == each_once(*range(FANS))
    last = text_of(house.sent[-1])
    assert all(f"played {point}" in last for point in ("C3", "B2", "D4"))


def test_a_move_that_comes_while_a_crowd_is_told_of_another_is_told_to_each_of_them(
    house: HouseUnderTest,
) -> None:
    follow(house, FANS)
    take(house, "move 101 alice alice-pw C3")
    assert house.house.play_stage.go_on()
    take(house, "move 101 bob bob-pw B2", author=BOB)
    house.deliver()
    assert sum(parts(house), Counter()) == each_once(*range(READERS, FANS), *range(FANS))


def test_a_few_followers_are_told_with_the_players(house: HouseUnderTest) -> None:
    follow(house, 3)
    take(house, "move 101 alice alice-pw C3")
    assert len(house.deliver()) == 5
    assert not house.house.play_stage.go_on()


def test_a_broadcast_reaches_those_who_want_it_except_those_who_block_its_author(
    house: HouseUnderTest,
) -> None:
    follow(house, FANS)
    prepare(house, "fan7> block fan7 fan7-pw alice")
    take(house, "broadcast alice alice-pw\nend\nA tournament begins on Monday.")
    (receipt,) = house.deliver()
    assert f"sent to {FANS} players" in text_of(receipt)
    assert sum(parts(house), Counter()) == each_once(*range(7), *range(8, FANS))


def test_an_author_who_is_erased_is_heard_no_more(house: HouseUnderTest) -> None:
    follow(house, FANS)
    take(house, "broadcast alice alice-pw\nend\nA tournament begins on Monday.")
    house.deliver()
    with house.administration(Signature("root", "asked for")) as admin:
        erase(admin, "alice")
    parts(house)
    assert not any("tournament" in text_of(mail) for mail in house.sent)


def test_somebody_who_leaves_is_gone_at_once_and_their_boards_end_in_parts(
    house: HouseUnderTest,
) -> None:
    opponents = [f"fan{n}" for n in range(2 * BOARDS_IN_A_PART)]
    for name in opponents:
        house.create_match("alice", name)
    prepare(house, "alice> signoff alice alice-pw")
    asked = house.last_to(ALICE)
    take(house, "yes", str(asked["Reply-To"]))
    (farewell,) = house.deliver()
    assert "Goodbye" in farewell["Subject"]
    told = parts(house)
    assert all(0 < part.total() <= BOARDS_IN_A_PART for part in told[:-1])
    assert sum(told, Counter()) == Counter(f"{n}@example.org" for n in ("bob", *opponents))


def test_a_part_that_is_not_committed_is_done_again_from_where_it_began(
    house: HouseUnderTest,
) -> None:
    follow(house, FANS)
    take(house, "move 101 alice alice-pw C3")
    house.deliver()
    assert house.house.play_stage.go_on()
    with house.house.open_unit() as work:
        follow_up = work.follow_ups.claim()
        assert follow_up
        # As a process does that is killed before it commits.
        work.follow_ups.progress(follow_up.id, 10**6)
    assert follow_up.done_up_to > 0
    told = Counter(str(mail["To"]) for mail in house.deliver()) + sum(parts(house), Counter())
    assert told == each_once(*range(FANS))


def test_nobody_but_the_operator_lets_a_player_have_more_boards_than_one_can(
    house: HouseUnderTest,
) -> None:
    for n in range(200):
        house.create_match("alice", f"fan{n % FANS}")
    house.play()
    prepare(house, "bob> gonnect challenge bob bob-pw alice")
    (answer,) = house.reply(house.last_to(ALICE), "accept")
    assert "alice plays on 200 boards, the most at a time." in text_of(answer)


# ---- a follower of a board on which one move after the other is played

APART = [f"{column}{row}" for row in range(1, 20, 2) for column in "ACEGJLNQS"]
"""Points of a board of Gonnect, no two of which touch."""


def moved(house: HouseUnderTest, n: int) -> list[EmailMessage]:
    """Play the move of this number on board 102; return the mails to carol about it."""
    name = ("alice", "bob")[n % 2]
    mails = house.mail(f"{name}@example.org", f"move 102 {name} {name}-pw {APART[n]}")
    assert {ALICE, BOB} <= {mail["To"] for mail in mails}
    return [mail for mail in mails if mail["To"] == CAROL]


def test_a_follower_gets_so_many_mails_in_an_hour_and_then_the_end_alone(
    house: HouseUnderTest,
) -> None:
    house.add("carol")
    house.create_match("alice", "bob", options={"size": "19"})
    house.play()
    prepare(house, "carol> subscribe 102 carol carol-pw")
    most = FOLLOWED_AN_HOUR
    told = [moved(house, n) for n in range(most + 5)]
    assert [len(mails) for mails in told] == [1] * most + [1] + [0] * 4
    assert len({mail["Subject"] for mails in told[:most] for mail in mails}) == 1
    ((last,),) = told[most : most + 1]
    assert f"You have had {most} mails" in text_of(last)
    assert "unsubscribe 102" in text_of(last)
    assert "unsubscribe" in str(last["List-Unsubscribe"])
    (shown,) = house.mail(CAROL, "show 102")
    assert APART[0] in text_of(shown), "what a follower does is answered"
    # In the next hour it goes on.
    house.clock.now += timedelta(hours=1)
    again = [moved(house, n) for n in range(most + 5, most + 9)]
    assert [len(mails) for mails in again] == [1, 1, 1, 1]
    assert APART[most + 4] in text_of(again[0][0])
    end = house.mail(ALICE, "resign 102 alice alice-pw")
    assert ["resigned" in text_of(mail) for mail in end if mail["To"] == CAROL] == [True]


# ---- batches


def waiting(house: HouseUnderTest) -> int:
    with house.house.open_reading() as work:
        return work.inbox.waiting()


@pytest.fixture
def busy(house: HouseUnderTest) -> HouseUnderTest:
    """Return a house where many mails wait."""
    prepare(house, f"busy\n{BATCH + 6} times alice> forgot alice")
    return house


def test_a_batch_ends_by_count(busy: HouseUnderTest) -> None:
    assert [busy.house.play_stage.play_waiting() for _ in range(3)] == [BATCH, 6, 0]


def test_a_batch_ends_by_time_and_what_was_played_is_kept(busy: HouseUnderTest) -> None:
    ticks = count()
    tick = timedelta(seconds=0.004)
    stage = replace(busy.house.play_stage, clock=lambda: START + tick * next(ticks))
    played = stage.play_waiting()
    # forgot locks, so the time for which its transaction is open counts.
    assert 1 < played <= LOCKED_TIME / tick
    assert waiting(busy) == BATCH + 6 - played


def test_a_mail_that_takes_longer_than_a_batch_is_played_all_the_same(
    busy: HouseUnderTest,
) -> None:
    hours = count()
    stage = replace(busy.house.play_stage, clock=lambda: START + timedelta(hours=1) * next(hours))
    assert stage.play_waiting() == 1
    assert waiting(busy) == BATCH + 5


def test_a_batch_ends_between_two_mails_when_the_server_stops(busy: HouseUnderTest) -> None:
    asked = iter([False, False, True])
    assert busy.house.play_stage.play_waiting(stopping=lambda: next(asked)) == 3
    assert waiting(busy) == BATCH + 3
