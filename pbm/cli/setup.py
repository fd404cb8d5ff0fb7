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
@click.option("--domain", help="Players write to pbm@DOMAIN. It must be used by pbm alone.")
@click.option("--host", help="The DNS name of this machine. It must differ from the domain.")
@click.option("--operator",
              help="Where you read email: reports of bugs and players, postmaster@.")  # fmt: skip
@click.option("--apply", is_flag=True, help="Run the steps, as root.")
@click.option("--mailbox", metavar="ADDRESS", help="Use a mailbox at a provider, without a domain.")
@click.option("--password-command", metavar="COMMAND", help="Prints the password of the mailbox.")
@click.pass_context
def setup(
    ctx: click.Context, domain: str | None, host: str | None, operator: str | None,
    mailbox: str | None, password_command: str | None, *, apply: bool,
) -> None:  # fmt: skip
    """Print the steps that set up this Debian host, as a script for root, or run them.

    The steps create the user, the database and the keys, write the settings, the Postfix
    configuration and the systemd units, and start the server. The last ones run pbm doctor and
    print the DNS records. You can run them again: existing settings, keys and data are kept.

    With --mailbox, you need no root, domain or Postfix. It asks for what it does not know, sends
    a test message to the mailbox and writes ./pbm.toml. See deploy/mailbox.md.
    """
    if mailbox:
        from pbm.cli.setup_mailbox import set_up

        set_up(mailbox, operator, password_command)
        return
    given = {"domain": domain or "", "host": host or "", "operator": operator or ""}
    for name, (form, expected) in _EXPECTED.items():
        if not re.fullmatch(form, given[name]):
            raise ConfigError(f"--{name} must be {expected}.")
    if given["domain"].lower() in (
        given["host"].lower(), given["operator"].lower().rpartition("@")[2],
    ):  # fmt: skip
        raise ConfigError(
            "The domain is for pbm alone: the host and your own address need another one."
        )
    deploy = folder("deploy")
    names = {**given, "deploy": str(deploy)}
    script = "".join(f"{name.upper()}={shlex.quote(value)}\n" for name, value in names.items())
    script += (deploy / "setup.sh").read_text("utf-8")
    if not apply:
        echo(script.rstrip())
        return
    if os.geteuid() != 0:
        raise ConfigError("Only root can run the steps. Without --apply they are printed.")
    done = subprocess.run(["/bin/sh", "-euxc", script], check=False)  # noqa: S603 - our own script
    ctx.exit(done.returncode)
