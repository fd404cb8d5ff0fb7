"""How long commands take to start: in wall time, and in CPU, which a busy machine changes less."""

import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from bench.report import Plan, Report
from bench.servers import environment, scratch_house, yardstick

_PBM = ("-m", "pbm")


class Start(NamedTuple):
    """What is started: the arguments of Python, and whether its first line is all we wait for."""

    arguments: Sequence[str]
    first_line: bool = False


def _starts(plan: Plan, port: int, database: str, secret: Path) -> dict[str, Start]:
    key = plan.game.info.key
    return {
        "python -c pass": Start(("-c", "pass")),
        "pbm --help": Start((*_PBM, "--help")),
        "pbm send": Start((*_PBM, "send", "--from", "a@example.org", "--server",
                           f"127.0.0.1:{port}", "help")),
        "pbm rules trace": Start((*_PBM, "rules", "trace", key), first_line=True),
        "pbm serve": Start((*_PBM, "serve", "--smtp", "127.0.0.1:0", "--relay", "null:",
                            "--database", database, "--secret", str(secret)), first_line=True),
    }  # fmt: skip


def report(plan: Plan) -> Report:
    """Return for each command the medians of its times, in milliseconds."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="pbm-bench-")))
        null = stack.enter_context(yardstick(folder))
        house = stack.enter_context(scratch_house("sqlite"))
        house.services  # noqa: B018 - makes the key, as the first start of a server does
        settings = house.settings
        house.close()
        starts = _starts(plan, null.ports[0], settings.database, settings.secret)
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in starts}
        for _ in range(plan.rounds):
            for name, start in starts.items():
                times[name].append(_timed(start, folder))
    return Report("start", "milliseconds", [_row(*each) for each in times.items()],
                  {"rounds": plan.rounds})  # fmt: skip


def _row(name: str, times: Sequence[tuple[float, float]]) -> dict[str, Any]:
    wall, cpu = zip(*times, strict=True)
    return {"command": name, "wall": 1000 * median(wall), "cpu": 1000 * median(cpu)}


def _timed(start: Start, folder: Path) -> tuple[float, float]:
    """Return the seconds until a command is done or has written a line, and its CPU seconds.

    The CPU is that of the whole command, and of a server until it is told to end.
    """
    before, began = _children(), time.perf_counter()
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, *start.arguments], cwd=folder, env=environment(), text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        if start.first_line and process.stdout:
            process.stdout.readline()
            took = time.perf_counter() - began
            process.kill()
        process.communicate()
        if not start.first_line:
            took = time.perf_counter() - began
    return took, _children() - before


def _children() -> float:
    """Return the CPU seconds of all processes that this one has started and seen ending."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
