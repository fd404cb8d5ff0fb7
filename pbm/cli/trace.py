"""`pbm trace` and `pbm audit`: the way of a mail, and the acts of operators."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING

import click

from pbm.cli.options import Rows, json_option, lists, setting, with_app
from pbm.cli.printing import as_json as in_json
from pbm.cli.printing import echo_facts, fields_of
from pbm.config import ConfigError
from pbm.engine import frozen

if TYPE_CHECKING:
    from pbm.server.assembly import App
    from pbm.store.operator import AuditRow, Facts, IncomingLife, OutgoingLife
    from pbm.store.unit import UnitOfWork

_NUMBER = re.compile(r"(?:(in|out):)?(\d{1,18})", re.IGNORECASE)


@frozen
class _Way:
    """A mail that came in, or None if it is unknown, and the mails that it led to."""

    came: IncomingLife | None
    went: tuple[OutgoingLife, ...]


@click.command()
@click.argument("name", metavar="ID")
@json_option
@with_app
def trace(app: App, name: str, as_json: bool) -> None:
    """Show what happened to a message: when it came, what it did, and the messages it caused.

    ID is a name from the log (in:12 for an incoming message, out:77 for an outgoing one), its
    number alone, or the Message-ID of either. Messages are known for --keep-days after they are
    done. To follow an outgoing one further, search the relay's own log for the relay's reply.
    """
    with app.open_reading() as work:
        ways = tuple(_ways(work, name.strip()))
    if not ways:
        days = app.settings.periods.keep
        raise ConfigError(
            f"No mail is known as {name[:100]}. A mail is known for {days} days after it is done."
        )
    lines = (line for way in ways for line in _lines(way))
    echo_facts([asdict(way) for way in ways], lines, as_json=as_json)


def _ways(work: UnitOfWork, name: str) -> Iterator[_Way]:
    """Yield each way with a mail of this name, once."""
    from pbm.domain.mail import message_key

    found, key = _NUMBER.fullmatch(name), message_key(name)
    came: Iterable[IncomingLife | None] = ()
    went: Iterable[OutgoingLife | None] = ()
    if found:
        side, number = (found[1] or "").lower(), int(found[2])
        came = () if side == "out" else (work.lives.incoming(number),)
        went = () if side == "in" else (work.lives.outgoing(number),)
    elif key is not None:
        came, went = work.lives.known_as(key)
    sent = [mail for mail in went if mail]
    # A mail that was sent because of the time or the operator answers None.
    for each in dict.fromkeys([*(mail.id for mail in came if mail), *(m.answers for m in sent)]):
        if each is not None and (mail := work.lives.incoming(each)):
            yield _Way(mail, work.lives.led_to(each))
        else:
            yield _Way(None, tuple(mail for mail in sent if mail.answers == each))


def _lines(way: _Way) -> Iterator[str]:
    if way.came:
        yield from _came(way.came)
    for mail in way.went:
        yield from _went(mail)
    if way.came and not way.went and way.came.state in ("done", "silenced"):
        yield "    it led to no mail"


def _came(mail: IncomingLife) -> Iterator[str]:
    yield f"in:{mail.id}"
    by = f" by {mail.listener}" if mail.listener else " by a command of the operator"
    yield f"  {_at(mail.received_at)}  taken{by}, {mail.octets} octets"
    if mail.state == "waiting":
        yield "  waits to be played"
    elif mail.state == "shunted":
        when = f"{_at(mail.shunted_at)}  " if mail.shunted_at else ""
        yield f"  {when}met a bug: see pbm shunt show {mail.id}"
    elif mail.played_at:
        yield f"  {_at(mail.played_at)}  {mail.outcome}"
    else:
        yield "  done, before what became of a mail was remembered, or dropped by the operator"


def _went(mail: OutgoingLife) -> Iterator[str]:
    origin = "" if mail.answers is not None else ", because of the time or the operator"
    yield f"  out:{mail.id} to {mail.recipient}{origin}"
    yield f"    {_at(mail.created_at)}  composed"
    if mail.state == "sent":
        tries = f" at try {mail.tries + 1}" if mail.tries else ""
        words = f": {mail.words}" if mail.words else ""
        yield f"    {_at(mail.sent_at)}  sent{tries}{words}"
        if mail.error:
            yield f"    {mail.error}"
        return
    failed = f": {mail.error}" if mail.error else "."
    if mail.state == "dead":
        yield f"    given up after {_tries(mail.tries)}{failed}"
    elif mail.held:
        before = f"; {_tries(mail.tries)} before" if mail.tries else ""
        yield f"    is being delivered now, or was by a process that died{before}"
    elif mail.tries:
        yield f"    waits after {_tries(mail.tries)}{failed} Again at {_at(mail.next_try_at)}"
    else:
        yield "    waits for its first try"


def _tries(count: int) -> str:
    return f"{count} {'try' if count == 1 else 'tries'}"


def _at(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC" if moment else "at an unknown time"


@click.command()
@setting("--subject", default=None, help="Only changes to this player, board, message or pattern.")
@setting("--act", default=None, help='Only this command, such as "user disable".')
@setting("--last", default=200, type=click.IntRange(min=1), help="How many to show at most.")
@lists(
    ("at", "operator", "act", "subject", "change", "why"),
    lambda r: (f"{r.at:%Y-%m-%d %H:%M}", r.operator, r.act, r.subject, _change(r), r.why),
    fields_of,
)
def audit(app: App, subject: str | None, act: str | None, last: int) -> Rows:
    """List what operators did: when, who, what, before and after, why; newest last."""
    with app.open_reading() as work:
        return work.audit.listing(subject, act, last)


def _change(row: AuditRow) -> str:
    """Return the differences, as "state: active -> disabled"."""
    names = dict.fromkeys((*row.before, *row.after))
    changed = (name for name in names if row.before.get(name) != row.after.get(name))
    return "; ".join(f"{name}: {_value_of(row.before, name)} -> {_value_of(row.after, name)}"
                     for name in changed)  # fmt: skip


def _value_of(facts: Facts, name: str) -> str:
    return in_json(facts[name], indent=None) if name in facts else "-"
