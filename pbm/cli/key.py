"""`pbm key` and `pbm dkim`: the keys of reply tokens and of signatures."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbm.cli.options import json_option, not_as_root, setting, signed, with_house, with_settings
from pbm.cli.printing import Noun, echo, echo_json, echo_table
from pbm.config import ConfigError, Settings
from pbm.dkim import ALGORITHMS, SigningKey, create, load, zone_line
from pbm.engine import counted
from pbm.system import utc_now

if TYPE_CHECKING:
    from pbm.bootstrap import House
    from pbm.service.audit import Signature
    from pbm.token_keys import Key, KeyRing


@click.group(cls=Noun)
def key() -> None:
    """List and renew the keys of the reply tokens."""


@key.command("list")
@json_option
@not_as_root
@with_settings
def list_keys(settings: Settings, as_json: bool) -> None:
    """List the keys in the file by their ids, the newest first; a key itself is never shown."""
    from pbm.token_keys import load_keys

    ring, now = load_keys(settings.secret), utc_now()
    rows = [(_id(each), _state(ring, each, now), each.since) for each in ring.keys]
    if as_json:
        echo_json([{"id": name, "state": state, "since": since} for name, state, since in rows])
        return
    echo_table(("id", "state", "age"), [(n, s, _age(since, now)) for n, s, since in rows])


@key.command("rotate")
@with_house
@signed
def rotate_keys(house: House, by: Signature) -> None:
    """Add a new key, which signs in ten minutes; the old one counts for 90 days more.

    Running servers notice it by themselves. If other hosts have copies of the key file, copy it to
    them before the ten minutes are over.
    """
    from pbm.service.audit import record
    from pbm.token_keys import BEFORE_SIGNING, KEPT, rotate

    _ = house.keychain.mint  # the file must be the right one
    now = house.clock()
    fresh = rotate(house.settings.secret, now)
    with house.open_unit() as work:
        record(work, by, now, "key rotate", _id(fresh), {}, {"signs since": str(fresh.since)})
        work.commit()
    echo(
        f"The key {_id(fresh)} signs from {fresh.since:%H:%M} UTC on, in "
        f"{counted(BEFORE_SIGNING.seconds // 60, 'minute')}. Until then, copy "
        f"{house.settings.secret} to every host that has a copy of it. Replies to earlier mails "
        f"count for {KEPT.days} days more."
    )


@key.command("new")
@with_house
@signed
def new_key(house: House, by: Signature) -> None:
    """Put a new key in the place of all, because they are lost or somebody else has them.

    Replies to all mails that are out prove nothing any more; they are answered by a fresh board.
    An old file is kept beside the new one. Running servers notice within a minute.
    """
    from pbm.service.audit import record
    from pbm.token_keys import replace_all

    now = house.clock()
    with house.open_unit() as work:
        before = {"id": known[-1][:8]} if (known := work.token_keys.all()) else {}
        fresh, aside = replace_all(house.settings.secret)
        work.token_keys.add(fresh.fingerprint, now)
        record(work, by, now, "key new", _id(fresh), before, {"id": _id(fresh)})
        work.commit()
    echo(f"The key {_id(fresh)} signs from now on, and replies to earlier mails prove nothing.")
    if aside:
        echo(f"The old file is {aside}; delete it if somebody else has it.")


def _id(each: Key) -> str:
    return each.fingerprint[:8]


def _state(ring: KeyRing, each: Key, now: datetime) -> str:
    if each == ring.signing(now):
        return "signs"
    if not each.signs(now):
        return "signs soon"
    return "is accepted" if each in ring.in_force(now) else "counts no longer"


def _age(since: datetime | None, now: datetime) -> str:
    if since is None:
        return "the first"
    return counted(max(0, (now - since).days), "day")


@click.group(cls=Noun)
def dkim() -> None:
    """Make and show the key that signs the mails that leave."""


@dkim.command()
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@setting(
    "--algorithm", type=click.Choice(ALGORITHMS), default="rsa",
    help="Every receiver verifies rsa; ed25519 is shorter and quicker, but new to some.",
)  # fmt: skip
@not_as_root
@with_settings
def new(settings: Settings, file: Path | None, algorithm: str) -> None:
    """Make a key in FILE and print its record; a file that is there is not touched.

    FILE is that of dkim_key if none is named, and dkim.pem beside the key of the reply tokens if
    that is not set either. Only you can read it. Publish the record, wait until the DNS has it,
    and restart the server with dkim_key set. To change keys, take another file and selector, and
    leave the old record in the DNS for a week: mails under way are signed by it.
    """
    path = file or settings.dkim_key or settings.secret.with_name("dkim.pem")
    _show(settings, create(path, algorithm))
    if settings.dkim_key != path:
        echo(f'pbm signs with it once pbm.toml says: dkim_key = "{path}"', err=True)


@dkim.command()
@not_as_root
@with_settings
def show(settings: Settings) -> None:
    """Print the record of the key that signs, as a line of a zone file."""
    if settings.dkim_key is None:
        raise ConfigError("No dkim_key is set, so pbm signs no mails; pbm dkim new makes a key.")
    _show(settings, load(settings.dkim_key))


def _show(settings: Settings, key: SigningKey) -> None:
    echo(zone_line(key, settings.dkim_selector, settings.domain))
