"""`pbm key` and `pbm dkim`: the keys of reply tokens and of signatures."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbm.cli.options import json_option, not_as_root, setting, signed, with_app, with_settings
from pbm.cli.printing import Noun, echo, echo_json, echo_table
from pbm.config import ConfigError, Settings
from pbm.engine import counted
from pbm.server.dkim import ALGORITHMS, SigningKey, create, load, zone_line
from pbm.system import utc_now

if TYPE_CHECKING:
    from pbm.core.audit import Signature
    from pbm.server.assembly import App
    from pbm.server.token_keys import Key, KeyRing


@click.group(cls=Noun)
def key() -> None:
    """List and renew the keys of the reply tokens."""


@key.command("list")
@json_option
@not_as_root
@with_settings
def list_keys(settings: Settings, as_json: bool) -> None:
    """List the ids of the keys in the key file, newest first; the keys themselves are not shown."""
    from pbm.server.token_keys import load_keys

    ring, now = load_keys(settings.secret), utc_now()
    rows = [(_id(each), _state(ring, each, now), each.since) for each in ring.keys]
    if as_json:
        echo_json([{"id": name, "state": state, "since": since} for name, state, since in rows])
        return
    echo_table(("id", "state", "age"), [(n, s, _age(since, now)) for n, s, since in rows])


@key.command("rotate")
@with_app
@signed
def rotate_keys(app: App, by: Signature) -> None:
    """Add a new key, which is used from ten minutes later on; the old one is valid for 90 days.

    Running servers notice by themselves. If other hosts have copies of the key file, update these
    within the ten minutes.
    """
    from pbm.core.audit import record
    from pbm.server.token_keys import BEFORE_SIGNING, KEPT, rotate

    _ = app.keychain.mint  # the file must be the right one
    now = app.clock()
    fresh = rotate(app.settings.secret, now)
    with app.open_unit() as work:
        record(work, by, now, "key rotate", _id(fresh), {}, {"signs since": str(fresh.since)})
        work.commit()
    echo(
        f"The key {_id(fresh)} signs from {fresh.since:%H:%M} UTC on, in "
        f"{counted(BEFORE_SIGNING.seconds // 60, 'minute')}. Until then, copy "
        f"{app.settings.secret} to every host that has a copy of it. Replies to earlier mails "
        f"count for {KEPT.days} days more."
    )


@key.command("new")
@with_app
@signed
def new_key(app: App, by: Signature) -> None:
    """Replace all keys, because they were lost or stolen.

    Replies to earlier email prove nothing from then on; they are answered with a fresh board. The
    old file is kept next to the new one. Running servers notice within a minute.
    """
    from pbm.core.audit import record
    from pbm.server.token_keys import replace_all

    now = app.clock()
    with app.open_unit() as work:
        before = {"id": known[-1][:8]} if (known := work.token_keys.all()) else {}
        fresh, aside = replace_all(app.settings.secret)
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
    """Create and show the key that signs outgoing email (DKIM)."""


@dkim.command()
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@setting(
    "--algorithm", type=click.Choice(ALGORITHMS), default="rsa",
    help="Every receiver verifies rsa; ed25519 is shorter and faster, but not yet known to all.",
)  # fmt: skip
@not_as_root
@with_settings
def new(settings: Settings, file: Path | None, algorithm: str) -> None:
    """Create a key in FILE and print its DNS record; an existing file is not touched.

    FILE is by default the one that dkim_key names, or else dkim.pem next to the key of the reply
    tokens. Only you can read it. Publish the record, wait until the DNS has it, then restart the
    server with dkim_key set. To change keys, use another file and selector, and leave the old
    record in the DNS for a week, because email on its way is signed with the old key.
    """
    path = file or settings.dkim_key or settings.secret.with_name("dkim.pem")
    _show(settings, create(path, algorithm))
    if settings.dkim_key != path:
        echo(f'To sign with it, set this in pbm.toml: dkim_key = "{path}"', err=True)


@dkim.command()
@not_as_root
@with_settings
def show(settings: Settings) -> None:
    """Print the DNS record of the key, as a line of a zone file."""
    if settings.dkim_key is None:
        raise ConfigError("No dkim_key is set, so pbm signs no mails; pbm dkim new makes a key.")
    _show(settings, load(settings.dkim_key))


def _show(settings: Settings, key: SigningKey) -> None:
    echo(zone_line(key, settings.dkim_selector, settings.domain))
