"""How strong robots are: each level against the one below, against others, and in riddles.

Playouts and seeds are fixed, so the same version finds the same on any machine, in any number of
processes. Games that are played can be kept in a file, and are not played again.
"""

import json
import signal
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

from pbm.bench.contests import Contest, Outcome, Task, contests_of, play
from pbm.bench.plan import Plan, Tick
from pbm.bench.report import Report
from pbm.robots.duel import board_name, share_of


def steps(plan: Plan) -> int:
    """Return how often `report` calls its tick: once a game."""
    return sum(contest.games for contest in _contests(plan))


def report(plan: Plan, tick: Tick) -> Report:
    """Return what each contest of the plan's games shows. Raises BenchError."""
    contests = _contests(plan)
    tasks = [Task(contest, number) for contest in contests for number in range(contest.games)]
    outcomes = _outcomes(tasks, plan, tick)
    rows = [_row(contest, outcomes) for contest in contests]
    return Report("robots", "share of the games that the first won, a draw as a half", rows)


def _contests(plan: Plan) -> list[Contest]:
    return [
        contest for game in plan.games for contest in contests_of(game, plan.rows, plan.matches)
    ]


def _outcomes(tasks: list[Task], plan: Plan, tick: Tick) -> dict[str, Outcome]:
    """Return how each game ended, by the key of its task."""
    found = _kept(plan.kept)
    waiting = []
    for task in tasks:
        if task.key in found:
            tick()
        else:
            waiting.append(task)
    # The long ones first, so that no process is left with one at the end.
    waiting.sort(key=lambda task: -task.contest.effort)
    for key, outcome in _in_processes(waiting, plan.workers):
        found[key] = outcome
        if plan.kept is not None:
            with plan.kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": key, **asdict(outcome)}) + "\n")
        tick()
    return found


def _kept(file: Path | None) -> dict[str, Outcome]:
    """Return what earlier runs have put into the file; a line that a kill cut off is left out."""
    found: dict[str, Outcome] = {}
    lines = file.read_text("utf-8").splitlines() if file is not None and file.exists() else []
    for line in lines:
        try:
            told = json.loads(line)
        except ValueError:
            continue
        key = told.pop("key")
        found[key] = Outcome(**told)
    return found


def _in_processes(tasks: list[Task], workers: int) -> Iterator[tuple[str, Outcome]]:
    """Yield each outcome with the key of its task, as they come; in this process if it is one."""
    if workers == 1:
        yield from map(_keyed, tasks)
        return
    # What is thrown in here, such as an interrupt, ends the processes at once.
    with get_context("spawn").Pool(workers, _heed_no_interrupt) as pool:
        yield from pool.imap_unordered(_keyed, tasks)


def _heed_no_interrupt() -> None:
    """Leave Ctrl-C, which a terminal sends to all processes, to the one that began the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _keyed(task: Task) -> tuple[str, Outcome]:
    return task.key, play(task)


def _row(contest: Contest, outcomes: Mapping[str, Outcome]) -> dict[str, Any]:
    played = [outcomes[Task(contest, number).key] for number in range(contest.games)]
    share = share_of(sum(each.won for each in played), len(played))
    return {
        "game": contest.game.info.key,
        "board": board_name(contest.options),
        "row": contest.row,
        "contest": contest.name,
        "games": share.games,
        "won": share.share,
        "low": share.low,
        "high": share.high,
        "aim": contest.aim,
        "met": "yes" if share.share >= contest.aim else "no",
        "plies": median(each.plies for each in played),
        "cpu": sum(each.cpu for each in played),
    }
