"""`pbm ban`: addresses and domains that are kept out."""

import click

from pbm.bootstrap import House
from pbm.cli.options import echo, echo_json, echo_table, json_option, signed, with_house
from pbm.service.audit import Signature
from pbm.service.upkeep import Upkeep


@click.group()
def ban() -> None:
    """Keep addresses and domains out: mails from there are neither executed nor answered."""


@ban.command()
@click.argument("pattern")
@with_house
@signed
def add(house: House, pattern: str, by: Signature) -> None:
    """Ban PATTERN, an address with its plus-addresses, or a domain with those below it.

    No account is opened for such an address. A player who has one already still gets mails: see
    pbm user disable.
    """
    with house.open_unit() as work:
        banned = Upkeep(work, house.clock(), by).ban(pattern)
        work.commit()
    echo(f"{banned} is banned")


@ban.command("list")
@json_option
@with_house
def list_bans(house: House, as_json: bool) -> None:
    """List what is banned, since when, and why."""
    with house.open_reading() as work:
        rows = work.bans.listing()
    if as_json:
        echo_json([{name: getattr(row, name) for name in row.__slots__} for row in rows])
        return
    echo_table(
        ("pattern", "since", "why"),
        [(row.pattern, f"{row.made_at:%Y-%m-%d}", row.why) for row in rows],
    )


@ban.command()
@click.argument("pattern")
@with_house
@signed
def remove(house: House, pattern: str, by: Signature) -> None:
    """Let mails from PATTERN in again."""
    with house.open_unit() as work:
        lifted = Upkeep(work, house.clock(), by).lift_ban(pattern)
        work.commit()
    echo(f"{lifted} is not banned any more")
