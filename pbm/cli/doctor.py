"""`pbm doctor`: the state of this server, and what to do about faults."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from pbm.cli.options import (
    SettingOption,
    endpoints,
    json_option,
    listening,
    not_as_root,
    setting,
    settings_file,
    with_settings,
)
from pbm.cli.printing import as_one_line, echo, echo_json
from pbm.config import Settings
from pbm.system import utc_now

if TYPE_CHECKING:
    from pbm.operator.doctor import Finding, Written


def _names_of_checks() -> list[str]:
    """Return the names; the checks are imported only when a name is read or completed."""
    from pbm.operator.doctor import CHECKS

    return [check.name for check in CHECKS]


def _complete(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    del ctx, parameter
    return [name for name in _names_of_checks() if name.startswith(incomplete)]


def _known(ctx: click.Context, parameter: click.Parameter, names: tuple[str, ...]) -> list[str]:
    """Return these names; fail for one that no check has."""
    known = click.Choice(_names_of_checks())
    return [known.convert(name, parameter, ctx) for name in names]


@click.command()
@click.argument("names", nargs=-1, metavar="[CHECK]...", callback=_known, shell_complete=_complete)
@listening
@setting("--backups", default=None, help="The folder of pbm db backup.")
@setting("--site", default=None, help="The folder of pbm site build.")
@setting(
    "--dns",
    is_flag=True,
    show_default=False,
    help="Print the DNS records that are needed, and check them.",
)
@setting("--name-server", default=None, metavar="HOST[:PORT]",
         help="Ask this name server, not the default one.")  # fmt: skip
@json_option
@not_as_root
@with_settings
@click.pass_context
def doctor(
    ctx: click.Context, names: list[str], settings: Settings, tls_certificate: str | None,
    tls_key: str | None, smtp: str, lmtp: str, relay_from: tuple[str, ...], proxy_protocol: bool,
    backups: str | None, site: str | None, dns: bool, name_server: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Check the installation and suggest fixes: settings, files, database, relay, DNS, activity.

    Each check prints a line: ok, warn or FAIL, with what is wrong and how to fix it. The exit
    status is 1 if a check fails. The last line lists checks that were skipped because another
    one failed. After a fix, name the CHECK to run it again, with the checks that it depends on.

    Run this as the user that pbm runs as. It changes nothing and sends no email, but it connects
    to the listeners, logs in to the relay, and asks the front MTA which addresses it accepts.
    With --json it prints a list of name, level and text.

    With --dns it prints the DNS records that the domain needs, and checks only those.
    """
    from pbm.operator.doctor import Listeners, Patient, Severity, choose, examine
    from pbm.operator.doctor.dns import examine_zone

    listeners = Listeners(
        endpoints(smtp), endpoints(lmtp), proxy_protocol, _is_configured(ctx, "smtp", "lmtp"),
        relay_from,
    )  # fmt: skip
    patient = Patient(
        settings, _written(ctx), tls_certificate, tls_key, utc_now(), listeners, backups, site
    )
    examined: Iterable[Finding]
    if dns:
        examined = examine_zone(settings, name_server)
    else:
        examined = examine(patient, as_one_line, choose(names))
    findings = []
    for finding in examined:
        findings.append(finding)
        if not as_json:
            echo(_line(finding))
    if as_json:
        echo_json([asdict(finding) for finding in findings])
    if any(finding.level is Severity.FAIL for finding in findings):
        ctx.exit(1)


def _line(finding: Finding) -> str:
    return f"{finding.level:<4} {finding.name}: {finding.text}"


def _is_configured(ctx: click.Context, *names: str) -> bool:
    """Return whether the operator has set one of these anywhere."""
    sources = (ctx.get_parameter_source(name) for name in names)
    return any(source is not ParameterSource.DEFAULT for source in sources) or any(
        name in settings_file(ctx) for name in names
    )


def _written(ctx: click.Context) -> Written:
    from pbm.operator.doctor import Written

    root = ctx.find_root()
    return Written(
        file=Path(root.obj or "pbm.toml"),
        keys=settings_file(ctx),
        environment=os.environ,
        known=frozenset(_keys(root.command, root)),
    )


def _keys(command: click.Command, ctx: click.Context) -> Iterator[str]:
    """Yield the keys of every option of `command` and of those below it."""
    yield from (option.key for option in command.params if isinstance(option, SettingOption))
    if isinstance(command, click.Group):
        for name in command.list_commands(ctx):
            below = command.get_command(ctx, name)
            if below is not None:
                yield from _keys(below, ctx)
