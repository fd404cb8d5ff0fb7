"""Rates of work, measured in turn, so that a noisy machine is noisy for every contestant.

Machines differ, so what counts is the ratio between contestants of one run, not a rate alone.
"""

import gc
import time
from collections.abc import Callable, Mapping

Work = Callable[[], int]
"""Does one piece of work from start to end; returns the units in it."""


def rates_in_turn(
    contestants: Mapping[str, Work], rounds: int, seconds: float
) -> dict[str, tuple[float, ...]]:
    """Return each contestant's rates, one per round, in units per second of CPU.

    Each works for `seconds` of CPU or a little more, one after the other, A B A B ..., so that
    the n-th rates of two contestants belong to the same moment. Each does one piece of work
    unmeasured before that, which fills caches and tables.
    """
    for work in contestants.values():
        work()
    rates: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, work in contestants.items():
            rates[name].append(cpu_rate(work, seconds))
    return {name: tuple(measured) for name, measured in rates.items()}


def cpu_rate(work: Work, seconds: float) -> float:
    """Return units per second of this process's CPU, over whole pieces for `seconds` or more."""
    gc.collect()
    units = 0
    start = time.process_time()
    while True:
        units += work()
        spent = time.process_time() - start
        if spent >= seconds:
            return units / spent
