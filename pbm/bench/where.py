"""Where the play stage's time goes, by layer, as cProfile sees it.

A built-in function counts for whoever called it. The profile makes small functions look larger
than they are, so the shares tell where to look, not what can be gained.
"""

import cProfile
import pstats
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from itertools import product
from typing import Any

from pbm.bench.plan import Plan, Tick
from pbm.bench.play import opened
from pbm.bench.report import Report
from pbm.bench.scratch import backend_of
from pbm.bench.statements import Count
from pbm.worker import BATCH

_LAYERS: Mapping[str, str] = {
    "/sqlalchemy/": "SQLAlchemy",
    "/psycopg": "psycopg",
    "/jinja2/": "Jinja and templates",
    "<template": "Jinja and templates",
    "/pbm/store/": "store",
    "/pbm/mail/reading/": "reading the mail",
    "/pbm/mail/writing/": "composing",
    "/pbm/render/": "rendering",
    "/pbm/service/": "use cases",
    "/pbm/domain/": "domain",
    "/pbm/engine/": "engine and games",
    "/games/": "engine and games",
    "/PIL/": "pictures",
}
"""What the files of a layer have in their paths, and what the layer is called."""

_REST = "Python's library"

_DRIVERS = ("sqlite3.Cursor", "sqlite3.Connection")
_DRIVER = "SQLite itself"


def steps(plan: Plan) -> int:
    """Return how often `report` calls its tick."""
    return len(plan.servers) * len(plan.forms)


def report(plan: Plan, tick: Tick) -> Report:
    """Return the shares of the layers, in per cent of the play stage's time."""
    rows = []
    for server, form in product(plan.servers, plan.forms):
        rows += list(_rows(server, form, plan))
        tick()
    return Report("where", "per cent of the play stage's time", rows, plan.settings)


def _rows(server: str, form: str, plan: Plan) -> Iterator[dict[str, Any]]:
    seen = cProfile.Profile()
    with ExitStack() as stack:
        work = opened(stack, server, form, plan, Count())
        work.measure(min(BATCH, plan.moves))
        work.measure(plan.moves, seen)
    for layer, percent in shares(seen).items():
        yield {"database": backend_of(server), "form": form, "where": layer, "percent": percent}


def shares(profile: cProfile.Profile) -> dict[str, float]:
    """Return the per cent of the time of each layer, the largest first."""
    spent: dict[str, float] = defaultdict(float)
    for (file, _, name), (_, _, own, _, callers) in _stats(profile).items():
        if file != "~":
            spent[_layer(file)] += own
        elif any(driver in name for driver in _DRIVERS):
            spent[_DRIVER] += own
        else:
            for (caller, _, _), (_, _, part, _) in callers.items():
                spent[_layer(caller)] += part
    whole = sum(spent.values())
    largest = sorted(spent.items(), key=lambda item: -item[1])
    return {layer: 100 * own / whole for layer, own in largest}


def _stats(profile: cProfile.Profile) -> Mapping[Any, Any]:
    found: Mapping[Any, Any] = vars(pstats.Stats(profile))["stats"]
    return found


def _layer(file: str) -> str:
    return next((name for part, name in _LAYERS.items() if part in file), _REST)
