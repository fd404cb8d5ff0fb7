"""What a benchmark found, as rows of figures: the same for JSON, a terminal, and a page."""

import dataclasses
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Report:
    """The rows that a `benchmark` found, and with which settings it did."""

    benchmark: str
    unit: str
    rows: Sequence[Mapping[str, Any]]
    settings: Mapping[str, Any] = field(default_factory=dict)

    def figures(self) -> dict[str, Any]:
        """Return it as JSON values, without digits that mean nothing."""
        told = {
            "benchmark": self.benchmark,
            "unit": self.unit,
            "python": platform.python_version(),
            **self.settings,
            "rows": list(self.rows),
        }
        rounded: dict[str, Any] = _rounded(told)
        return rounded


def row_of(value: Any) -> dict[str, Any]:
    """Return a frozen value as a row; one inside it lends its fields, under its name and a dot."""
    row: dict[str, Any] = {}
    for name, found in dataclasses.asdict(value).items():
        if isinstance(found, dict):
            row |= {f"{name}.{inner}": each for inner, each in found.items()}
        else:
            row[name] = found
    return row


def cells(rows: Sequence[Mapping[str, Any]]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the header and the rows of a table with every column that has a single value."""
    names = dict.fromkeys(
        name for row in rows for name, value in row.items() if not isinstance(value, list | tuple)
    )
    return tuple(names), [tuple(_cell(row.get(name)) for name in names) for row in rows]


def as_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the rows as a table for a terminal, figures to the right."""
    header, body = cells(rows)
    widths = [max(len(row[n]) for row in (header, *body)) for n in range(len(header))]
    words = [any(isinstance(row.get(name), str) for row in rows) for name in header]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if word else cell.rjust(width)
            for cell, width, word in zip(row, widths, words, strict=True)
        ).rstrip()
        for row in (header, *body)
    )


def as_markdown(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the rows as a table for a page."""
    header, body = cells(rows)
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, ("---",) * len(header), *body))


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
