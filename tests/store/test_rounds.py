"""Nobody has more than a share of a round, and nobody's mails change their order."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as some

from pbm.store.fair_queue import LANES, ROUND_OCTETS, Arrival, Shares, plan, round_of

FEW = Shares(of_sender=5, of_group=20)


def one(sender: str, group: str = "g", octets: int = 100) -> Arrival:
    return Arrival(f"sender {sender}", f"group {group}", octets)


def rounds(*arrivals: Arrival, present: int = 0, shares: Shares | None = None) -> list[int | None]:
    slots = plan(arrivals, present, {}, shares or Shares()).slots
    return [None if slot is None else round_of(slot) for slot in slots]


@pytest.mark.parametrize(
    ("arrivals", "expected"),
    [
        pytest.param([one("a")] * 3, [0, 1, 2], id="one sender has a mail in each round"),
        pytest.param([one("a"), one("a"), one("b")], [0, 1, 0], id="another begins at once"),
        pytest.param(
            [one(str(n)) for n in range(LANES + 1)], [0] * LANES + [1], id="a group has its lanes"
        ),
        pytest.param(
            [one("a", octets=3 * ROUND_OCTETS), one("a")],
            [0, 4],
            id="a long mail takes more",
        ),
        pytest.param(
            [one("a", "here"), one("a", "there"), one("a", "here")],
            [0, 1, 2],
            id="a sender who comes by several networks keeps the order",
        ),
    ],
)
def test_each_mail_has_the_round_that_it_should(
    arrivals: list[Arrival], expected: list[int | None]
) -> None:
    assert rounds(*arrivals) == expected


@pytest.mark.parametrize(
    ("flood", "single"),
    [
        pytest.param([one("a")] * 1000, one("b"), id="of one in the same group"),
        pytest.param([one("a")] * 1000, one("b", "other"), id="of one elsewhere"),
        pytest.param([one(str(n)) for n in range(1000)], one("b", "other"), id="of many elsewhere"),
    ],
)
def test_a_flood_delays_no_single_mail(flood: list[Arrival], single: Arrival) -> None:
    assert rounds(*flood, single)[-1] == 0


def test_a_flood_leaves_the_present_round_to_others() -> None:
    flood = plan([one("a")] * 1000, 0, {}, Shares())
    later = plan([one("b"), one("c", "other")], 300, flood.free, Shares())
    assert [round_of(slot or 0) for slot in later.slots] == [300, 300]


def test_first_lanes_come_before_second_ones() -> None:
    crowd = [one(f"{n} {group}", f"crowd {group}") for n in range(LANES) for group in range(50)]
    *others, single = plan([*crowd, one("b", "alone")], 0, {}, Shares()).slots
    assert sum(slot <= single for slot in others if slot is not None and single is not None) == 50


@pytest.mark.parametrize(
    ("arrivals", "taken"),
    [
        ([one("a")] * 7, 5),
        ([one("a", octets=2 * ROUND_OCTETS)] * 7, 2),
        ([one(str(n)) for n in range(30)], 20),
        ([one(str(n % 10)) for n in range(30)], 20),
    ],
)
def test_what_is_beyond_a_share_has_no_round(arrivals: list[Arrival], taken: int) -> None:
    given_rounds = rounds(*arrivals, one("other", "alone"), shares=FEW)
    assert [number is None for number in given_rounds[:-1]] == [False] * taken + [True] * (
        len(arrivals) - taken
    )
    assert given_rounds[-1] == 0


ARRIVALS = some.lists(
    some.builds(one, some.sampled_from("abcdefgh"), some.sampled_from("xyz")), max_size=200
)


@given(ARRIVALS, some.integers(0, 200))
def test_a_sender_has_one_mail_a_round_in_order_and_a_group_has_its_share(
    arrivals: list[Arrival], split: int
) -> None:
    first = plan(arrivals[:split], 0, {}, Shares())
    second = plan(arrivals[split:], 0, first.free, Shares())
    slots = [slot for slot in (*first.slots, *second.slots) if slot is not None]
    assert len(slots) == len(arrivals)
    for sender in {arrival.sender for arrival in arrivals}:
        own = [slot for slot, by in zip(slots, arrivals, strict=True) if by.sender == sender]
        assert [round_of(slot) for slot in own] == sorted({round_of(slot) for slot in own})
    for group in {arrival.group for arrival in arrivals}:
        so_far = Counter(
            round_of(slot) for slot, by in zip(slots, arrivals, strict=True) if by.group == group
        )
        for last in so_far:
            early = sum(mails for number, mails in so_far.items() if number <= last)
            assert early <= LANES * (last + 1)
