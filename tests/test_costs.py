"""Costs of pieces of work, counted: the same in a large house as in a small one.

All that are pinned stand in costs.txt, so whoever changes one edits one place. A number has no
reason but that nothing dearer is needed; where its parts can be named, they are.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from itertools import count, product
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlalchemy.pool import Pool

from pbm.domain.errors import NotUnderstood
from pbm.domain.mail import ReceivedMail
from pbm.domain.ratings import Rating
from pbm.engine import IncompleteMoveError, fold, near
from pbm.operator.administration import Administration
from tests.costs import Meter, calls_of, measuring
from tests.databases import new_database
from tests.engine.noughts import Noughts
from tests.house import ADDRESS, START, HouseUnderTest
from tests.readings import answers, sections
from tests.service.houses import GRAMMAR

ANSWERS, STAGES, CALLS = sections(Path(__file__).with_name("costs.txt")).values()

MANY = 20
"""Boards on which alice plays in the large house, and mails that come at once."""

# Stones with a gap between any two of them never connect two sides of the board.
APART = [f"{column}{row}" for column, row in product("ACEGJLN", range(1, 14, 2))]


def address(player: str) -> str:
    """Return where a player lives; a domain has a share of the inbox."""
    return f"{player}@{player if player[-1].isdigit() else 'example'}.org"


@dataclass
class Crowd:
    """A house where alice plays bob on board 101 and others elsewhere, and what its work costs."""

    house: HouseUnderTest
    meter: Meter
    ply: int = 0
    replies: Sequence[ReceivedMail] = ()

    def grow(self, plies: int, players: range) -> None:
        """Let rated players begin boards with alice, and play on."""
        house, now = self.house.house, self.house.clock()
        gonnect = house.catalogue.get("gonnect")
        with house.open_unit() as work:
            admin = Administration(house.services, work, now)
            for n in players:
                player = admin.add_player(f"player{n}", f"pw-{n}", [address(f"player{n}")])
                work.ratings.save("gonnect", player.id, None, Rating(1500 + n, 80, updated_at=now))
                admin.create_match(gonnect, [player.userid, "alice"], {}, {})
            work.commit()
        self.house.play()
        while self.ply < plies:
            self.move()

    def reply(self, player: str, text: str, board: str = "[Gonnect") -> ReceivedMail:
        """Return a reply of a player to their newest mail about a board."""
        asked = next(
            mail
            for mail in reversed(self.house.sent)
            if mail["To"] == address(player) and board in mail["Subject"] and mail["Reply-To"]
        )
        raw = f"From: {asked['To']}\r\nMessage-ID: <{player}-{text}@x>\r\n\r\n{text}\r\n"
        to = str(asked["Reply-To"]).strip("<>")
        return ReceivedMail(str(asked["To"]), (to,), raw.encode(), self.house.clock())

    def move(self) -> None:
        """Let alice or bob reply with the next move of board 101."""
        reply = self.reply(("alice", "bob")[self.ply % 2], APART[self.ply], "[Gonnect 101]")
        self.ply += 1
        assert len(self.house.take(reply.content, reply.sender, reply.recipients[0])) == 2

    def figures(self) -> None:
        with self.house.house.open_reading() as work:
            assert work.statistics.figures(self.house.clock()).matches.open > 1

    def begin_and_commit(self) -> None:
        with self.house.house.open_unit() as work:
            work.commit()

    def ask(self, question: str) -> None:
        """Ask something; it may not be refused."""
        mails = self.house.mail("alice@example.org", question)
        assert ["Please check" in str(mail["From"]) for mail in mails] == [False], question

    def answer(self, what: str) -> int:
        """Return how many statements it takes."""
        deeds = {"a move by reply": self.move, "figures of the operator": self.figures}
        return self.meter.cost(deeds.get(what) or partial(self.ask, what))[0]

    def stage(self, what: str) -> tuple[int, int]:
        """Return what a step of a stage costs; it deals with what the one before it has left."""
        house = self.house.house
        mails = self.replies[:1] if " 1 " in what else self.replies[1:]
        deeds: dict[str, Callable[[], object]] = {
            "take": lambda: house.inbox.put(mails),
            "play": house.play_stage.play_waiting,
            "look for mails to play": house.play_stage.play_waiting,
            "look for what mails began": house.play_stage.go_on,
            "deliver": self.house.deliver,
            "look for mails to deliver": self.house.deliver,
            "begin and commit": self.begin_and_commit,
        }
        return self.meter.cost(deeds.get(what) or deeds[what.partition(" ")[0]])


@pytest.fixture(scope="module")
def crowds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Crowd]]:
    """Yield the same small house on SQLite and on PostgreSQL."""
    with ExitStack() as stack:
        meter = stack.enter_context(measuring())
        crowds = {}
        for kind in ("sqlite", "postgres"):
            folder = tmp_path_factory.mktemp(kind)
            url = stack.enter_context(new_database(kind, folder))
            crowds[kind] = crowd = Crowd(HouseUnderTest(folder, url=url), meter)
            crowd.house.add("alice", "bob", text_alone=True)
            crowd.house.mail("alice@example.org", "gonnect challenge alice alice-pw bob")
            crowd.house.reply(crowd.house.last_to("bob@example.org"), "accept")
            crowd.grow(12, range(2))
        yield crowds
        for crowd in crowds.values():
            crowd.house.house.close()


@pytest.mark.slow
@pytest.mark.postgres
def test_an_answer_costs_as_much_in_a_large_house_as_in_a_small_one(
    crowds: dict[str, Crowd],
) -> None:
    def cost(what: str) -> str:
        return ", ".join(str(crowd.answer(what)) for crowd in crowds.values())

    for crowd in crowds.values():
        crowd.ask("help")  # what a house finds out once, it keeps
    assert answers(ANSWERS, cost) == ANSWERS
    for crowd in crowds.values():
        crowd.grow(26, range(2, MANY))
        crowd.house.clock.now += timedelta(days=1)  # alice may ask again
    assert answers(ANSWERS, cost) == ANSWERS


@pytest.mark.slow
@pytest.mark.postgres
def test_a_stage_does_much_in_as_many_statements_as_little(crowds: dict[str, Crowd]) -> None:
    players = range(100, 101 + MANY)
    for crowd in crowds.values():
        crowd.grow(0, players)
        crowd.replies = [crowd.reply(f"player{n}", "A1") for n in players]

    def cost(what: str) -> str:
        (sqlite, _), (postgres, trips) = (crowd.stage(what) for crowd in crowds.values())
        return f"{sqlite}, {postgres}" + (
            "" if "0 m" in what or what.startswith("deliver") else f", {trips}"
        )

    assert answers(STAGES, cost) == STAGES


def test_mails_are_taken_in_at_the_same_cost_whether_few_wait_or_many(tmp_path: Path) -> None:
    """Not even the machine of SQLite takes more steps: no statement looks at all that wait."""
    inbox, steps, contents = HouseUnderTest(tmp_path).house.inbox, count(), count()

    def put(many: int) -> int:
        """Take in so many mails; return the number of the next step of the machine."""
        inbox.put(
            [
                ReceivedMail(f"p{n}@d{n % 7}.org", (ADDRESS,), b"%d" % next(contents), START)
                for n in range(many)
            ]
        )
        return next(steps)

    def watch(driver: sqlite3.Connection, *_: object) -> None:
        driver.set_progress_handler(lambda: next(steps) * 0, 10)

    event.listen(Pool, "checkout", watch)
    try:
        few = -put(64) + put(16)
        for _ in range(5):
            put(1000)
        assert -put(0) + put(16) <= 1.2 * few
    finally:
        event.remove(Pool, "checkout", watch)


def test_a_line_takes_few_calls() -> None:
    def read_in_vain(line: str) -> None:
        with pytest.raises(NotUnderstood):
            GRAMMAR.read(line, None)

    def read_halves(names: str) -> None:
        fresh = type("Fresh", (Noughts,), {"__module__": Noughts.__module__})()
        start = fresh.start(fresh.info.setup())
        for typed in names.split() * 33:
            with pytest.raises(IncompleteMoveError):
                fresh.check_half(start, 0, typed)

    def calls(function: str, line: str) -> int:
        if function == "legal_moves":
            return calls_of(Noughts.legal_moves, partial(read_halves, line))
        if function == "near":
            return calls_of(near, partial(read_in_vain, line))
        return calls_of(fold, lambda: GRAMMAR.read(line + " \u00e9" * 5000, None))

    assert answers(CALLS, calls) == CALLS
