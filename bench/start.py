"""The time that commands take to start, and their CPU, which a busy machine changes less."""

import resource
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

from bench.report import Cost, Plan, Rows, in_turn, medians, part
from bench.servers import environment, scratch_app, yardstick


@part("start", "milliseconds")
def start(plan: Plan) -> Rows:
    """Return for each command the medians of its times, in milliseconds."""
    with yardstick() as null, scratch_app("sqlite") as app:
        app.services  # noqa: B018 - makes the key, as the first start of a server does
        app.close()
        settings, folder = app.settings, app.settings.secret.parent
        send = ("send", "--from", "a@example.org", "--server", f"127.0.0.1:{null.ports[0]}", "help")
        serve = ("serve", "--smtp", "127.0.0.1:0", "--relay", "null:",
                 "--database", settings.database, "--secret", str(settings.secret))  # fmt: skip
        trace = ("rules", "trace", plan.game.info.key)
        times = in_turn(
            {
                "python -c pass": partial(_timed, folder, "-c", "pass"),
                "pbm --help": partial(_timed, folder, "-m", "pbm", "--help"),
                "pbm send": partial(_timed, folder, "-m", "pbm", *send),
                "pbm rules trace": partial(_timed, folder, "-m", "pbm", *trace, first_line=True),
                "pbm serve": partial(_timed, folder, "-m", "pbm", *serve, first_line=True),
            },
            plan.rounds,
        )
    return [{"command": name, **medians(own)} for name, own in times.items()]


def _timed(folder: Path, *arguments: str, first_line: bool = False) -> Cost:
    """Return the milliseconds until a command is done, or has written a line, and its CPU.

    The CPU is that of the whole command, and of a server until it is killed.
    """
    before, began = _children(), time.perf_counter()
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, *arguments], cwd=folder, env=environment(), text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        if first_line and process.stdout:
            process.stdout.readline()
            took = time.perf_counter() - began
            process.kill()
        process.communicate()
        if not first_line:
            took = time.perf_counter() - began
    return {"wall": 1000 * took, "cpu": 1000 * (_children() - before)}


def _children() -> float:
    """Return the CPU seconds of all processes that this one has started and seen ending."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
