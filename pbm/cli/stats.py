"""`pbm stats`: the state of the server in numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING

import click

from pbm.cli.options import json_option, with_app
from pbm.cli.printing import echo_facts
from pbm.engine import counted

if TYPE_CHECKING:
    from pbm.server.assembly import App
    from pbm.store.operator import (
        ClockFigures,
        Figures,
        InboxFigures,
        MatchFigures,
        OutboxFigures,
        PlayerFigures,
        Sign,
        ThoughtFigures,
    )


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
    echo_facts(asdict(found), _lines(found), as_json=as_json)


def _lines(found: Figures) -> Iterator[str]:
    for heading, lines in _parts(found).items():
        yield heading
        yield from (f"  {line}" for line in lines)


def _parts(found: Figures) -> dict[str, list[str]]:
    games = [_matches(game, each) for game, each in found.games.items()]
    signs = [_sign(sign) for sign in found.signs_of_life]
    return {
        "Matches": [_matches("all", found.matches), *games],
        "Players": _players(found.players),
        "Open": [counted(found.open.invitations, "invitation"), counted(found.open.seeks, "seek")],
        "Inbox": _inbox(found.inbox),
        "Outbox": _outbox(found.outbox),
        "Signs of life": signs or ["none: no server has run yet"],
        "Clocks": _clocks(found.clocks),
        "Thoughts of robots": _thoughts(found.thoughts),
    }


def _players(players: PlayerFigures) -> list[str]:
    return [
        f"{players.active} active, {players.disabled} disabled, {players.gone} gone",
        f"{players.playing} with open boards",
        f"{players.on_vacation} on vacation, {players.unreachable} unreachable",
        f"{players.undelivered} whose mail the relay does not take",
    ]


def _inbox(inbox: InboxFigures) -> list[str]:
    oldest = _in_brackets("the oldest since", inbox.oldest_waiting)
    return [
        f"{inbox.waiting} waiting{oldest}, {inbox.shunted} shunted",
        f"{counted(inbox.waiting_octets, 'octet')} waiting",
        f"{inbox.taken_in_24_hours} taken in the last 24 hours",
    ]


def _outbox(outbox: OutboxFigures) -> list[str]:
    due = _in_brackets("the next due", outbox.next_due)
    return [
        f"{outbox.waiting} waiting{due}, {outbox.dead} given up",
        f"{outbox.sent_in_24_hours} sent in the last 24 hours",
    ]


def _clocks(clocks: ClockFigures) -> list[str]:
    due = _in_brackets("the next", clocks.next_due)
    return [f"{counted(clocks.overdue, 'board')} overdue for a check{due}"]


def _thoughts(thoughts: ThoughtFigures) -> list[str]:
    oldest = _in_brackets("the oldest since", thoughts.oldest_due)
    return [f"{thoughts.waiting} waiting{oldest}, {thoughts.held} being thought about"]


def _matches(of: str, each: MatchFigures) -> str:
    return (
        f"{of}: {each.open} open, {each.over} over; in the last 30 days "
        f"{each.started_in_30_days} started, {each.ended_in_30_days} ended"
    )


def _sign(sign: Sign) -> str:
    state = "silent" if sign.silent else "failing" if sign.failing else "well"
    return f"{sign.part}: {state}, the last sign {_written(sign.at)}"


def _in_brackets(words: str, moment: datetime | None) -> str:
    """Return " (the oldest since 2026-11-21 14:00 UTC)", or "" if there is no moment."""
    return "" if moment is None else f" ({words} {_written(moment)})"


def _written(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
