"""The `pbm` command: a group whose commands are imported only when they run.

So `pbm --help`, shell completion and commands that need little stay quick. Each module of this
package is one group of commands; it imports at its top what all of them need.
"""

import gc
import importlib
import logging
import sys
import traceback
from collections.abc import Mapping
from typing import Any, NamedTuple

import click
from click.shell_completion import CompletionItem

from pbm.cli.printing import PrintableFormatter, as_one_line, printable


class Row(NamedTuple):
    """A command: its module in this package, and what it does.

    The module names it as it is typed. One that is `beside` the command before it shares its line
    of the page.
    """

    module: str
    text: str
    beside: bool = False


PAGE = {
    "Run the server": {
        "setup": Row("setup", "set up a Debian host, or a mailbox at a provider"),
        "serve": Row("serve", "run the server: receive email, play it, send the answers"),
        "work": Row("serve", "play and deliver what is waiting, then exit (for cron)"),
        "remind": Row("remind", "send reminders, end overdue games, then exit (for cron)"),
        "pause": Row("remind", "stop the clocks of all matches"),
        "resume": Row("remind", "start them again", beside=True),
        "db": Row("db", "create, upgrade, check, back up and copy the database"),
        "key": Row("key", "list and renew the keys of reply tokens"),
        "dkim": Row("key", "the DKIM key", beside=True),
    },
    "Players": {
        "user": Row("user", "add, list and change players"),
        "ban": Row("user", "block addresses", beside=True),
        "announce": Row("announce", "email all players"),
    },
    "Matches": {
        "game": Row("game", "create, list, show, decide and correct matches"),
        "robot": Row("robot", "add, list and disable robots"),
        "league": Row("league", "open, list and end leagues"),
        "site": Row("site", "write the web pages of matches and players"),
    },
    "Look inside": {
        "doctor": Row("doctor", "check the installation and suggest fixes"),
        "stats": Row("stats", "count matches, players, messages and waiting work"),
        "trace": Row("trace", "what happened to a message"),
        "audit": Row("trace", "what operators did", beside=True),
        "shunt": Row("queues", "messages that met a bug"),
        "outbox": Row("queues", "messages to be delivered", beside=True),
        "verify": Row("db", "replay every match and compare it with what is stored"),
    },
    "For game authors": {
        "games": Row("rules", "list the installed games and their options"),
        "dev": Row("dev", "write a game, try its rules, let robots test it"),
    },
    "Try it out": {
        "send": Row("mail", "send a message by SMTP"),
        "mail": Row("mail", "read the local Maildir, reply", beside=True),
        "inject": Row("queues", "put a raw message into the inbox"),
    },
}  # fmt: skip
"""The page of `pbm --help`: one screen, in groups.

Completion takes the names from here, with no command imported.
"""

COMMANDS = {
    **{name: entry for rows in PAGE.values() for name, entry in rows.items()},
    "help": Row("help", "show the help page of a command"),
}

EARLIER = {name: Row("rules", "") for name in ("rules", "new-game", "commands")}
"""Commands that are in `pbm dev` now. The old names still work; no page shows them."""


def _import(module: str) -> None:
    """Import without garbage collection, which found nothing and took a tenth of a start."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        importlib.import_module(module)
        gc.freeze()
    finally:
        if collecting:
            gc.enable()


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name, or None."""
        del ctx
        row = COMMANDS.get(cmd_name) or EARLIER.get(cmd_name)
        if row is None:
            return None
        module = f"pbm.cli.{row.module}"
        if module not in sys.modules:
            _import(module)
        command: click.Command = getattr(sys.modules[module], cmd_name.replace("-", "_"))
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command; the error for a mistyped one suggests similar names."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            raise click.exceptions.NoSuchCommand(
                error.command_name, possibilities=COMMANDS, ctx=ctx
            ) from None

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the page from the table, with no command imported."""
        self.format_usage(ctx, formatter)
        for group, rows in PAGE.items():
            formatter.write(f"{group}\n")
            for names in _lines(rows):
                text = "; ".join(rows[name].text for name in names)
                formatter.write(f"  {', '.join(names):<16}{text[0].upper()}{text[1:]}.\n")
        formatter.write(f"{self.help}\n")
        records = (option.get_help_record(ctx) for option in self.get_params(ctx))
        formatter.write_dl([record for record in records if record])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands that complete `incomplete`, without an import."""
        names = (name for name in COMMANDS if name.startswith(incomplete))
        return [
            *(CompletionItem(name, help=COMMANDS[name].text) for name in names),
            *click.Command.shell_complete(self, ctx, incomplete),
        ]


def _lines(rows: Mapping[str, Row]) -> list[list[str]]:
    """Return the names by line of the page."""
    lines: list[list[str]] = []
    for name, entry in rows.items():
        if entry.beside:
            lines[-1].append(name)
        else:
            lines.append([name])
    return lines


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pbm-server", prog_name="pbm")
@click.option(
    "--config", envvar="PBM_CONFIG", type=click.Path(dir_okay=False),
    help="The settings file.  [default: ./pbm.toml, if there is one]",
)  # fmt: skip
@click.pass_context
def group(ctx: click.Context, config: str | None) -> None:
    """For more: pbm COMMAND --help. Settings of all commands: pbm help settings."""
    ctx.obj = config


def main(arguments: list[str] | None = None) -> Any:
    """Run the command line; an error ends in status 1 and one line, a bug in its traceback."""
    if logging.lastResort is not None:
        # It prints the warnings of every command that keeps no log of its own.
        logging.lastResort.setFormatter(PrintableFormatter())
    try:
        return group.main(arguments, prog_name="pbm")
    except Exception as error:  # noqa: BLE001 - a bug is printed as well, with nothing harmful
        line = as_one_line(error)
        bug = "".join(traceback.format_exception(error)).rstrip()
        click.echo(printable(bug if line is None else f"pbm: {line}"), err=True)
        sys.exit(1)
