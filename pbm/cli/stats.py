"""`pbm stats`: the state of the server in numbers."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING

import click

from pbm.cli.options import json_option, with_app
from pbm.cli.printing import echo_facts
from pbm.engine import counted

if TYPE_CHECKING:
    from pbm.server.assembly import App
    from pbm.store.operator import Figures, MatchFigures, Sign


@click.command()
@json_option
@with_app
def stats(app: App, as_json: bool) -> None:
    """Count matches, players, messages and waiting work.

    With --json this prints one object with times in UTC. Its keys are stable:

    \b
    at
    matches        open, over, started_in_30_days, ended_in_30_days
    games          the same for each game, by its key
    players        active, disabled, gone, playing, on_vacation, unreachable, undelivered
    open           invitations, seeks
    inbox          waiting, waiting_octets, oldest_waiting, shunted, taken_in_24_hours
    outbox         waiting, next_due, dead, sent_in_24_hours
    signs_of_life  a list: part, at, good_until, silent, failing
    clocks         overdue, next_due
    thoughts       waiting, oldest_due, held

    Messages are counted as long as they are stored (--keep-days). Robots are not counted as
    players. A clock is overdue if its board was not checked in time, so neither pbm serve nor pbm
    remind is running.
    """
    with app.open_reading() as work:
        found = work.statistics.figures(app.clock())
    echo_facts(asdict(found), (_of_players(found), _of_server(found)), as_json=as_json)


def _of_players(found: Figures) -> str:
    """Return the figures of what players do, and of them."""
    players = found.players
    games = [_matches(name, each) for name, each in found.games.items()]
    return f"""\
Matches
  {_below([_matches("all", found.matches), *games])}
Players
  {players.active} active, {players.disabled} disabled, {players.gone} gone
  {players.playing} with open boards
  {players.on_vacation} on vacation, {players.unreachable} unreachable
  {players.undelivered} whose mail the relay does not take
Open
  {counted(found.open.invitations, "invitation")}
  {counted(found.open.seeks, "seek")}"""


def _of_server(found: Figures) -> str:
    """Return the figures of what the server has to do, and whether its parts work."""
    inbox, outbox, clocks, thoughts = found.inbox, found.outbox, found.clocks, found.thoughts
    signs = [_sign(sign) for sign in found.signs_of_life] or ["none: no server has run yet"]
    return f"""\
Inbox
  {inbox.waiting} waiting{_since("the oldest since", inbox.oldest_waiting)}, {inbox.shunted} shunted
  {counted(inbox.waiting_octets, "octet")} waiting
  {inbox.taken_in_24_hours} taken in the last 24 hours
Outbox
  {outbox.waiting} waiting{_since("the next due", outbox.next_due)}, {outbox.dead} given up
  {outbox.sent_in_24_hours} sent in the last 24 hours
Signs of life
  {_below(signs)}
Clocks
  {counted(clocks.overdue, "board")} overdue for a check{_since("the next", clocks.next_due)}
Thoughts of robots
  {thoughts.waiting} waiting{_since("the oldest since", thoughts.oldest_due)}, \
{thoughts.held} being thought about"""


def _matches(of: str, each: MatchFigures) -> str:
    return (
        f"{of}: {each.open} open, {each.over} over; in the last 30 days "
        f"{each.started_in_30_days} started, {each.ended_in_30_days} ended"
    )


def _sign(sign: Sign) -> str:
    state = "silent" if sign.silent else "failing" if sign.failing else "well"
    return f"{sign.part}: {state}, the last sign {_written(sign.at)}"


def _below(lines: list[str]) -> str:
    return "\n  ".join(lines)


def _since(words: str, moment: datetime | None) -> str:
    """Return " (the oldest since 2026-11-21 14:00 UTC)", or "" if there is no moment."""
    return "" if moment is None else f" ({words} {_written(moment)})"


def _written(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
