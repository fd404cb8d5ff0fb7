"""The parts of `pbm bench`: what each measures, what can be chosen, and how much it does."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pbm.bench.plan import Plan, Tick
from pbm.bench.report import Report


@dataclass(frozen=True, slots=True)
class Part:
    """A benchmark: the module that does it, the fields of a plan that can be chosen, and sizes.

    The module has `report(plan, tick)`, and `steps(plan)`, which is how often that ticks.
    """

    module: str
    help: str
    options: tuple[str, ...]
    sizes: Mapping[str, Any] = field(default_factory=dict)

    def steps(self, plan: Plan) -> int:
        """Return how often `run` calls its tick."""
        found: int = importlib.import_module(self.module).steps(plan)
        return found

    def run(self, plan: Plan, tick: Tick) -> Report:
        """Return what it finds. Raises BenchError."""
        found: Report = importlib.import_module(self.module).report(plan, tick)
        return found


_GAME = ("games", "options")

ENGINES = Part(
    "pbm.bench.engines",
    """Play random moves of each game.

    Prints plies per second of CPU, and their ratio to those of python-chess in the same run.
    """,
    (),
    {"rounds": 5, "seconds": 1},
)

LOAD = Part(
    "pbm.bench.load",
    """Let simulated people play whole matches over SMTP.""",
    ("servers", "processes", *_GAME),
    {"boards": 20, "connections": 10},
)


PARTS: Mapping[str, Part] = {
    "playouts": Part(
        "pbm.bench.playouts",
        """Play games at random to the end, as robots do.

        Prints playouts per second of CPU, by the contract alone and with the help that each game
        gives; with --option for --game alone.
        """,
        _GAME,
        {"rounds": 5, "seconds": 1},
    ),
    "play": Part(
        "pbm.bench.play",
        """Play moves in this process, without sockets.

        Prints microseconds of CPU and statements a move: in the play stage, batches of 64.
        """,
        ("servers", "forms", *_GAME),
        {"rounds": 5, "moves": 640, "boards": 640},
    ),
    "way": Part(
        "pbm.bench.way",
        """Play moves the whole way: by SMTP to a server, and to an SMTP sink.

        Prints moves a second, their ratio to the mails that N throws away, and the CPU of each
        stage.
        """,
        ("servers", "processes", "forms", *_GAME),
        # Eight times as many as are on their way at once: what comes first and last weighs little.
        {"rounds": 5, "moves": 4000, "boards": 1500, "connections": 20},
    ),
    "where": Part(
        "pbm.bench.where",
        """Tell where the play stage's time goes.

        Prints per cent of it by layer, from a profile.
        """,
        ("servers", "forms", *_GAME),
        {"moves": 640, "boards": 640},
    ),
    "intake": Part(
        "pbm.bench.intake",
        """Take mails in by SMTP, over --connections and over 64.

        Prints mails a second, their ratio to N, and what a slower disk leaves of the rate. D are
        SQLite transactions of one row each.
        """,
        ("servers", *_GAME),
        {"rounds": 5, "moves": 1500, "boards": 750, "connections": 20},
    ),
    "latency": Part(
        "pbm.bench.latency",
        """Play five moves a second on a quiet server.

        Prints how many milliseconds it takes until both mails are at the sink.
        """,
        ("servers", "processes", *_GAME),
        {"rounds": 5, "moves": 30, "boards": 150, "connections": 20},
    ),
    "nth-move": Part(
        "pbm.bench.nth_move",
        """Play the 300th moves of long matches, and the first ones, in this process.

        Prints microseconds of CPU a move and their ratio, for each game on its largest board; with
        --option for --game alone.
        """,
        ("servers", "forms", *_GAME),
        {"rounds": 5, "boards": 64},
    ),
    "many-boards": Part(
        "pbm.bench.many_boards",
        """Play moves on a server with many boards, and on one with two twenty-fifths of them.

        Prints microseconds of CPU a move and their ratio.
        """,
        ("servers", "forms", *_GAME),
        {"rounds": 5, "moves": 640, "boards": 50_000},
    ),
    "queue": Part(
        "pbm.bench.queue",
        """Store mails while many wait, and while none do.

        Prints microseconds of CPU a mail and their ratio.
        """,
        ("servers",),
        {"rounds": 5, "moves": 640, "waiting": 45_000},
    ),
    "lists": Part(
        "pbm.bench.lists",
        """Ask for the standings, the games and the like where there are many of both.

        Prints milliseconds of CPU an answer.
        """,
        ("servers", *_GAME),
        {"rounds": 5, "boards": 10_000},
    ),
    "disk": Part(
        "pbm.bench.disk",
        """Play moves and look at the size of the database.

        Prints octets a move: while its mails are kept, once they are forgotten, and what a server
        grows by in the long run.
        """,
        ("servers", "forms", *_GAME),
        {"moves": 2000, "boards": 200},
    ),
    "start": Part(
        "pbm.bench.start",
        """Start commands, each in a new process.

        Prints milliseconds until they are done, have written a line, or listen.
        """,
        _GAME,
        {"rounds": 5},
    ),
    "rest": Part(
        "pbm.bench.rest",
        """Do nothing.

        Prints the CPU of each process of a server in per cent of a core, and its memory.
        """,
        ("servers", "processes", *_GAME),
        {"seconds": 10, "boards": 64},
    ),
    "flood": Part(
        "pbm.bench.flood",
        """Send many moves at once, and one of another player in their middle.

        Prints how long it takes until all are taken, until all are answered, until that one is,
        and the most memory that a process had.
        """,
        ("servers", "processes", *_GAME),
        {"moves": 10_000, "boards": 1000, "connections": 20},
    ),
    "robots-beside": Part(
        "pbm.bench.robots_beside",
        """Let people play whole matches over SMTP, without and with four robots that think.

        Prints moves a second, how long answers take, and which share of the rate is left.
        """,
        ("servers", "processes", *_GAME),
        {"rounds": 3, "boards": 20, "connections": 10},
    ),
    "robots": Part(
        "pbm.bench.robots",
        """Let robots play each other, and solve riddles.

        Prints how much each level wins against the one below, and level 5 against others, with 95 %
        intervals and aims. All of it takes two cores up to two hours; the same version finds the
        same figures anywhere.
        """,
        ("games", "rows", "matches", "workers", "kept"),
    ),
}
"""Every part that is told by a plan, in the order in which they are run."""


WHOLE: Mapping[str, Part] = {"engines": ENGINES, **PARTS, "load": LOAD}
"""All parts, in the order in which they are run."""

ONLY_IF_ASKED = frozenset({"robots"})
"""Parts that take hours, and so are not run with the others."""
