"""The `pbm` command: a group whose commands are imported only when they run.

So `pbm --help`, shell completion and commands that need little stay quick. Each module of this
package is one group of commands; it imports at its top what all of them need.
"""

import gc
import importlib
import logging
import sys
import traceback
from typing import Any

import click
from click.shell_completion import CompletionItem

from pbm import __version__
from pbm.cli.printing import PrintableFormatter, as_one_line, printable

COMMANDS = {
    "setup": ("pbm.cli.setup:setup", "set up a Debian host: settings, Postfix, units, records"),
    "serve": ("pbm.cli.serve:serve", "take mails, play them, deliver the answers"),
    "work": ("pbm.cli.serve:work", "play, think and deliver what waits, then exit: for cron"),
    "remind": ("pbm.cli.remind:remind", "send reminders, end overdue games, then exit: for cron"),
    "pause": ("pbm.cli.remind:pause", "stop the clocks of all matches"),
    "resume": ("pbm.cli.remind:resume", "start them again"),
    "db": ("pbm.cli.db:db", "create, migrate, check, back up and copy the database"),
    "key": ("pbm.cli.key:key", "list and renew the keys of tokens"),
    "dkim": ("pbm.cli.key:dkim", "the key that signs mails"),
    "user": ("pbm.cli.user:user", "add, list and change players"),
    "ban": ("pbm.cli.user:ban", "keep addresses out"),
    "announce": ("pbm.cli.announce:announce", "send a mail of yours to all players"),
    "game": ("pbm.cli.game:game", "create, list, show, decide and correct matches"),
    "robot": ("pbm.cli.robot:robot", "give the server robots, and let them play each other"),
    "site": ("pbm.cli.site:site", "write the web pages of matches and players"),
    "doctor": ("pbm.cli.doctor:doctor", "say what is in order, and what to do about the rest"),
    "stats": ("pbm.cli.stats:stats", "count matches, players, waiting work and mails"),
    "trace": ("pbm.cli.trace:trace", "show the way of a mail"),
    "audit": ("pbm.cli.trace:audit", "what operators have done"),
    "shunt": ("pbm.cli.queues:shunt", "mails that met a bug"),
    "outbox": ("pbm.cli.queues:outbox", "mails that wait for the relay"),
    "verify": ("pbm.cli.db:verify", "replay every match, and compare it with what is stored"),
    "games": ("pbm.cli.rules:games", "list the installed games and their options"),
    "dev": ("pbm.cli.dev:dev", "write a game, try its rules, let robots test it"),
    "send": ("pbm.cli.mail:send", "send a mail by SMTP"),
    "mail": ("pbm.cli.mail:mail", "read the local Maildir, and reply"),
    "inject": ("pbm.cli.queues:inject", "put a raw mail into the inbox"),
    "help": ("pbm.cli.options:show_help", "show the page of a COMMAND"),
}
"""Where each command is found, and what it does."""

EARLIER = {
    "rules": "pbm.cli.rules:rules",
    "new-game": "pbm.cli.rules:new_game",
    "commands": "pbm.cli.rules:commands",
}
"""Commands that are in `pbm dev` now. The old names still work; no page shows them."""

PAGE = {
    "Run the server": ("setup", "serve", "work", "remind", "pause resume", "db", "key dkim"),
    "Players": ("user ban", "announce"),
    "Matches": ("game", "robot", "site"),
    "Look inside": ("doctor", "stats", "trace audit", "shunt outbox", "verify"),
    "For game authors": ("games", "dev"),
    "Try it out": ("send mail", "inject"),
}
"""The page of `pbm --help`: one screen, in groups; commands that belong together share a line."""

SUBCOMMANDS = {
    "mail": ("list", "show", "reply"),
    "db": ("upgrade", "check", "backup", "restore", "copy"),
    "dkim": ("new", "show"),
    "key": ("list", "new", "rotate"),
    "user": (
        *("add", "list", "show", "password", "address", "disable", "enable", "remove"),
        *("export", "erase"),
    ),
    "ban": ("add", "list", "remove"),
    "game": (
        *("create", "list", "show", "record", "import", "undo", "adjudicate", "close"),
        *("extend", "pause", "resume"),
    ),
    "dev": ("rules", "new-game", "commands", "robot"),
    "robot": ("add", "list", "disable", "enable"),
    "site": ("build", "serve"),
    "shunt": ("list", "show", "retry", "drop"),
    "outbox": ("list", "retry", "drop"),
}
"""The commands of groups, for completion: to import a group takes a shell most of a second."""


class Outline(click.Group):
    """A group whose names are known, imported only when one of its commands is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names from the table."""
        del ctx
        return list(SUBCOMMANDS[self.name or ""])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command itself."""
        whole = _imported(self.name or "")
        return whole.get_command(ctx, cmd_name) if isinstance(whole, click.Group) else None

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the names that complete `incomplete`, without an import."""
        del ctx
        names = SUBCOMMANDS[self.name or ""]
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def _imported(name: str) -> click.Command:
    place = EARLIER.get(name) or COMMANDS[name][0]
    module, _, attribute = place.partition(":")
    if module not in sys.modules:
        _import(module)
    command: click.Command = getattr(sys.modules[module], attribute)
    return command


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
        if cmd_name not in COMMANDS and cmd_name not in EARLIER:
            return None
        if ctx.resilient_parsing and cmd_name in SUBCOMMANDS:
            return Outline(cmd_name)
        return _imported(cmd_name)

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
            for row in rows:
                names = row.split()
                text = "; ".join(COMMANDS[name][1] for name in names)
                formatter.write(f"  {', '.join(names):<16}{text[0].upper()}{text[1:]}.\n")
        formatter.write(f"{self.help}\n")
        records = (option.get_help_record(ctx) for option in self.get_params(ctx))
        formatter.write_dl([record for record in records if record])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands that complete `incomplete`, without an import."""
        names = (name for name in COMMANDS if name.startswith(incomplete))
        return [
            *(CompletionItem(name, help=COMMANDS[name][1]) for name in names),
            *click.Command.shell_complete(self, ctx, incomplete),
        ]


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="pbm")
@click.option(
    "--config", envvar="PBM_CONFIG", type=click.Path(dir_okay=False),
    help="The settings file.  [default: ./pbm.toml, if there is one]",
)  # fmt: skip
@click.pass_context
def group(ctx: click.Context, config: str | None) -> None:
    """More: pbm COMMAND --help. What all commands share: pbm help settings."""
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
