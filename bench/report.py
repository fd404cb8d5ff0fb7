"""What a benchmark does and what it finds: the plan, the report, and the report as a table."""

import dataclasses
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbm.engine import AnyGame


class BenchError(Exception):
    """Something that cannot be measured; `str()` is a sentence for whoever asked for it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much a benchmark does. Each part uses the fields that it needs.

    `servers` are where scratch databases are made, `processes` the layouts of a server, `forms`
    the forms of the mails. The robots play the contests in `rows` (all if empty), in each so many
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
        return {
            "game": self.game.info.key,
            "options": dict(self.options),
            "rounds": self.rounds,
            "moves": self.moves,
            "boards": self.boards,
            "connections": self.connections,
        }


@dataclass(frozen=True, slots=True)
class Report:
    """The rows that a benchmark found, and its settings."""

    benchmark: str
    unit: str
    rows: Sequence[Mapping[str, Any]]
    settings: Mapping[str, Any] = field(default_factory=dict)

    def figures(self) -> dict[str, Any]:
        """Return the report as JSON values, rounded to four digits."""
        rounded: dict[str, Any] = _rounded(
            {
                "benchmark": self.benchmark,
                "unit": self.unit,
                "python": platform.python_version(),
                **self.settings,
                "rows": list(self.rows),
            }
        )
        return rounded


def row_of(value: Any) -> dict[str, Any]:
    """Return a dataclass as a flat row; fields of an inner one are named "outer.inner"."""
    row: dict[str, Any] = {}
    for name, found in dataclasses.asdict(value).items():
        if isinstance(found, dict):
            row |= {f"{name}.{inner}": each for inner, each in found.items()}
        else:
            row[name] = found
    return row


def as_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the rows as a table in Markdown, which also reads well in a terminal."""
    names = list(
        dict.fromkeys(
            name
            for row in rows
            for name, value in row.items()
            if not isinstance(value, list | tuple)
        )
    )
    cells = [names, *([_cell(row.get(name)) for name in names] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        f"| {' | '.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))} |"
        for row in cells
    ]
    rule = f"|{'|'.join('-' * (width + 2) for width in widths)}|"
    return "\n".join([lines[0], rule, *lines[1:]])


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _rounded(figures: Any) -> Any:
    if isinstance(figures, float):
        return float(f"{figures:.4g}")
    if isinstance(figures, Mapping):
        return {name: _rounded(value) for name, value in figures.items()}
    if isinstance(figures, list | tuple):
        return [_rounded(value) for value in figures]
    return figures
