"""Time and everything that interferes with it, against a model that counts hours.

PBM_TIME_STORIES=500 plays more stories than the suite does. Each is drawn by its number, and so
everything happens: Hypothesis leaves out some rules in each example, and repeats others.
"""

import os
import re
import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from functools import cache
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from threading import Thread
from typing import Any

import pytest

from pbm.core.heartbeat import ALL_PARTS, restart_clocks, stop_clocks
from pbm.domain.pauses import CHANGES_A_DAY
from pbm.domain.settings import Periods
from pbm.domain.timekeeping import players_to_move
from pbm.operator.administration import Administration
from pbm.operator.upkeep import verify_all
from tests.house import START, HouseUnderTest
from tests.service.clock_model import DAY, NEVER, Board, ClockModel
from tests.service.returned_mails import come_back
from tests.service.waiting import (
    address,
    deadlines,
    number_of,
    quick_folder,
    reminders,
    table_of,
    tells_of_a_forfeit,
    words,
)

NAMES = ("alice", "bob", "carol")
BOARDS = (
    ("alice", "bob", "1/2"), ("carol", "bob", "60h+7h/70h"), ("bob", "carol", "2/5"),
    ("carol", "alice", "3/8"), ("bob", "alice", "168h+12h/336h"), ("alice", "bob", "7/21"),
    ("alice", "carol", "6/7"), ("bob", "carol", "7/10"),
)  # fmt: skip
"""Pairs of players, with nagtime and forfeittime, or a clock with an increment."""


@cache
def _prepared() -> tuple[Path, list[EmailMessage]]:
    """Make, once, a house where all boards have begun, because hashing passwords takes time."""
    folder = Path(mkdtemp(prefix="time"))
    house = HouseUnderTest(folder)
    house.add(*NAMES, text_alone=True)
    for first, second, clock in BOARDS:
        nag, _, limit = clock.partition("/")
        days = {"nagtime": nag, "forfeittime": limit}
        house.create_match(first, second, terms={"time": clock} if "+" in clock else days)
    house.play()
    house.beat()
    house.house.close()
    return folder, house.sent


def house_in(folder: Path) -> HouseUnderTest:
    """Return a copy of it in `folder`, where players may be on vacation all year."""
    original, sent = _prepared()
    for name in ("pbm.db", "key"):
        shutil.copy(original / name, folder / name)
    house = HouseUnderTest(folder, sent=list(sent))
    given = replace(house.house.settings, periods=Periods(vacation=366))
    house.house = replace(house.house, settings=given)
    return house


HOUR = timedelta(hours=1)


def moment(hour: int) -> datetime:
    return START + hour * HOUR


def hour_of(told: datetime) -> float:
    return (told - START) / HOUR


class TimeMachine:
    """Everything that can happen to clocks; after each step mails and stored matches are right."""

    def __init__(self) -> None:
        self.folder = quick_folder()
        self.house = house_in(Path(self.folder.name))
        self.model = ClockModel()
        self.changes: Counter[tuple[str, date]] = Counter()
        self.named: dict[int, float] = {}
        for number, (first, _, clock) in enumerate(BOARDS, 101):
            unit = 1 if "+" in clock else DAY
            times = tuple(unit * int(time) for time in re.findall(r"\d+", clock))
            self.model.boards[number] = Board(number, times, first)

    def check_all(self) -> None:
        with self.house.house.open_reading() as work:
            assert work.shunt.listing() == ()
            faults = dict(verify_all(work, self.house.house.catalogue))
            assert set(faults.values()) == {()}

    def close(self) -> None:
        self.house.house.close()
        self.folder.cleanup()

    # Time goes by.

    def the_server_lives_and_reminds(self, hours: int, again: str) -> None:
        self.live(hours)
        self.remind(again)

    def the_scheduler_runs_often(self, rounds: int, hours: int) -> None:
        for _ in range(rounds):
            self.live(hours)
            self.remind("")

    def nobody_reminds(self, hours: int) -> None:
        self.live(hours)

    def the_server_is_silent_or_time_leaps(self, hours: int, tried: bool) -> None:
        self.beat()
        self.model.silence(hours)
        self.turn_clock()
        if tried:
            assert self.read(self.house.remind()) == ([], {})
        self.beat()

    def time_is_put_back(self, hours: int) -> None:
        """Set the time back, but not to before a lasting pause: a stopped clock stays stopped."""
        model = self.model
        spans = [*model.stops, *(span for board in model.boards.values() for span in board.stops)]
        spans += [span for spans in model.vacations.values() for span in spans]
        spans += [span for spans in model.returns.values() for span in spans]
        lasting = [s.began for s in spans if s.until is None or s.until > model.hour]
        hours = min(hours, model.hour - max(lasting, default=0))
        if hours > 0:
            self.beat()
            model.put_back(hours)
            self.named.clear()
            self.turn_clock()
            self.beat()
            self.remind("")

    def time_leaps_ahead_and_is_put_right(self, ahead: int, less: int) -> None:
        self.the_server_is_silent_or_time_leaps(ahead, tried=False)
        self.time_is_put_back(max(1, ahead - less))

    def live(self, hours: int) -> None:
        self.house.house.beat(ALL_PARTS, (hours + 1) * HOUR)
        self.model.hour += hours
        self.turn_clock()

    def beat(self) -> None:
        self.house.beat()

    def turn_clock(self) -> None:
        self.house.clock.now = moment(self.model.hour)

    # Players and the operator do something.

    def a_move_is_made(self, which: int, choice: int) -> None:
        if board := self.board(which):
            table = table_of(self.house.house, board.number)
            moves = map(str, table.game.legal_moves(table.position.state, table.to_move[0]))
            turns = [*moves, *(["swap"] if table.may_swap else [])]
            told = self.say(board.mover, turns[-1 - choice % len(turns)], board.number)
            after = table_of(self.house.house, board.number)
            mover = next(iter(players_to_move(after)), 0)
            self.model.play(board.number, NAMES[mover - 1], over=after.match.over)
            self.named.pop(board.number, None)
            self.check_deadlines(told, board.number)

    def a_vacation_begins(self, name: str, days: int) -> None:
        today = name, self.house.clock().date()
        if self.changes[today] < CHANGES_A_DAY:
            self.changes[today] += 1
            told = self.say(name, f"vacation {days} days")
            assert told, "refused"
            self.model.leave(name, days)
            self.named.clear()

    def a_vacation_is_ended(self, name: str) -> None:
        if self.model.away(name):
            self.say(name, "vacation off")
            self.model.come_back(name)
            self.named.clear()

    def a_vacation_is_cut_short(self, name: str, days: int, hours: int) -> None:
        self.a_vacation_begins(name, days)
        self.the_server_lives_and_reminds(hours, "")
        self.a_vacation_is_ended(name)
        self.the_server_lives_and_reminds(1, "")

    def a_deadline_is_extended(self, which: int, days: int) -> None:
        if board := self.board(which):
            self.model.extend(board.number, days)
            self.operate(board, lambda operator: operator.extend(board.number, days))

    def a_board_is_stopped_or_resumed(self, which: int) -> None:
        board = self.board(which)
        if board and any(span.until is None for span in board.stops):
            self.model.resume(board.number)
            self.operate(board, lambda operator: operator.resume(board.number))
        elif board:
            self.model.stop(board.number)
            self.operate(board, lambda operator: operator.pause(board.number))

    def all_clocks_are_stopped_or_run_again(self) -> None:
        standing = any(span.until is None for span in self.model.stops)
        with self.house.house.open_unit() as work:
            (restart_clocks if standing else stop_clocks)(work, self.house.clock())
            work.commit()
        if standing:
            self.model.resume_all()
        else:
            self.model.stop_all()

    def all_clocks_stand_for_a_while(self, hours: int) -> None:
        self.all_clocks_are_stopped_or_run_again()
        self.the_server_lives_and_reminds(hours, "")
        self.all_clocks_are_stopped_or_run_again()
        self.the_server_lives_and_reminds(1, "")

    def operate(self, board: Board, do: Callable[[Administration], object]) -> None:
        with self.house.administration() as operator:
            do(operator)
        self.check_deadlines(self.house.deliver(), board.number)

    def a_mail_comes_back(self, name: str, which: int) -> None:
        """Let one of the last mails to a player come back, whenever it was sent.

        Not on Mondays, when that counts against the address, nor beyond the bound of a year.
        """
        stopped = sum((s.until or 0) - s.began for s in self.model.returns.get(name, []))
        if self.house.clock().weekday() == 0 or stopped > 20 * DAY:
            return
        senders, sent = self.house.senders, self.house.sent
        out = [mail for mail in sent if mail["To"] == address(name)]
        known = [mail for mail in out if str(mail["Message-ID"]) in senders][-1 - which :]
        made = [int(hour_of(parsedate_to_datetime(str(mail["Date"])))) for mail in known[:1]]
        if made and self.model.hour - 5 * DAY <= made[0] <= self.model.hour:
            come_back(self.house, known[0], "5.7.1")
            senders.pop(str(known[0]["Message-ID"]))
            self.model.mail_came_back(name, made[0])
            self.named.clear()

    # What must hold.

    def remind(self, again: str) -> None:
        """Run the scheduler, and check that it tells exactly what the model tells."""
        expected = self.model.look()
        if again == "at once":
            threads = [Thread(target=self.house.house.do_what_is_due) for _ in range(2)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        mails = self.house.remind()
        if again == "twice":
            mails += self.house.remind()
        forfeits, told = self.read(mails)
        assert forfeits == sorted(expected.forfeits * 2)
        assert told == expected.reminders
        self.check_which_are_over()
        assert all(self.named.get(number, 0) <= self.model.hour for number in forfeits)
        for boards in told.values():
            self.named.update({number: hour for number, (_, hour) in boards.items()})

    def read(
        self, mails: list[EmailMessage]
    ) -> tuple[list[int], dict[str, dict[int, tuple[str, float]]]]:
        """Return the boards that ended, once for each mail, and who was reminded of what."""
        forfeits, told = list[int](), dict[str, dict[int, tuple[str, float]]]()
        for mail in mails:
            if tells_of_a_forfeit(mail):
                forfeits.append(number_of(mail))
            elif boards := reminders(mail):
                name = str(mail["To"]).partition("@")[0]
                assert name not in told, "two mails"
                told[name] = {n: (which, hour_of(named)) for n, (which, named) in boards.items()}
        return sorted(forfeits), told

    def check_deadlines(self, mails: list[EmailMessage], number: int) -> None:
        """Check that each mail about a board names the moment of its forfeit, if it is known."""
        board = self.model.boards[number]
        at = NEVER if board.over else self.model.forfeit_at(board)
        assert len(mails) == 2
        for mail in mails:
            named = [hour_of(told) for told in deadlines(mail)]
            assert named == ([] if at == NEVER else [at]), words(mail)

    def check_which_are_over(self) -> None:
        with self.house.house.open_reading() as work:
            stored = {row.number: row.over for row in work.matches.listing()}
        assert stored == {number: board.over for number, board in self.model.boards.items()}

    # Looking.

    def board(self, which: int) -> Board | None:
        open_boards = [board for board in self.model.boards.values() if not board.over]
        return open_boards[which % len(open_boards)] if open_boards else None

    def say(self, name: str, text: str, number: int | None = None) -> list[EmailMessage]:
        """Reply to the newest mail or, if that is too old, to the answer, as it asks one to."""
        told = self.house.reply(self.newest(name, number), text)
        asked = [mail for mail in told if "answered a mail that is more than" in words(mail)]
        return self.house.reply(asked[0], text) if asked else told

    def newest(self, name: str, number: int | None = None) -> EmailMessage:
        """Return the newest mail to a player about one board, or about any board."""
        mails = (mail for mail in reversed(self.house.sent) if mail["To"] == address(name))
        about = ((mail, number_of(mail)) for mail in mails)
        return next(mail for mail, found in about if found and number in (None, found))


STORIES = int(os.environ.get("PBM_TIME_STORIES", "9"))
STEPS = 30

Draw = Callable[[Random], Any]


def mostly_few(least: int, most: int) -> Draw:
    """Return what draws from `least` to `most`, the lower ones more often: boards are over soon."""
    return lambda chance: least + int((most - least + 1) * chance.random() ** 3)


def one_of(*values: object) -> Draw:
    return lambda chance: chance.choice(values)


NAME, BOARD = one_of(*NAMES), mostly_few(0, 7)

DEEDS: tuple[tuple[Callable[..., None], Mapping[str, Draw]], ...] = (
    (
        TimeMachine.the_server_lives_and_reminds,
        {"hours": mostly_few(1, 30 * DAY), "again": one_of("", "twice", "at once")},
    ),
    (
        TimeMachine.the_scheduler_runs_often,
        {"rounds": mostly_few(2, 6), "hours": mostly_few(1, 24)},
    ),
    (TimeMachine.nobody_reminds, {"hours": mostly_few(1, 4 * DAY)}),
    (
        TimeMachine.the_server_is_silent_or_time_leaps,
        {"hours": mostly_few(1, 10 * DAY), "tried": one_of(True, False)},
    ),
    (TimeMachine.time_is_put_back, {"hours": mostly_few(1, 20 * DAY)}),
    (
        TimeMachine.time_leaps_ahead_and_is_put_right,
        {"ahead": mostly_few(1, 20 * DAY), "less": mostly_few(0, 2 * DAY)},
    ),
    (TimeMachine.a_move_is_made, {"which": BOARD, "choice": mostly_few(0, 24)}),
    (TimeMachine.a_vacation_begins, {"name": NAME, "days": mostly_few(1, 6)}),
    (TimeMachine.a_vacation_is_ended, {"name": NAME}),
    (
        TimeMachine.a_vacation_is_cut_short,
        {"name": NAME, "days": mostly_few(1, 6), "hours": mostly_few(1, 5 * DAY)},
    ),
    (TimeMachine.a_deadline_is_extended, {"which": BOARD, "days": mostly_few(1, 9)}),
    (TimeMachine.a_board_is_stopped_or_resumed, {"which": BOARD}),
    (TimeMachine.a_mail_comes_back, {"name": NAME, "which": mostly_few(0, 3)}),
    (TimeMachine.a_mail_comes_back, {"name": NAME, "which": mostly_few(0, 3)}),
    (TimeMachine.all_clocks_are_stopped_or_run_again, {}),
    (TimeMachine.all_clocks_stand_for_a_while, {"hours": mostly_few(1, 9 * DAY)}),
)
"""All that can happen, and how its arguments are drawn."""


def live_through(seed: int, done: list[str]) -> None:
    """Let things happen that `seed` draws, and note them as they are `done`."""
    chance = Random(seed)
    machine = TimeMachine()
    try:
        for _ in range(STEPS):
            deed, draws = chance.choice(DEEDS)
            drawn = {name: draw(chance) for name, draw in draws.items()}
            done.append(f"{deed.__name__}(**{drawn})")
            deed(machine, **drawn)
        machine.check_all()
    finally:
        machine.close()


@pytest.mark.slow
def test_whatever_interferes_with_time_the_clocks_are_right() -> None:
    for seed in range(STORIES):
        done: list[str] = []
        try:
            live_through(seed, done)
        except Exception as failure:
            failure.add_note("\n".join([f"in story {seed}:", *done]))
            raise
