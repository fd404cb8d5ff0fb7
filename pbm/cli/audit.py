"""`pbm audit`: what operators have done to this server."""

import click

from pbm.bootstrap import House
from pbm.cli.options import echo_json, echo_table, json_option, setting, with_house
from pbm.cli.printing import as_json as in_json
from pbm.service.ports import AuditRow, Facts


@click.command()
@setting("--subject", default=None, help="Only acts on this player, board, mail or pattern.")
@setting("--act", default=None, help='Only acts of this name, such as "user disable".')
@setting("--last", default=200, type=click.IntRange(min=1), help="How many at most.")
@json_option
@with_house
def audit(house: House, subject: str | None, act: str | None, last: int, as_json: bool) -> None:
    """List what operators have done by pbm: when, who, what, before, after, why; newest last."""
    with house.open_reading() as work:
        rows = work.audit.listing(subject, act, last)
    if as_json:
        echo_json([{name: getattr(row, name) for name in row.__slots__} for row in rows])
        return
    echo_table(
        ("at", "operator", "act", "subject", "change", "why"),
        [
            (f"{r.at:%Y-%m-%d %H:%M}", r.operator, r.act, r.subject, _change(r), r.why)
            for r in rows
        ],
    )  # fmt: skip


def _change(row: AuditRow) -> str:
    """Return what differs, as "state: active -> disabled"."""
    names = dict.fromkeys((*row.before, *row.after))
    changed = (name for name in names if row.before.get(name) != row.after.get(name))
    return "; ".join(f"{name}: {_told(row.before, name)} -> {_told(row.after, name)}"
                     for name in changed)  # fmt: skip


def _told(facts: Facts, name: str) -> str:
    return in_json(facts[name], indent=None) if name in facts else "-"
