"""`pbm remind` does what is due, for cron and drills; `pause` and `resume` stop all clocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import click

from pbm.cli.options import json_option, maintaining, setting, signed, with_app
from pbm.cli.printing import echo, echo_facts, echo_rows
from pbm.engine import counted

if TYPE_CHECKING:
    from pbm.core.audit import Signature
    from pbm.core.schedule import Due
    from pbm.server.assembly import App

_SILENT = (
    "a part of the server, or its relay, has been silent since {since:%Y-%m-%d %H:%M} UTC; "
    "nobody is reminded until it works again"
)

_YEARS = range(2000, 3000)

_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


def _moment(_ctx: click.Context, _option: click.Parameter, given: str | None) -> datetime | None:
    """Return the moment that --now names; raise a usage error for anything else."""
    if given is None:
        return None
    text = given.strip()
    unit = _UNITS.get(text[-1:].lower())
    if text.startswith("+") and unit and text[1:-1].isdecimal() and len(text) < 10:
        return datetime.now(UTC) + timedelta(**{unit: int(text[1:-1])})
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(
            f"{text!r} is not a time such as 2026-12-24T18:00 or +8d"
        ) from None
    if moment.year not in _YEARS:
        raise click.BadParameter(f"{text!r} is not in the years 2000 to 2999")
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


@click.command()
@setting("--dry-run", is_flag=True, show_default=False, help="Only list what is due.")
@setting("--now", "moment", callback=_moment, default=None, metavar="TIME",
         help="Act as if it were TIME, for a test: 2026-12-24T18:00 (UTC) or +8d.")  # fmt: skip
@json_option
@with_app
def remind(app: App, *, dry_run: bool, moment: datetime | None, as_json: bool) -> None:
    """Send reminders and last warnings, end overdue games, close what has expired.

    Run it from cron about once an hour, or at any time. A server with the role remind does the
    same once a minute, and nothing is done twice. pbm serve or pbm work delivers the messages.
    """
    from pbm.dispatch.jobs import BUG

    with _at(app, moment) as then:
        if dry_run:
            _warn_if_silent(then, moment)
            _list(then.list_what_is_due(), as_json=as_json)
            return
        done = then.do_what_is_due(drill=moment is not None)
    with app.open_unit() as work:
        # The mails of a drill are delivered now, not at the time of the drill.
        work.outbox.not_after(app.clock())
        work.commit()
    # Not before: a server that starts meanwhile gives its first sign, and does what was due.
    silent = _warn_if_silent(app, moment)
    _report(done, "nothing was done" if silent else "nothing was due", as_json=as_json)
    if done[BUG]:
        raise SystemExit(1)


def _warn_if_silent(app: App, moment: datetime | None) -> bool:
    """Return whether a part of the server is silent, and say so; a drill at a `moment` goes on."""
    since = app.silent_since() if moment is None else None
    if since is not None:
        echo(_SILENT.format(since=since), err=True)
    return since is not None


@contextmanager
def _at(app: App, moment: datetime | None) -> Iterator[App]:
    """Yield the app as it is, or with a clock that shows `moment`."""
    if moment is None:
        yield app
        return
    with closing(replace(app, clock=lambda: moment)) as then:
        yield then


def _list(due: list[Due], *, as_json: bool) -> None:
    if not due and not as_json:
        echo("nothing is due")
        return
    echo_rows(
        due,
        ("since", "what", "board", "player"),
        lambda row: (f"{row.at:%Y-%m-%d %H:%M}", row.what, row.board, row.player),
        as_json=as_json,
    )


def _report(done: Counter[str], nothing: str, *, as_json: bool) -> None:
    from pbm.features.reminders import LOOKED

    parts = [f"{what}: {number}" for what, number in done.items() if number and what != LOOKED]
    echo_facts(dict(done), [", ".join(parts) or nothing], as_json=as_json)


@click.command()
@with_app
@signed
def pause(app: App, by: Signature) -> None:
    """Stop the clocks of all matches, and notify the players.

    Until pbm resume nobody is reminded and nobody loses on time. Moves are still played.
    """
    with maintaining(app, by) as upkeep:
        upkeep.stop_clocks()
    _notify_all(app, "all clocks are stopped")


@click.command()
@with_app
@signed
def resume(app: App, by: Signature) -> None:
    """Start the clocks of all matches again, and send the players their new deadlines."""
    with maintaining(app, by) as upkeep:
        upkeep.restart_clocks()
    _notify_all(app, "all clocks run again")


def _notify_all(app: App, what: str) -> None:
    echo(f"{what}; {counted(app.announce().total(), 'player')} notified")
