"""The page of figures: tables between marks, written anew from what a run has found.

A table stands between `<!-- NAME -->` and `<!-- end of NAME -->`; all else is for people.
"""

import json
import os
import platform
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pbm.bench.report import as_markdown
from pbm.bench.targets import compared

Figures = Mapping[str, Any]


def machine() -> dict[str, Any]:
    """Return what the figures depend on beside the program."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "at": datetime.now(UTC).isoformat(timespec="minutes"),
        "load": round(os.getloadavg()[0], 1),
    }


def write(page: Path, parts: Sequence[Figures], about: Figures) -> None:
    """Write the tables of these parts into the page, and the targets that they can be held against.

    The figures themselves are kept beside the page, so that the parts that were not measured this
    time keep their tables and their targets. `about` is the machine.
    """
    store = page.with_suffix(".json")
    kept = json.loads(store.read_text("utf-8"))["parts"] if store.exists() else []
    known = {part["benchmark"]: part for part in (*kept, *parts)}
    everything = {"benchmark": "all", "machine": about, "parts": list(known.values())}
    store.write_text(json.dumps(everything, indent=1) + "\n", "utf-8")
    page.write_text(page_with(page.read_text("utf-8"), list(known.values()), about), "utf-8")


def page_with(page: str, parts: Sequence[Figures], about: Figures) -> str:
    """Return the page with the tables of these parts; one that it has no place for is left out."""
    lines = [f"| {name} | {value} |" for name, value in about.items()]
    page = _between(page, "machine", "\n".join(["| | |", "|---|---|", *lines]))
    page = _between(page, "targets", as_markdown(list(compared(parts))))
    for part in parts:
        unit = part["unit"][:1].upper() + part["unit"][1:]
        text = f"{unit}{_settings(part)}.\n\n{as_markdown(part['rows'])}"
        page = _between(page, part["benchmark"], text)
    return page


def _settings(part: Figures) -> str:
    """Return what a part was told, to follow its unit."""
    told = (
        f"{name} {value}" for name, value in part.items()
        if name not in ("benchmark", "unit", "python", "rows") and value
    )  # fmt: skip
    return "".join(f"; {each}" for each in told)


def _between(page: str, name: str, text: str) -> str:
    """Return the page with `text` between the marks of that name."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    places = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    return places.sub(lambda _: f"{begin}\n{text}\n{end}", page)


def _processor() -> str:
    """Return the name of the processor, as Linux tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), "")
