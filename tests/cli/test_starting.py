"""A command imports only what it uses: what it does not is most of the time that it would take."""

import os
import subprocess
import sys
from pathlib import Path
from pkgutil import resolve_name

import click
import pytest

from pbm.cli import COMMANDS, SUBCOMMANDS, group
from pbm.cli.printing import MENDABLE
from tests.tables import each

LIBRARIES = frozenset({"sqlalchemy", "alembic", "jinja2", "aiosmtpd", "PIL", "argon2", "psycopg"})
"""What is slow to import, and none of these commands needs."""

RUN = """
import os, sys
from pbm.cli import main
try:
    main(sys.argv[1:])
finally:
    sys.stdout = open(os.devnull, "w")
    print(*sys.modules, file=sys.stderr)
"""


def imported(*arguments: str, **environment: str) -> set[str]:
    """Return all modules that a `pbm` with these arguments has imported when it ends."""
    run = subprocess.run(
        [sys.executable, "-c", RUN, *arguments], capture_output=True, text=True, check=False,
        env=os.environ | environment, timeout=60, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return set(run.stderr.splitlines()[-1].split())


def layers(modules: set[str]) -> set[str]:
    """Return which of our packages and modules are among them, named by what follows `pbm.`"""
    return {name.split(".")[1] for name in modules if name.startswith("pbm.")}


SEND = ("send", "--from", "alice@example.org", "--server", "127.0.0.1:1", "help", "")


@pytest.mark.parametrize(
    ("arguments", "ours"),
    [
        (("--version",), {"cli"}),
        (("--help",), {"cli"}),
        (SEND, {"cli", "config", "domain", "engine", "system"}),
        (
            ("rules", "trace", "gonnect"),
            {"cli", "config", "domain", "engine", "plugins", "system"},
        ),
    ],
)
def test_a_command_imports_only_what_it_uses(arguments: tuple[str, ...], ours: set[str]) -> None:
    modules = imported(*arguments)
    assert layers(modules) == ours
    assert not LIBRARIES & modules


def test_completing_a_command_imports_none() -> None:
    modules = imported(_PBM_COMPLETE="bash_complete", COMP_WORDS="pbm s", COMP_CWORD="1")
    assert "click.shell_completion" in modules
    assert layers(modules) == {"cli"}


def completed(*words: str) -> list[str]:
    """Return what a bash is offered after `pbm` and these words, the last of them begun."""
    run = subprocess.run(
        [sys.executable, "-m", "pbm"], capture_output=True, text=True, check=True, timeout=60,
        env=os.environ | {
            "_PBM_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(["pbm", *words]),
            "COMP_CWORD": str(len(words)),
        },
    )  # fmt: skip
    return [line.partition(",")[2] for line in run.stdout.splitlines() if line]


def test_completing_a_command_of_a_group_imports_none_of_it() -> None:
    modules = imported(_PBM_COMPLETE="bash_complete", COMP_WORDS="pbm user e", COMP_CWORD="2")
    assert "click.shell_completion" in modules
    assert layers(modules) == {"cli"}
    assert completed("user", "e") == ["enable", "export", "erase"]


def test_options_and_games_are_completed_as_well() -> None:
    assert completed("rules", "trace", "g") == ["gonnect"]
    assert completed("user", "disable", "--rea") == ["--reason"]


@pytest.mark.usefixtures("table")
def test_boards_players_roles_and_checks_are_completed() -> None:
    assert completed("game", "show", "1") == ["101"]
    assert completed("user", "show", "B") == ["bob"]
    assert completed("serve", "--roles", "intake,p") == ["intake,play"]
    assert completed("doctor", "out") == ["outages", "outbox"]


@pytest.mark.usefixtures("bare")
def test_completing_creates_no_database() -> None:
    assert completed("user", "show", "") == []
    assert not Path("var").exists()


@each("name", sorted(SUBCOMMANDS))
def test_the_names_that_complete_a_group_are_those_of_its_commands(name: str) -> None:
    context = click.Context(group)
    command = group.get_command(context, name)
    assert isinstance(command, click.Group)
    assert sorted(SUBCOMMANDS[name]) == sorted(command.list_commands(context))


def test_every_group_has_its_names_in_the_table() -> None:
    context = click.Context(group)
    commands = {name: group.get_command(context, name) for name in COMMANDS}
    groups = {name for name, command in commands.items() if isinstance(command, click.Group)}
    assert groups == set(SUBCOMMANDS)


@each("name", sorted(MENDABLE))
def test_what_is_told_in_one_line_is_the_name_of_an_exception(name: str) -> None:
    kind = resolve_name(name)
    assert issubclass(kind, Exception)
    assert f"{kind.__module__}.{kind.__qualname__}" == name
