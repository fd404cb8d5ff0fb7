"""The tools of all parts: the plan, measuring in turn, and figures as a table and as JSON."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any, NamedTuple, TypeVar

from tabulate import tabulate

from pbm.engine import AnyGame

Cost = Mapping[str, float]
"""The figures of one round, by name."""

Rows = list[dict[str, Any]]
"""The figures of a part, for people and programs."""

Name = TypeVar("Name")


class BenchError(Exception):
    """Something that cannot be measured; `str()` is a sentence for whoever asked for it."""


def board_name(options: Mapping[str, str]) -> str:
    """Return what a board with these options of a game is called there."""
    return " ".join(options.values())


@dataclass(frozen=True, slots=True)
class Plan:
    """The sizes of a measurement. Each part uses the fields that it needs.

    `servers` are where scratch databases are made, `processes` the layouts of a server, `forms`
    the forms of the mails. Robots play the contests in `rows` (all if empty), in each so many
    `matches`, in so many `workers`.
    """

    games: tuple[AnyGame, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    servers: tuple[str, ...] = ("sqlite",)
    processes: tuple[str, ...] = ()
    forms: tuple[str, ...] = ("text", "html")
    rounds: int = 5
    moves: int = 640
    boards: int = 640
    connections: int = 20
    seconds: float = 1.0
    rows: tuple[str, ...] = ()
    matches: int | None = None
    workers: int = 2

    @property
    def game(self) -> AnyGame:
        """The game that is played where there is only one."""
        return self.games[0]

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that a report repeats."""
        names = ("rounds", "moves", "boards", "connections", "seconds")
        sizes = {name: getattr(self, name) for name in names}
        return {"game": self.game.info.key, "options": dict(self.options), **sizes}


class Part(NamedTuple):
    """A thing to measure, its unit, and its usual sizes."""

    measure: Callable[[Plan], Rows]
    unit: str
    sizes: Mapping[str, int]


PARTS: dict[str, Part] = {}
"""The parts by name, in the order in which they run."""


def part(name: str, unit: str, **sizes: int) -> Callable[[Callable[[Plan], Rows]], Any]:
    """Return a decorator for a function that measures a part."""

    def decorate(measure: Callable[[Plan], Rows]) -> Callable[[Plan], Rows]:
        PARTS[name] = Part(measure, unit, sizes)
        return measure

    return decorate


def in_turn(works: Mapping[Name, Callable[[], Cost]], rounds: int) -> dict[Name, list[Cost]]:
    """Return what each work costs in each round, A B A B ..., so that a slow moment meets all.

    A round before the first is not counted: it fills caches and tables.
    """
    costs: dict[Name, list[Cost]] = {name: [] for name in works}
    for _ in range(1 + rounds):
        for name, work in works.items():
            costs[name].append(work())
    return {name: own[1:] for name, own in costs.items()}


def medians(costs: Sequence[Cost]) -> dict[str, float]:
    """Return the median of each figure."""
    return {name: median(cost[name] for cost in costs) for name in costs[0]}


def ratio(own: Sequence[Cost], other: Sequence[Cost], name: str) -> float:
    """Return the median of a figure's ratios in the same round; 1 where the other one is 0."""
    pairs = zip(own, other, strict=True)
    return median(a[name] / b[name] if b[name] else 1.0 for a, b in pairs)


def rounded(figures: Any) -> Any:
    """Return figures as JSON has them, with four digits."""
    return json.loads(json.dumps(figures), parse_float=lambda text: float(f"{float(text):.4g}"))


def as_table(rows: Rows) -> str:
    """Return the rows as a table in Markdown, which also reads well in a terminal."""
    cells = [{name: _cell(value) for name, value in row.items()} for row in rows]
    return tabulate(cells, headers="keys", tablefmt="github", disable_numparse=True)


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else str(value or "")
