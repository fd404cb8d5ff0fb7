"""A year of a hundred players: prompt ones and slow ones, vacations, and some who vanish.

The scheduler looks every twelve hours. For each board a model counts how many hours the clock of
the player to move has run, and says for each turn who must have been reminded. For weeks the relay
defers or refuses all mails or some, or cannot be reached.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from itertools import islice
from pathlib import Path

import pytest

from pbm.domain.invitations import Increment, Terms
from pbm.domain.mail import OutgoingMail
from pbm.domain.match import Ending
from pbm.domain.play import LiveMatch, play
from pbm.operator.upkeep import verify_all
from pbm.service.relaying import Deferred, Failed, Sent, Verdict
from tests.doors import player_token
from tests.house import ADDRESS, START, HouseUnderTest, Work
from tests.service.waiting import (
    NAG,
    WARNING,
    add_players,
    address,
    boards_of,
    number_of,
    quick_folder,
    reminders,
    seat,
    tells_of_a_forfeit,
)

pytestmark = pytest.mark.slow

GAMES: tuple[tuple[str, dict[str, str]], ...] = (
    ("gonnect", {"size": "5"}), ("notwos", {}), ("gonnect", {"size": "5"}), ("notwos", {}),
    ("morris", {}), ("olix", {}), ("pow2", {}),
)  # fmt: skip
"""Games that are over soon are listed twice."""

PLAYERS, BOARDS = 100, 120
SLOT, DAY = 12, 24
YEAR = 365 * DAY
BEGIN_EVERY = 60
"""A board begins every so many hours."""

TERMS = (Terms(7, 21), Terms(10, 30), Terms(7, 12), Terms(14, 15),
         Terms(increment=Increment(8 * DAY, 36, 20 * DAY)),
         Terms(increment=Increment(14 * DAY, 2 * DAY, 15 * DAY)))  # fmt: skip

NEVER = 2 * YEAR

DEFERRED, REFUSED = Deferred("451 4.3.0 quota"), Failed("550 5.7.1 no relaying")
DOWN = Deferred("it hangs", relay_down=True)

TROUBLES: Mapping[range, Callable[[random.Random, int], Verdict]] = {
    range(60, 85): lambda _, __: DEFERRED,
    range(120, 132): lambda _, __: REFUSED,
    range(170, 173): lambda _, __: DOWN,
    range(210, 235): lambda chance, _: chance.choice((DEFERRED, Sent())),
    range(260, 272): lambda _, player: Sent() if player % 3 else REFUSED,
}
"""The answers of the relay on these days, by chance and player."""


def is_calm(day: int) -> bool:
    """Return whether the relay has had no trouble lately."""
    return not any(days.start <= day < days.stop + 3 for days in TROUBLES)


@dataclass
class Person:
    """A player: their habit, when they vanish, when they go on vacation and for how many days."""

    name: str
    id: int
    habit: str
    vanishes: int = NEVER
    holidays: dict[int, int] = field(default_factory=dict)
    back_at: int = 0
    reminded_at: datetime = START - timedelta(days=1)
    waits: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    cut_off_at: int | None = None
    reached_at: int = -1
    safe_until: int = 0

    def miss(self, mail: str, hour: int, *, waits: bool) -> None:
        """Miss a mail that no relay takes: from now on no clock of this player runs."""
        (self.waits if waits else self.refused).add(mail)
        if self.cut_off_at is None:
            self.cut_off_at = hour

    def get(self, mail: str, hour: int) -> None:
        """Get a mail; clocks run again if no other one is on its way."""
        self.waits.discard(mail)
        if self.cut_off_at is not None and not self.waits:
            self.safe_until = hour + min(DAY, hour - self.cut_off_at)
            self.reached_at, self.cut_off_at = hour, None
            self.refused.clear()


@dataclass
class Board:
    """A board in the model: who is to move, how long their clock has run, what they were told."""

    number: int
    terms: Terms
    people: dict[int, Person]
    mover: Person
    hands: dict[str, int] = field(default_factory=dict)
    ran: int = 0
    seen: int = 0
    plan: int = 0
    told: list[str] = field(default_factory=list)
    over: bool = False

    @property
    def nag(self) -> int:
        return self.limit // 2 if self.terms.increment else self.terms.nag_days * DAY

    @property
    def limit(self) -> int:
        found = self.terms.increment
        if found is None:
            return self.terms.forfeit_days * DAY
        return max(self.hands.get(self.mover.name, found.start), SLOT)

    @property
    def warning(self) -> int:
        return self.limit - (2 * DAY if self.limit >= 3 * DAY else self.limit // 2)

    def is_lost(self, hour: int) -> bool:
        """Return whether the player to move is out of time at this hour."""
        return self.ran >= self.limit and hour >= self.mover.safe_until

    def begin_turn(self, mover: Person, chance: random.Random) -> None:
        """Decide, by the mover's habit, how long they will think."""
        self.mover, self.ran, self.seen, self.told = mover, 0, 0, []
        first = min(self.nag, self.warning)
        span = {
            "prompt": (first // 2, max(first // 2, first - DAY)),
            "slow": (first, self.warning),
            "late": (self.warning + SLOT, self.limit - SLOT),
        }[mover.habit]
        self.plan = chance.randint(*span)

    def end_turn(self) -> None:
        """Check each reminder of a turn that is over, and take its time from what is in hand."""
        alone = self.nag < self.warning
        due = [NAG] * (alone and self.seen >= self.nag) + [WARNING] * (self.seen >= self.warning)
        early = [NAG] * (alone and self.seen >= self.nag - DAY)
        early += [WARNING] * (self.seen >= self.warning - DAY)
        assert self.told in (due, early), self
        if found := self.terms.increment:
            left = max(self.limit - self.ran, 0) + found.gain
            self.hands[self.mover.name] = min(left, found.most)


class Year:
    """All players at their boards, in steps of twelve hours."""

    def __init__(self, folder: Path) -> None:
        self.house = HouseUnderTest(folder)
        self.chance = random.Random(2026)
        self.hour = 0
        self.people: dict[int, Person] = {}
        self.addresses: dict[str, Person] = {}
        self.boards: dict[int, Board] = {}
        self.written: Counter[str] = Counter()
        self.down_at: int | None = None
        self.made: dict[str, int] = {}
        self.house.says = self.says
        with self.house.house.open_unit() as work:
            self._open_accounts(work)
            work.commit()

    def _open_accounts(self, work: Work) -> None:
        """Open accounts. Of twenty players 1 moves late, 2 are slow, 5 vanish, 4 take vacations."""
        names = [f"player{n}" for n in range(PLAYERS)]
        for n, player in enumerate(add_players(work, names, START)):
            work.players.set_setting(player.id, "format", "text")  # the year is long enough
            habit = {0: "late", 5: "slow", 15: "slow"}.get(n % 20, "prompt")
            person = Person(player.userid, player.id, habit)
            self.people[player.id] = self.addresses[address(player.userid)] = person
            if n % 4 == 3:
                person.vanishes = self.chance.randrange(20 * DAY, 300 * DAY)
            if n % 5 == 0:
                weeks = self.chance.sample([w for w in range(1, 40) if is_calm(w * 7)], 2)
                person.holidays = {week * 7 * DAY: self.chance.randint(5, 12) for week in weeks}

    def begin_board(self, work: Work) -> None:
        first, second = self.chance.sample(sorted(self.people), 2)
        terms, (game, options) = self.chance.choice(TERMS), self.chance.choice(GAMES)
        number = seat(self.house.house, work, game, (first, second), terms, options)
        people = {player: self.people[player] for player in (first, second)}
        board = self.boards[number] = Board(number, terms, people, people[first])
        board.begin_turn(people[first], self.chance)

    def says(self, mail: OutgoingMail) -> Verdict:
        """Answer as the relay does on this day, and note what follows for the player."""
        person, made = (
            self.addresses[mail.recipient],
            self.made.setdefault(mail.message_id, self.hour),
        )
        verdict: Verdict = Sent()
        for days, say in TROUBLES.items():
            if self.hour // DAY in days:
                verdict = say(self.chance, person.id)
        if verdict == DOWN:
            self.down_at = self.hour if self.down_at is None else self.down_at
        elif isinstance(verdict, Sent):
            self.up()
            person.get(mail.message_id, self.hour)
        elif made > person.reached_at:
            waits = isinstance(verdict, Deferred) and self.hour - made < 5 * DAY
            person.waits.discard(mail.message_id)
            person.miss(mail.message_id, self.hour, waits=waits)
        self.written[type(verdict).__name__] += 1
        return verdict

    def up(self) -> None:
        """Let everybody's clocks run again, after the relay could not be reached."""
        if self.down_at is not None:
            for person in self.people.values():
                lasted = self.hour - self.down_at
                person.safe_until = max(person.safe_until, self.hour + min(DAY, lasted))
            self.down_at = None

    def step(self) -> None:
        """Let twelve hours go by: clocks run, then players write, then the scheduler looks."""
        for board in self.running():
            board.ran += SLOT
        self.hour += SLOT
        self.house.clock.now = START + timedelta(hours=self.hour)
        self.house.house.beat(["relay"], timedelta(0))
        with self.house.house.open_unit() as work:
            if len(self.boards) < BOARDS and self.hour % BEGIN_EVERY == 0:
                self.begin_board(work)
            for board in [board for board in self.running() if board.ran >= board.plan]:
                if board.mover.vanishes > self.hour:
                    self.move(work, board)
            work.commit()
        for person in self.people.values():
            if self.hour in person.holidays and person.vanishes > self.hour:
                self.leave(person, person.holidays[self.hour])
        self.remind()
        self.house.beat(days=0.5)

    def running(self) -> Iterator[Board]:
        """Yield the boards on which a clock runs."""
        for board in self.boards.values() if self.down_at is None else ():
            mover = board.mover
            if not board.over and mover.back_at <= self.hour and mover.cut_off_at is None:
                yield board

    def move(self, work: Work, board: Board) -> None:
        now = self.house.clock.now
        tables = boards_of(self.house.house, work)
        table = tables.get(board.number)
        (place,) = table.to_move
        assert table.match.players[place] == board.mover.id
        legal = islice(table.game.legal_moves(table.position.state, place), 40)
        text = str(self.chance.choice(list(legal)))
        after = tables.save(table, play(table, place, text, due=None, comment="", now=now))
        self.written["moves"] += 1
        self.end_turn(board, after)

    def end_turn(self, board: Board, after: LiveMatch) -> None:
        board.end_turn()
        board.over = after.match.over
        if not board.over:
            (place,) = after.to_move
            board.begin_turn(board.people[after.match.players[place]], self.chance)

    def leave(self, person: Person, days: int) -> None:
        """Let a player write that they are on vacation, in reply to a mail of reminders."""
        mint = self.house.house.services.mint
        local, _, domain = ADDRESS.partition("@")
        to = f"{local}+{mint.write(player_token(person.id), self.house.clock())}@{domain}"
        told = self.house.mail(address(person.name), "Re: x", f"vacation {days} days", to)
        assert told[0]["To"] == address(person.name)
        person.back_at = self.hour + days * DAY
        self.written["vacations"] += 1

    def remind(self) -> None:
        """Run the scheduler, and check that exactly the players whose time is over forfeit."""
        overdue = {board.number for board in self.running() if board.is_lost(self.hour)}
        running = [*self.running()]
        told = self.house.remind()
        if is_calm(self.hour // DAY):
            forfeits = Counter(number_of(mail) for mail in told if tells_of_a_forfeit(mail))
            assert forfeits == dict.fromkeys(overdue, 2)
        for mail in told:
            self.read(mail)
        for board in running:
            board.seen = board.ran
        for number in overdue:
            self.forfeit(self.boards[number])
        with self.house.house.open_reading() as work:
            over = work.matches.count(None, sorted(self.people), over=True)
        assert over == sum(board.over for board in self.boards.values())

    def forfeit(self, board: Board) -> None:
        assert board.mover.vanishes <= self.hour, "he would have moved in time"
        board.end_turn()
        board.over = True
        self.written["forfeits"] += 1

    def read(self, mail: EmailMessage) -> None:
        person = self.addresses[str(mail["To"])]
        if told := reminders(mail):
            made = parsedate_to_datetime(str(mail["Date"]))
            if all(self.boards[number].nag >= 7 * DAY for number in told):
                assert made - person.reminded_at > timedelta(days=1), "more than a mail a day"
            person.reminded_at = made
            for number, (which, _) in told.items():
                assert self.boards[number].mover is person
                self.boards[number].told.append(which)
                self.written[which] += 1


def test_a_year_of_a_hundred_players() -> None:
    with quick_folder() as folder:
        year = Year(Path(folder))
        while year.hour < YEAR:
            year.step()
        check(year)
        year.house.house.close()


def check(year: Year) -> None:
    with year.house.house.open_reading() as work:
        assert work.shunt.listing() == ()
        assert set(dict(verify_all(work, year.house.house.catalogue)).values()) == {()}
        assert ends(year, work)[Ending.FORFEITED] == year.written["forfeits"]
    assert all(year.written[what] > 30 for what in ("forfeits", "vacations", NAG, WARNING))
    assert all(year.written[what] > 30 for what in ("Deferred", "Failed"))


def ends(year: Year, work: Work) -> Counter[Ending]:
    """Count how the stored matches have ended."""
    rows = work.matches.history(None, sorted(year.people), limit=BOARDS)
    assert {row.number for row in rows} == {b.number for b in year.boards.values() if b.over}
    return Counter(row.outcome.ending for row in rows)
