"""`pbm dkim`: the key that signs the mails that leave, and its record for the DNS."""

from pathlib import Path

import click

from pbm.cli.options import echo, not_as_root, setting, with_settings
from pbm.config import ConfigError, Settings
from pbm.dkim import ALGORITHMS, SigningKey, create, load, zone_line


@click.group()
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
