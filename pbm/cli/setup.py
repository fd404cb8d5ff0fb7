"""`pbm setup`: the steps that make a Debian host a server, printed or done."""

import os
import re
import shlex
import subprocess

import click

from pbm.cli.printing import echo
from pbm.config import ConfigError
from pbm.system import folder

_HOST = r"(?i:(?!-)[a-z0-9-]{1,63}(?:\.(?!-)[a-z0-9-]{1,63})+)"

_EXPECTED = {
    "domain": (_HOST, "a name of the DNS, such as games.example.org"),
    "host": (_HOST, "the name of this machine in the DNS, such as mail.example.org"),
    "operator": (rf"[A-Za-z0-9._+-]+@{_HOST}", "a mail address, such as you@example.net"),
}


@click.command()
@click.option(
    "--domain", required=True, help="Players write to pbm@DOMAIN, which is for pbm alone."
)
@click.option("--host", required=True, help="The name of this machine in the DNS, another one.")
@click.option("--operator", required=True,
              help="Where you read mail: bugs, reports of players, postmaster@.")  # fmt: skip
@click.option("--apply", is_flag=True, help="Do the steps, as root.")
@click.pass_context
def setup(ctx: click.Context, domain: str, host: str, operator: str, *, apply: bool) -> None:
    """Print the steps that set this Debian host up, a script for root; or do them.

    They write settings, the lines for Postfix and the units of systemd, make user, database and
    keys, and start the server. At the end come what pbm doctor says and the records for the DNS.
    The steps can be done again: settings, keys and data that are there stay.
    """
    given = {"domain": domain, "host": host, "operator": operator}
    for name, (form, expected) in _EXPECTED.items():
        if not re.fullmatch(form, given[name]):
            raise ConfigError(f"--{name} is {expected}.")
    if domain.lower() in (host.lower(), operator.lower().rpartition("@")[2]):
        raise ConfigError(
            "The domain is for pbm alone: name the host, and where you read mail, otherwise."
        )
    deploy = folder("deploy")
    names = {**given, "deploy": str(deploy)}
    script = "".join(f"{name.upper()}={shlex.quote(value)}\n" for name, value in names.items())
    script += (deploy / "setup.sh").read_text("utf-8")
    if not apply:
        echo(script.rstrip())
        return
    if os.geteuid() != 0:
        raise ConfigError("Only root can do the steps. Without --apply they are printed.")
    done = subprocess.run(["/bin/sh", "-euxc", script], check=False)  # noqa: S603 - our own script
    ctx.exit(done.returncode)
