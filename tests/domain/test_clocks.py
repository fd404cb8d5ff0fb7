"""The rules on time, worked out by hand, and counted hour by hour by a model."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm.domain import timekeeping as clocks
from pbm.domain.errors import NotNow
from pbm.domain.invitations import Increment, Terms
from pbm.domain.match import Match, Reminded, Reminder
from pbm.domain.pauses import Pause, PauseKind
from pbm.domain.play import Board, live, undo
from tests.domain.matches import ALICE, BOB, NOW, PEOPLE, later, match, turn
from tests.engine.noughts import game
from tests.readings import answers, sections

TABLES = sections(Path(__file__).with_name("clocks.txt"))

NAMES = {"alice": ALICE, "bob": BOB}

HOUR, DAY = timedelta(hours=1), timedelta(days=1)

_QUESTION = re.compile(r"(?P<bob>bob )?(?P<what>(?!at )\w+)? ?(at (?P<when>\S+))?")

_TIME = re.compile(r"(-?[\d.]+)(?:h(?:(\d+)m)?)?")


def time_of(word: str) -> timedelta:
    """Read days such as 0.5, or hours such as 9h or 9h30m."""
    found = _TIME.fullmatch(word)
    assert found, word
    number, minutes = float(found[1]), int(found[2] or 0)
    return timedelta(hours=number, minutes=minutes) if "h" in word else timedelta(days=number)


def shown(time: timedelta | None) -> str:
    """Write a time as it is read: in tenths of days, or in hours."""
    if time is None:
        return "-"
    hours, minutes = divmod(round(time.total_seconds() / 60), 60)
    if (60 * hours + minutes) % 144 == 0:
        return f"{time / DAY:g}"
    return f"{hours}h{minutes}m" if minutes else f"{hours}h"


def moment(word: str) -> datetime:
    return NOW + time_of(word)


def since(found: datetime | None) -> str:
    return shown(found - NOW if found else None)


def begun(nag: int = 7, limit: int = 21, total: int | Increment | None = None) -> Match:
    if isinstance(total, Increment):
        return replace(match(), terms=Terms(increment=total))
    return replace(match(), terms=Terms(nag, limit, total))


def pause(words: str) -> Pause:
    """Read a pause such as "alice 3..13" or "outage 9h.."."""
    who, span = words.split()
    began, until = span.split("..")
    kind = PauseKind.VACATION if who in NAMES else PauseKind(who)
    return Pause(kind, moment(began), moment(until) if until else None, NAMES.get(who))


def with_pause(board: Board, words: str) -> Board:
    found = replace(board.match, pauses=(*board.match.pauses, pause(words)))
    return replace(board, match=found)


def after(board: Board, deed: str, now: datetime) -> Board:
    """Return the board after something has happened."""
    who, _, what = (
        deed.rpartition(" ") if deed.split(maxsplit=1)[0] in NAMES else ("alice", "", deed)
    )
    if what in ("nag", "warning"):
        told = clocks.reminded(board.match, NAMES[who], Reminder[what.upper()], now)
        return replace(board, match=told)
    verb, _, number = deed.partition(" ")
    deeds: dict[str, Callable[[], Board]] = {
        "undo": lambda: undo(board, now=now),
        "stop": lambda: clocks.pause_board(board, now=now),
        "resume": lambda: clocks.resume_board(board, now=now),
        "extend": lambda: clocks.extend(board, int(number), now=now),
        "forfeit": lambda: clocks.forfeit(board, int(number), now=now),
    }
    return deeds[verb]() if verb in deeds else turn(board, deed, hours=(now - NOW) // HOUR)


def played(script: str) -> Board:
    """Return the board after all that a line tells."""
    board = live(begun(), game)
    for step in filter(None, script.split(", ")):
        deed, _, when = step.partition(" at ")
        if re.fullmatch(r"[\d/]+", step):
            board = live(begun(*map(int, step.split("/"))), game)
        elif "+" in step:
            timed = replace(match(), terms=Terms().read({"time": step}))
            board = live(timed, game)
        elif ".." in step:
            board = with_pause(board, step)
        else:
            board = after(board, deed, moment(when))
    return board


def done_at(found: Match, player: int, now: datetime, ahead: timedelta = 0 * DAY) -> str:
    """Return what is done to a player at a moment."""
    reminder = clocks.due_reminder(found, player, now, ahead)
    if clocks.is_forfeited(found, player, now):
        assert reminder is None
        return "forfeit"
    return reminder.name.lower() if reminder else "-"


def forfeit_of(found: Match, player: int) -> datetime | None:
    """Return when the player forfeits: at that moment, if they have been warned."""
    at = clocks.schedule(found, player).forfeit_at
    if at and player in found.reminded and found.reminded[player].last is Reminder.WARNING:
        assert not clocks.is_forfeited(found, player, at - HOUR)
        assert clocks.is_forfeited(found, player, at)
    return at


def reminded(found: Match) -> str:
    told = sorted(found.reminded.items())
    return ", ".join(f"{PEOPLE[p].userid} {r.last.name.lower()} {since(r.at)}" for p, r in told)


def asked(script: str, question: str) -> str:
    """Return the answer to a question about a board after what a line tells."""
    board = played(script)
    found = board.match
    parts = _QUESTION.fullmatch(question)
    assert parts, question
    player, now = BOB if parts["bob"] else ALICE, moment(parts["when"] or "0")
    due = clocks.schedule(found, player)
    answers_to: dict[str | None, Callable[[], object]] = {
        "due": lambda: " ".join(map(since, (due.nag_at, due.warning_at, due.forfeit_at))),
        "forfeit": lambda: since(forfeit_of(found, player)),
        "limit": lambda: shown(clocks.turn_limit(found, player)),
        "used": lambda: " ".join(f"{clocks.time_used(found)[p] / HOUR:g}" for p in (ALICE, BOB)),
        "since": lambda: since(found.turn_since),
        "mover": lambda: " ".join(PEOPLE[p].userid for p in clocks.players_to_move(board)) or "-",
        "reminded": lambda: reminded(found),
        "stopped": lambda: clocks.is_paused(found),
        None: lambda: done_at(found, player, now),
        "nearly": lambda: done_at(found, player, now, DAY),
        "look": lambda: since(clocks.next_look(board, now)),
        "why": lambda: getattr(clocks.current_pause(found, player, now), "kind", "-"),
    }
    return str(answers_to[parts["what"]]())


@pytest.mark.parametrize("title", TABLES)
def test_what_is_due_is_what_the_rules_say(title: str) -> None:
    assert answers(TABLES[title], asked, NotNow) == TABLES[title]


def test_the_next_look_is_at_the_first_of_the_schedule_that_was_not_told() -> None:
    scripts = product(
        ["1/", "5/", "7/"], ["2", "7", "21"], ["", ", nag at 1", ", warning at 1"],
        ["", ", alice 1..3", ", alice 0..", ", outage 1..2"],
    )  # fmt: skip
    for script in map("".join, scripts):
        board = played(script)
        due = clocks.schedule(board.match, ALICE)
        nag, warning, forfeit = due.nag_at or due.warning_at, due.warning_at, due.forfeit_at
        first = forfeit if "warning" in script else warning if "nag" in script else nag
        assert clocks.next_look(board, NOW) == (first or NOW + DAY), script


def test_a_turn_that_began_in_the_future_begins_now() -> None:
    """The clock of the server was a month ahead when the move came, and was then corrected."""
    told = {ALICE: Reminded(Reminder.NAG, moment("31"))}
    ahead = replace(begun(), turn_since=moment("30"), reminded=told)
    right = clocks.not_after(ahead, moment("2"))
    assert right.turn_since == moment("2")
    assert right.reminded == {ALICE: Reminded(Reminder.NAG, moment("2"))}
    assert clocks.not_after(begun(), moment("2")) == begun()


LEAST = 12
"""Hours that a player has for each move once their total time is used up."""


@dataclass
class Counted:
    """A match counted hour by hour: whose clock runs, and how much each player has used."""

    board: Board
    hour: int = 0
    in_turn: int = 0
    added: int = 0
    stopped: bool = False
    used: Counter[int] = field(default_factory=Counter)
    hand: dict[int, int] = field(default_factory=dict)

    @property
    def mover(self) -> int:
        (player,) = clocks.players_to_move(self.board)
        return player

    def wait(self, count: int) -> None:
        for _ in range(count):
            away = any(p.player == self.mover and p.covers(later(self.hour)) for p in self.away)
            self.in_turn += not (away or self.stopped)
            self.hour += 1

    @property
    def away(self) -> tuple[Pause, ...]:
        return self.board.match.pauses

    def do(self, step: str) -> None:
        now, mover = later(self.hour), self.mover
        if step == "extend":
            self.board, self.added = clocks.extend(self.board, 1, now=now), self.added + 1
        elif step == "stop" and not self.stopped:
            self.board, self.stopped = clocks.pause_board(self.board, now=now), True
        elif step == "resume" and self.stopped:
            self.board, self.stopped = clocks.resume_board(self.board, now=now), False
        elif step == "undo" and self.board.match.plies:
            self.board = undo(self.board, now=now)
            self.in_turn = self.added = 0
        elif step == "move" or (step == "swap" and self.board.may_swap):
            state, (seat,) = self.board.position.state, self.board.to_move
            text = "swap" if step == "swap" else next(game.legal_moves(state, seat))
            self.board = turn(self.board, text, hours=self.hour)
            self.used[mover] += self.in_turn
            self.wind(mover)
            self.in_turn = self.added = 0

    def wind(self, mover: int) -> None:
        """Take the hours of this turn from what is in hand, and add what a move adds."""
        if found := self.board.match.terms.increment:
            left = self.hand.get(mover, found.start) - self.in_turn
            self.hand[mover] = min(found.most, max(left, 0) + found.gain)

    @property
    def limit(self) -> int:
        """The hours of this turn, without what the operator has added."""
        terms, mover = self.board.match.terms, self.mover
        if terms.increment:
            return max(self.hand.get(mover, terms.increment.start), LEAST)
        total = terms.total_days
        left = 6 * 24 if total is None else total * 24 - self.used[mover]
        return min(6 * 24, max(left, LEAST))


spans = st.tuples(st.integers(0, 100), st.integers(0, 60), st.sampled_from([ALICE, BOB]))
steps = st.sampled_from(["move", "move", "swap", "undo", "extend", "stop", "resume"])


@settings(max_examples=60)
@given(
    st.lists(spans, max_size=3),
    st.lists(st.tuples(st.integers(0, 40), steps), max_size=12),
    st.sampled_from([None, 1, 4, Increment(24, 5, 48), Increment(96, 20, 100)]),
)
def test_time_used_and_left_is_what_one_counts_hour_by_hour(
    away: list[tuple[int, int, int]],
    plan: list[tuple[int, str]],
    total: int | Increment | None,
) -> None:
    pauses = tuple(
        Pause(PauseKind.VACATION, later(began), later(began + length), player)
        for began, length, player in away
    )
    model = Counted(live(replace(begun(2, 6, total), pauses=pauses), game))
    for gap, step in plan:
        if model.board.match.over:
            break
        model.wait(gap)
        model.do(step)
        assert clocks.time_used(model.board.match) == {
            p: model.used[p] * HOUR for p in (ALICE, BOB)
        }
    if not model.board.match.over:
        check_rest_of_turn(model, model.limit + 24 * model.added)


def check_rest_of_turn(model: Counted, limit: int) -> None:
    """Wait until the time of the turn is over, and check that the forfeit is due then."""
    forfeit_at = clocks.schedule(model.board.match, model.mover).forfeit_at
    if model.in_turn >= limit:
        assert forfeit_at is not None
        assert forfeit_at <= later(model.hour)
    elif model.stopped:
        assert forfeit_at is None
    else:
        while model.in_turn < limit:
            model.wait(1)
        assert forfeit_at == later(model.hour)
