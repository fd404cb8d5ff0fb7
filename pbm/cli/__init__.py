"""The `pbm` command: a group whose commands are imported only when they run.

So `pbm --version` and shell completion stay quick. Each module of this package holds one group
of commands.
"""

import importlib
import logging
import sys
import traceback
from typing import Any

import click

from pbm import __version__
from pbm.cli.printing import PrintableFormatter, printable

COMMANDS = {
    "serve": "pbm.cli.serve:serve",
    "work": "pbm.cli.serve:work",
    "remind": "pbm.cli.remind:remind",
    "pause": "pbm.cli.remind:pause",
    "resume": "pbm.cli.remind:resume",
    "send": "pbm.cli.mailing:send",
    "mail": "pbm.cli.mailing:mail",
    "inject": "pbm.cli.mailing:inject",
    "db": "pbm.cli.db:db",
    "user": "pbm.cli.user:user",
    "ban": "pbm.cli.ban:ban",
    "game": "pbm.cli.game:game",
    "games": "pbm.cli.rules:games",
    "rules": "pbm.cli.rules:rules",
    "commands": "pbm.cli.rules:commands",
    "new-game": "pbm.cli.authoring:new_game",
    "bench": "pbm.cli.bench:bench",
    "stats": "pbm.cli.stats:stats",
    "doctor": "pbm.cli.doctor:doctor",
    "verify": "pbm.cli.verify:verify",
    "shunt": "pbm.cli.queues:shunt",
    "outbox": "pbm.cli.queues:outbox",
    "audit": "pbm.cli.audit:audit",
}
"""Where each command is found."""


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name, or None."""
        del ctx
        path = COMMANDS.get(cmd_name)
        if path is None:
            return None
        module, _, name = path.partition(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="pbm")
@click.option(
    "--config", envvar="PBM_CONFIG", type=click.Path(dir_okay=False),
    help="The settings file.  [default: ./pbm.toml, if there is one]",
)  # fmt: skip
@click.pass_context
def group(ctx: click.Context, config: str | None) -> None:
    """A play-by-email game server."""
    ctx.obj = config


def main(arguments: list[str] | None = None) -> Any:
    """Run the command line; an error ends in status 1 and one line, a bug in its traceback."""
    if logging.lastResort is not None:
        # It prints the warnings of every command that keeps no log of its own.
        logging.lastResort.setFormatter(PrintableFormatter())
    try:
        return group.main(arguments, prog_name="pbm")
    except Exception as error:  # noqa: BLE001 - a bug is printed as well, with nothing harmful
        from pbm.cli.errors import as_one_line  # noqa: PLC0415 - it imports half of the house

        line = as_one_line(error)
        bug = "".join(traceback.format_exception(error)).rstrip()
        click.echo(printable(bug if line is None else f"pbm: {line}"), err=True)
        sys.exit(1)
