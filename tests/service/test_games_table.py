"""The times in the table of boards are those of the boards themselves."""

from datetime import timedelta
from pathlib import Path

from pbm.domain.match import Match
from pbm.domain.timekeeping import schedule
from pbm.operator.administration import Administration
from pbm.service.context import context_without_mail
from pbm.service.matches import deadlines_of
from tests.house import HouseUnderTest

DAY = timedelta(days=1)

PLAY = {
    101: ["C3", "C4"],
    102: ["C3"],
    103: ["C3", "C4", "D4"],
    104: [],
}
"""Boards, and the moves that are played there, a day apart."""


def test_many_clocks_read_at_once_tell_what_each_board_tells(tmp_path: Path) -> None:
    house = HouseUnderTest(tmp_path)
    house.add("alice", "bob")
    gonnect = house.house.catalogue.get("gonnect")
    with house.house.open_unit() as work:
        admin = Administration(house.house.services, work, house.clock())
        for number in PLAY:
            terms = {"totaltime": "30"} if number % 2 else {"forfeittime": "5"}
            admin.create_match(gonnect, ["alice", "bob"], {"size": "5"}, terms)
            admin.extend(number, 2)
        work.commit()
    house.deliver()
    for ply in range(3):
        house.clock.now += DAY
        for number, moves in PLAY.items():
            if ply < len(moves):
                mover = "bob" if ply % 2 else "alice"
                line = f"move {number} {mover} {mover}-pw {moves[ply]}"
                assert len(house.mail(f"{mover}@example.org", line)) == 2
    with house.house.open_unit() as work:
        admin = Administration(house.house.services, work, house.clock())
        admin.extend(101, 3)
        admin.extend(102, 4)
        admin.pause(103)
        admin.pause(104)
        house.clock.now += DAY
        Administration(house.house.services, work, house.clock()).resume(104)
        work.commit()
    house.deliver()
    house.mail("bob@example.org", "vacation bob bob-pw 4 days")
    house.clock.now += DAY
    with house.house.open_unit() as work:
        context = context_without_mail(house.house.services, work, house.clock())
        told = deadlines_of(context, work.matches.listing())
        read = {number: the_match(work.matches.get(number)) for number in PLAY}
        assert told == {
            number: schedule(match, match.players[len(PLAY[number]) % 2]).forfeit_at
            for number, match in read.items()
        }
        assert told[103] is None
        assert len({*told.values()}) == len(told), "each of them has a time of its own"


def the_match(found: object) -> Match:
    assert isinstance(found, tuple)
    match = found[0]
    assert isinstance(match, Match)
    return match
