"""The `pbm` command: a group whose commands are imported only when they run.

So `pbm --help` and shell completion stay quick, and so does a command that needs little. Each
module of this package holds one group of commands; it imports at its top what all of them need.
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
    "help": (
        "pbm.cli.options:show_help",
        "Show the page of a COMMAND, or with the word settings what all commands share.",
    ),
    "serve": ("pbm.cli.serve:serve", "Run a server: take mails, play them, deliver the answers."),
    "work": ("pbm.cli.serve:work", "Play, think and deliver what waits, then exit: for cron."),
    "remind": (
        "pbm.cli.remind:remind",
        "Send nags and last warnings, end overdue games, close what has expired.",
    ),
    "pause": ("pbm.cli.remind:pause", "Stop the clocks of all matches, and tell the players."),
    "resume": (
        "pbm.cli.remind:resume",
        "Let the clocks of all matches run again, and tell the players their new deadlines.",
    ),
    "send": ("pbm.cli.mail:send", "Send a mail by SMTP: SUBJECT, and TEXT or standard input."),
    "mail": (
        "pbm.cli.mail:mail",
        "Read the local Maildir and reply: enough to play at a terminal.",
    ),
    "inject": (
        "pbm.cli.queues:inject",
        "Put the raw mail in FILE into the inbox; - is standard input.",
    ),
    "db": ("pbm.cli.db:db", "Create, migrate, check and back up the database."),
    "user": ("pbm.cli.user:user", "Add, list and change players."),
    "ban": (
        "pbm.cli.user:ban",
        "Keep addresses and domains out: mails from there are neither executed nor answered.",
    ),
    "announce": (
        "pbm.cli.announce:announce",
        "Send a mail of yours to all players: SUBJECT, and the text in FILE or standard input.",
    ),
    "game": ("pbm.cli.game:game", "Create, list, show, decide and correct matches."),
    "games": (
        "pbm.cli.rules:games",
        "List the rule engines that are installed, with their options.",
    ),
    "rules": ("pbm.cli.rules:rules", "Try the rules of a game."),
    "robot": (
        "pbm.cli.robot:robot",
        "Give a server robots to play with, and let them play to learn whether a game is balanced.",
    ),
    "commands": ("pbm.cli.rules:commands", "Print the reference of all that players can write."),
    "new-game": (
        "pbm.cli.rules:new_game",
        "Write the skeleton of a game: a package of its own, ./pbm-KEY.",
    ),
    "stats": ("pbm.cli.stats:stats", "Count matches, players, waiting work, and mails in and out."),
    "dkim": ("pbm.cli.key:dkim", "Make and show the key that signs the mails that leave."),
    "key": ("pbm.cli.key:key", "List and renew the keys of the reply tokens."),
    "doctor": (
        "pbm.cli.doctor:doctor",
        "Look at settings, files, database, relay, names and signs of life; change nothing.",
    ),
    "verify": (
        "pbm.cli.db:verify",
        "Replay every match; status 1 if one differs from what is stored, and is not repaired.",
    ),
    "shunt": (
        "pbm.cli.queues:shunt",
        "Mails that met a bug: they had no effect, and nothing is lost.",
    ),
    "outbox": ("pbm.cli.queues:outbox", "Mails that wait for the relay, or were given up."),
    "trace": (
        "pbm.cli.trace:trace",
        "Show the way of a mail: when it came, what became of it, which mails it led to.",
    ),
    "audit": (
        "pbm.cli.trace:audit",
        "List what operators have done by pbm: when, who, what, before, after, why; newest last.",
    ),
}
"""Where each command is found, and the first sentence of its page of help."""


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
    "rules": ("trace",),
    "robot": ("add", "list", "disable", "enable", "calibrate", "duel"),
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
        """Return what completes `incomplete`, with nothing imported."""
        del ctx
        names = SUBCOMMANDS[self.name or ""]
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def _imported(name: str) -> click.Command:
    module, _, attribute = COMMANDS[name][0].partition(":")
    if module not in sys.modules:
        _import(module)
    command: click.Command = getattr(sys.modules[module], attribute)
    return command


def _import(module: str) -> None:
    """Import without a search for garbage: all of it stays, and to look took a tenth of a start."""
    searching = gc.isenabled()
    gc.disable()
    try:
        importlib.import_module(module)
        gc.freeze()
    finally:
        if searching:
            gc.enable()


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name, or None."""
        if cmd_name not in COMMANDS:
            return None
        if ctx.resilient_parsing and cmd_name in SUBCOMMANDS:
            return Outline(cmd_name)
        return _imported(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is meant; the error for a mistyped one names those like it."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            raise click.exceptions.NoSuchCommand(
                error.command_name, possibilities=COMMANDS, ctx=ctx
            ) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands as click does, from the table instead of the commands."""
        del ctx
        room = formatter.width - 6 - max(map(len, COMMANDS))
        with formatter.section("Commands"):
            formatter.write_dl([(name, _told(name, room)) for name in COMMANDS])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return what completes `incomplete`, without a command imported."""
        names = (name for name in COMMANDS if name.startswith(incomplete))
        return [
            *(CompletionItem(name, help=_told(name)) for name in names),
            *click.Command.shell_complete(self, ctx, incomplete),
        ]


def _told(name: str, room: int = 45) -> str:
    """Return what the command does in at most `room` letters, cut as click cuts it."""
    return click.Command(name, help=COMMANDS[name][1]).get_short_help_str(room)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="pbm")
@click.option(
    "--config", envvar="PBM_CONFIG", type=click.Path(dir_okay=False),
    help="The settings file.  [default: ./pbm.toml, if there is one]",
)  # fmt: skip
@click.pass_context
def group(ctx: click.Context, config: str | None) -> None:
    """A play-by-email game server.

    pbm help settings lists what all commands share: database, relay, address and more.
    """
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
