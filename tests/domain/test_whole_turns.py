"""Whole turns and matches, counted hour by hour, with everything that can stop a clock."""

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from pbm.domain.match import Match
from pbm.domain.pauses import Pause, PauseKind
from pbm.domain.play import LiveMatch, undo
from pbm.domain.timekeeping import (
    due_reminder,
    extend,
    is_forfeited,
    next_look,
    pause_board,
    players_to_move,
    reminded,
    resume_board,
    schedule,
    time_used,
)
from tests.domain.days import begun, board_of, hours
from tests.domain.matches import ALICE, BOB, later, turn
from tests.engine.noughts import game

LEAST = 12
"""Hours that a player has for each move once their total time is used up."""


@dataclass
class Counted:
    """A match counted hour by hour: whose clock runs, and how much each player has used."""

    board: LiveMatch
    hour: int = 0
    in_turn: int = 0
    added: int = 0
    stopped: bool = False
    used: Counter[int] = field(default_factory=Counter)

    @property
    def mover(self) -> int:
        (player,) = players_to_move(self.board)
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
            self.board, self.added = extend(self.board, 1, now=now), self.added + 1
        elif step == "stop" and not self.stopped:
            self.board, self.stopped = pause_board(self.board, now=now), True
        elif step == "resume" and self.stopped:
            self.board, self.stopped = resume_board(self.board, now=now), False
        elif step == "undo" and self.board.match.plies:
            self.board = undo(self.board, now=now)
            self.in_turn = self.added = 0
        elif step == "move" or (step == "swap" and self.board.may_swap):
            state, (seat,) = self.board.position.state, self.board.to_move
            text = "swap" if step == "swap" else next(game.legal_moves(state, seat))
            self.board = turn(self.board, text, hours=self.hour)
            self.used[mover] += self.in_turn
            self.in_turn = self.added = 0


spans = st.tuples(st.integers(0, 100), st.integers(0, 60), st.sampled_from([ALICE, BOB]))
steps = st.sampled_from(["move", "move", "swap", "undo", "extend", "stop", "resume"])


@settings(max_examples=60)
@given(
    st.lists(spans, max_size=3),
    st.lists(st.tuples(st.integers(0, 40), steps), max_size=12),
    st.sampled_from([None, 1, 4]),
)
def test_time_used_and_left_is_what_one_counts_hour_by_hour(
    away: list[tuple[int, int, int]], plan: list[tuple[int, str]], total: int | None
) -> None:
    pauses = tuple(
        Pause(PauseKind.VACATION, later(began), later(began + length), player)
        for began, length, player in away
    )
    model = Counted(board_of(replace(begun(2, 6, total), pauses=pauses)))
    for gap, step in plan:
        if model.board.match.over:
            break
        model.wait(gap)
        model.do(step)
        assert time_used(model.board.match) == {p: hours(model.used[p]) for p in (ALICE, BOB)}
    if not model.board.match.over:
        left = 6 * 24 if total is None else total * 24 - model.used[model.mover]
        limit = min(6 * 24, max(left, LEAST))
        check_rest_of_turn(model, limit + 24 * model.added)


def check_rest_of_turn(model: Counted, limit: int) -> None:
    """Wait until the time of the turn is over, and check that the forfeit is due then."""
    forfeit_at = schedule(model.board.match, model.mover).forfeit_at
    if model.in_turn >= limit:
        assert forfeit_at is not None
        assert forfeit_at <= later(model.hour)
    elif model.stopped:
        assert forfeit_at is None
    else:
        while model.in_turn < limit:
            model.wait(1)
        assert forfeit_at == later(model.hour)


@dataclass
class Turn:
    """One turn of alice with a scheduler that only looks at some hours, and what it did."""

    found: Match
    did: list[tuple[int, str]] = field(default_factory=list)
    named: datetime | None = None

    def look(self, hour: int) -> None:
        now = later(hour)
        if is_forfeited(self.found, ALICE, now):
            assert self.named is not None
            assert now >= self.named
            self.did.append((hour, "forfeit"))
        elif reminder := due_reminder(self.found, ALICE, now):
            self.found = reminded(self.found, ALICE, reminder, now)
            self.named = schedule(self.found, ALICE).forfeit_at
            self.did.append((hour, reminder.name))


@settings(max_examples=60)
@given(
    st.sampled_from([(1, 2), (1, 3), (1, 5), (2, 6), (5, 7)]),
    st.lists(st.tuples(st.integers(0, 200), st.integers(1, 100)), max_size=3),
    st.lists(st.integers(1, 90), min_size=3, max_size=40),
)
def test_a_turn_has_each_reminder_once_and_a_forfeit_when_it_was_named(
    terms: tuple[int, int], away: list[tuple[int, int]], gaps: list[int]
) -> None:
    pauses = tuple(
        Pause(PauseKind.VACATION, later(began), later(began + length), ALICE)
        for began, length in away
    )
    one, hour = Turn(replace(begun(*terms), pauses=pauses)), 0
    for gap in [*gaps, 200, 200, 200]:
        hour += gap
        asleep = next_look(board_of(one.found), later(hour - gap))
        before = list(one.did)
        one.look(hour)
        if one.did != before:
            assert asleep is not None
            assert asleep <= later(hour), "it would have been slept through"
        if one.did and one.did[-1][1] == "forfeit":
            break
    told = [what for _, what in one.did]
    assert told[-2:] == ["WARNING", "forfeit"]
    assert told[:-2] in ([], ["NAG"])
    assert all(not any(p.covers(later(h)) for p in pauses) for h, _ in one.did)
    ran = sum(not any(p.covers(later(h)) for p in pauses) for h in range(one.did[-1][0]))
    assert ran >= 24 * terms[1]
    assert one.did[-1][0] - one.did[-2][0] >= 12
