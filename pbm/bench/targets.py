"""How far a run has got: each target of the project beside the figure that it is held against."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]
Choice = Callable[[Sequence[float]], float]


@dataclass(frozen=True, slots=True)
class Aim:
    """A target: a `figure` of a part, the best or worst of the rows that are `like` these.

    It is to be at least `bound`, or at most if that is what is better.
    """

    what: str
    part: str
    figure: str
    like: Mapping[str, Any]
    bound: float
    choice: Choice = max
    at_most: bool = False

    def found(self, rows: Sequence[Row]) -> float | None:
        """Return the figure; None if no row is like that."""
        fitting = [
            row[self.figure] for row in rows
            if all(row.get(name) in _any(value) for name, value in self.like.items())
            and row.get(self.figure) is not None
        ]  # fmt: skip
        return self.choice(fitting) if fitting else None


def _any(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _most(what: str, part: str, figure: str, bound: float, **like: Any) -> Aim:
    """Return a target for the largest of the figures, which must not be more."""
    return Aim(what, part, figure, like, bound, max, at_most=True)


def _won(what: str, bound: float, *rows: str) -> Aim:
    """Return a target for the smallest share that robots won in these contests."""
    return Aim(f"robots: {what}", "robots", "won", {"row": rows}, bound, min)


_TAKEN = ("sqlite", "postgresql")

AIMS = (
    Aim("whole way, SQLite, text: rate to N", "way", "ratio",
        {"database": "sqlite", "form": "text"}, 0.45),
    Aim("whole way, SQLite, HTML: rate to N", "way", "ratio",
        {"database": "sqlite", "form": "html"}, 0.30),
    Aim("whole way, SQLite, one process, text: rate to N", "way", "ratio",
        {"database": "sqlite", "form": "text", "processes": "one"}, 0.25),
    Aim("whole way, PostgreSQL, text: rate to N", "way", "ratio",
        {"database": "postgresql", "form": "text"}, 0.35),
    Aim("whole way, PostgreSQL, HTML: rate to N", "way", "ratio",
        {"database": "postgresql", "form": "html"}, 0.25),
    _most("play, SQLite, text: microseconds of CPU a move", "play", "median.play", 700,
          database="sqlite", form="text"),
    _most("play: statements a mail", "play", "median.statements", 2),
    Aim("intake, 20 and 64 connections: rate to N", "intake", "ratio",
        {"name": _TAKEN, "disk": ""}, 0.95, min),
    Aim("intake with syncs of 4 ms more: rate to its own", "intake", "of_own",
        {"disk": "slow"}, 0.85, min),
    _most("answer, every layout: p50 in ms", "latency", "p50", 15),
    _most("answer, every layout: p99 in ms", "latency", "p99", 100),
    _most("300th move to the first", "nth-move", "ratio", 1.5),
    _most("many boards to few", "many-boards", "ratio", 1.2),
    _most("disk: octets a move, mails forgotten", "disk", "lasting", 1024),
    _most("standings and games: ms", "lists", "answer", 50, question=("standings", "games")),
    _most("pbm --help: ms", "start", "wall", 150, command="pbm --help"),
    _most("pbm send: ms", "start", "wall", 200, command="pbm send"),
    _most("pbm rules trace: ms", "start", "wall", 200, command="pbm rules trace"),
    _most("pbm serve, listening: ms", "start", "wall", 1000, command="pbm serve"),
    _most("at rest: per cent of a core, a process", "rest", "percent", 0.2),
    _most("flood: megabytes of a process", "flood", "resident", 150),
    _most("flood: seconds to the answer in its middle", "flood", "between", 60),
    _won("a level against the one below", 0.65, "level2", "level3", "level4", "level5"),
    _won("level 5 against one who sees a turn ahead", 0.95, "glance"),
    _won("level 5 against random play", 1.0, "random"),
    _won("forced wins that levels 4 and 5 find", 1.0, "forced"),
    _won("level 5 against a tenth of its playouts", 0.8, "tenth"),
    _won("level 5 against alpha-beta of four plies", 0.75, "lookahead"),
)  # fmt: skip


def compared(parts: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield a row for each target that one of the parts has a figure for."""
    rows = {part["benchmark"]: part["rows"] for part in parts}
    for aim in AIMS:
        found = aim.found(rows.get(aim.part, ()))
        if found is not None:
            met = found <= aim.bound if aim.at_most else found >= aim.bound
            sign = "<=" if aim.at_most else ">="
            yield {"what": aim.what, "target": f"{sign} {aim.bound:g}", "measured": found,
                   "met": "yes" if met else "no"}  # fmt: skip
