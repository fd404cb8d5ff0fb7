"""The stages of a server, by its roles: play, delivery, reminders, and signs of life."""

import functools
from collections.abc import Callable
from functools import partial

from pbm.bootstrap import House
from pbm.dispatch.scheduling import BUG
from pbm.service.heartbeat import SERVING, parts_of
from pbm.service.relaying import Relay
from pbm.stage import Stage, outages
from pbm.thinking.stage import ThinkStage

POLL_SECONDS = 5.0
"""How long an idle stage sleeps before it looks for work by itself, though nobody has called."""

DEAF_SECONDS = 1.0
"""The same while the calls of other processes cannot be heard."""

ROUND_SECONDS = 60.0
"""The time between two rounds of reminders, and between two signs of life."""


def _look(house: House) -> float:
    """Return after how many seconds a stage looks for work by itself."""
    return POLL_SECONDS if house.bell.hears else DEAF_SECONDS


def _each_round() -> float:
    return ROUND_SECONDS


def nobody() -> None:
    """Wake nobody: another process does what comes next."""


def stages_of(
    house: House, relay: Relay, roles: frozenset[str], on_bug: Callable[[], None]
) -> dict[str, Stage]:
    """Return the stages of these roles by their names; a bug in one calls `on_bug`.

    The first sign of life is given here.
    """
    # The first beat comes before all else. It records how long the server was away, according
    # to the last sign of life, and nobody may be reminded before that.
    stages = {"beat": _beating(house, roles, on_bug)}
    if "deliver" in roles:
        stages["deliver"] = _delivering(house, relay, on_bug)
    deliver = stages["deliver"].wake if "deliver" in stages else nobody
    wake = deliver
    if "think" in roles:
        stages["think"] = think = _thinking(house, deliver, on_bug)

        def wake() -> None:
            deliver()
            think.wake()

    if "play" in roles:
        stages["play"] = _playing(house, wake, on_bug)
    if "remind" in roles:
        stages["remind"] = _reminding(house, wake, on_bug)
    shared = outages()
    for stage in stages.values():
        stage.outages = shared
    return stages


def _playing(house: House, wake: Callable[[], None], on_bug: Callable[[], None]) -> Stage:
    """Return the stage that plays, and ends between two mails when it is told to stop."""

    def play() -> int:
        return house.play_stage.play_waiting(stopping=lambda: not stage.goes_on())

    # Answers do not wait until the play stage has looked for what mails have begun.
    play_and_wake, go_on_and_wake = _then(play, wake), _then(house.play_stage.go_on, wake)
    prepare = functools.cache(house.prepare)

    def rest() -> bool:
        prepare()  # not at the start, which that would slow down
        return house.forget_done()

    def step() -> int:
        return play_and_wake() + go_on_and_wake()

    stage = Stage("play", step, rest, on_bug, partial(_look, house))
    return stage


def _beating(house: House, roles: frozenset[str], on_bug: Callable[[], None]) -> Stage:
    """Give the first sign of life, and return the stage that gives the others."""
    parts = parts_of(roles)

    def beat() -> int:
        house.beat(parts, SERVING)
        return 0

    beat()
    return Stage("beat", beat, house.forget_done, on_bug, _each_round)


def _delivering(house: House, relay: Relay, on_bug: Callable[[], None]) -> Stage:
    """Take over what a killed process left, and return the stage that delivers."""
    house.release_dead()
    stage = Stage(
        "deliver",
        lambda: house.deliver_waiting(relay, lambda: not stage.goes_on(), stage.outlast),
        house.forget_done,
        on_bug,
        partial(_look, house),
    )
    return stage


def _thinking(house: House, deliver: Callable[[], None], on_bug: Callable[[], None]) -> Stage:
    """Take over what a killed process left, and return the stage that thinks for robots."""
    thinking = house.robots.thinking()
    thinking.free_abandoned(at_once=True)
    return ThinkStage(thinking, deliver, house.forget_done, on_bug, partial(_look, house))


def _reminding(house: House, wake: Callable[[], None], on_bug: Callable[[], None]) -> Stage:
    """Return the stage that does what is due, and ends between two batches when told to stop."""
    step = _then(lambda: _done_in_a_round(house, lambda: stage.goes_on()), wake)  # noqa: PLW0108 - there is no stage yet
    stage = Stage("remind", step, house.forget_done, on_bug, _each_round)
    return stage


def _done_in_a_round(house: House, goes_on: Callable[[], bool]) -> int:
    """Do what is due and return how much was done. What met a bug waits for the next round."""
    done = house.do_what_is_due(goes_on=goes_on)
    if done:
        house.witness.done_by_itself(done)
    return done.total() - done[BUG]


def _then(step: Callable[[], int], wake: Callable[[], None]) -> Callable[[], int]:
    """Return a step that does the same and, if it did anything, calls `wake`."""

    def work() -> int:
        done = step()
        if done:
            wake()
        return done

    return work
