"""What a move leaves on the disk: before its mails are forgotten, and after.

Moves are played and delivered in two halves. After each half all mails that are done are pruned.
What the second half adds is what a server grows by, since it can use the room of the first.
"""

from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from typing import Any

from sqlalchemy import create_engine, text

from bench.boards import Hall
from bench.play import PlayWork, field_of
from bench.report import Plan, Report
from bench.servers import backend_of, scratch_house
from bench.statements import Count
from pbm.bootstrap import House
from pbm.service.ports import Cutoffs
from pbm.store.database import parse_url

_PRUNED_AT_ONCE = 1000


def report(plan: Plan) -> Report:
    """Return octets a move: `done` while its mails are kept, `pruned` after, `lasting` in use."""
    rows = [_row(server, form, plan) for server in plan.servers for form in plan.forms]
    return Report("disk", "octets a move", rows, plan.settings)


def _row(server: str, form: str, plan: Plan) -> dict[str, Any]:
    with ExitStack() as stack:
        house = stack.enter_context(scratch_house(server))
        work = PlayWork(house, Hall(house, field_of(form, plan), plan.boards), Count())
        empty = _used(house)
        work.measure(plan.moves)
        done = _used(house)
        _prune(house)
        pruned = _used(house)
        work.measure(plan.moves)
        _prune(house)
        lasting = _used(house)
    return {
        "database": backend_of(server),
        "form": form,
        "done": (done - empty) / plan.moves,
        "pruned": (pruned - empty) / plan.moves,
        "lasting": (lasting - pruned) / plan.moves,
    }


def _prune(house: House) -> None:
    """Forget all mails that are done, as the chore does once they are old."""
    soon = house.clock() + timedelta(days=1)
    pruned = 1
    while pruned:
        with house.open_unit() as work:
            pruned = work.prune(Cutoffs(soon, soon, soon, soon), _PRUNED_AT_ONCE)
            work.commit()


def _used(house: House) -> int:
    """Return the octets of the pages in use; of PostgreSQL, of its files after a VACUUM."""
    engine = create_engine(parse_url(house.settings.database), isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:

            def number(statement: str) -> int:
                return int(connection.execute(text(statement)).scalar_one())

            if engine.dialect.name == "postgresql":
                # What it does by itself now and then, so that room is used again: pages of an
                # index after the second time, if there was a transaction since the first.
                for statement in ("VACUUM", "SELECT pg_current_xact_id()", "VACUUM"):
                    connection.execute(text(statement))
            return _USED[engine.dialect.name](number)
    finally:
        engine.dispose()


def _sqlite(number: Callable[[str], int]) -> int:
    pages = number("PRAGMA page_count") - number("PRAGMA freelist_count")
    return pages * number("PRAGMA page_size")


def _postgresql(number: Callable[[str], int]) -> int:
    return number("SELECT pg_database_size(current_database())")


_USED = {"sqlite": _sqlite, "postgresql": _postgresql}
