"""Time and everything that interferes with it, against a model that counts hours.

PBM_TIME_STORIES=500 plays more stories than the suite does. Each is drawn by its number, and so
everything happens: Hypothesis leaves out some rules in each example, and repeats others.
"""

import os
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from tests.service.clock_model import DAY
from tests.service.time_house import NAMES
from tests.service.time_machine import TimeMachine

STORIES = int(os.environ.get("PBM_TIME_STORIES", "9"))
STEPS = 30

Draw = Callable[[Random], Any]


def mostly_few(least: int, most: int) -> Draw:
    """Return what draws from `least` to `most`, the lower ones more often: boards are over soon."""
    return lambda chance: least + int((most - least + 1) * chance.random() ** 3)


def one_of(*values: object) -> Draw:
    return lambda chance: chance.choice(values)


NAME, BOARD = one_of(*NAMES), mostly_few(0, 5)

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


def test_whatever_interferes_with_time_the_clocks_are_right() -> None:
    for seed in range(STORIES):
        done: list[str] = []
        try:
            live_through(seed, done)
        except Exception as failure:
            failure.add_note("\n".join([f"in story {seed}:", *done]))
            raise
