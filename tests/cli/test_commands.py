"""The tree of commands: what each one offers, takes, completes and imports."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from pbm.cli import COMMANDS, group
from pbm.cli.options import SettingOption
from tests.cli.terminal import done, pbm


def leaves(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    """Yield each command below `command` with its whole name, groups first."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from leaves(below, f"{path} {name}")


ALL = dict(leaves(group, "pbm"))

READ_ONLY = frozenset(
    {
        *("pbm serve", "pbm work", "pbm remind", "pbm send", "pbm inject", "pbm mail list"),
        *("pbm mail show", "pbm mail reply", "pbm db check", "pbm db backup", "pbm user list"),
        *("pbm user show", "pbm user export", "pbm game list", "pbm game show", "pbm game record"),
        *("pbm games", "pbm dev rules trace", "pbm dev commands", "pbm dev new-game"),
        "pbm dev playthroughs",
        *("pbm stats", "pbm trace", "pbm doctor", "pbm verify", "pbm shunt list", "pbm help"),
        *("pbm outbox list", "pbm ban list", "pbm audit", "pbm key list", "pbm dkim show"),
        *(
            "pbm dkim new",
            "pbm dev robot duel",
            "pbm robot list",
            "pbm setup",
        ),
        *("pbm site build", "pbm site serve", "pbm league list", "pbm league show"),
    }
)
"""Commands that change nothing by an operator's will: they read, or do what a server does."""


def test_every_command_that_changes_something_takes_a_reason() -> None:
    takes = {
        path: any("--why" in parameter.opts for parameter in command.params)
        for path, command in ALL.items()
        if not isinstance(command, click.Group)
    }
    assert {path for path, reason in takes.items() if not reason} <= READ_ONLY
    assert not {path for path, reason in takes.items() if reason} & READ_ONLY


def test_every_option_of_every_command_stands_in_the_environment_and_the_file_too() -> None:
    plain = {
        f"{path} {parameter.opts[0]}"
        for path, command in ALL.items()
        for parameter in command.params
        if isinstance(parameter, click.Option) and not isinstance(parameter, SettingOption)
    }
    # setup writes the file.
    names = ("domain", "host", "operator", "apply", "mailbox", "password-command")
    assert plain == {"pbm --version", "pbm --config", *(f"pbm setup --{name}" for name in names)}


@pytest.mark.usefixtures("bare")
def test_the_first_page_is_one_screen_with_every_command_and_no_page_cuts_a_line() -> None:
    page = done("--help").splitlines()
    assert page == done("help").splitlines()
    assert len(page) <= 34
    assert all(len(line) <= 80 and not line.endswith("...") for line in page[1:])
    names = {name for line in page if line[:2] == "  " for name in line[:18].split(", ")}
    assert {*COMMANDS} - {"help"} <= {name.strip() for name in names}
    assert "pbm help settings" in "".join(page)
    for name in COMMANDS:
        helped = done(name, "--help")
        assert helped.startswith(f"Usage: pbm {name} ")
        assert "..." not in helped.partition("Commands:")[2]


@pytest.mark.usefixtures("bare")
def test_every_key_of_the_json_of_stats_is_promised_by_its_help() -> None:
    done("db", "upgrade")
    done("work")
    done("game", "create", "gonnect", "robot-1", "robot-2", "--option", "size=5")
    promised = done("stats", "--help").splitlines()
    told = pbm("stats", "--json").json
    assert set(told["games"]) == {"gonnect"}
    assert told["games"]["gonnect"] == told["matches"]
    for key, value in told.items():
        line = next(line for line in promised if line.startswith(f"  {key}"))
        inner = value[0] if isinstance(value, list) else value
        below = inner if isinstance(inner, dict) and key != "games" else {}
        assert all(name in line for name in below)


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("name", ["rules", "new-game", "commands", "robot duel"])
def test_the_earlier_name_of_a_command_for_authors_works_and_no_page_lists_it(name: str) -> None:
    words = name.split()
    page = done(*words, "--help")
    assert page.replace(f"pbm {name}", f"pbm dev {name}") == done("dev", *words, "--help")
    assert f"\n  {words[-1]} " not in done(*words[:-1], "--help")


# ---- what is imported: most of the time that a command would take

SLOW = frozenset({"sqlalchemy", "alembic", "jinja2", "aiosmtpd", "PIL", "argon2", "psycopg"})
"""Modules that are slow to import, and that none of these commands needs."""

RUN = """
import os, sys
from pbm.cli import main
try:
    main(sys.argv[1:])
finally:
    sys.stdout = open(os.devnull, "w")
    print(*sys.modules, file=sys.stderr)
"""


def imported(*arguments: str, script: str = RUN, **environment: str) -> set[str]:
    """Return what a `pbm` has imported when it ends: our parts by name, and slow libraries."""
    run = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=False,
        env=os.environ | environment, timeout=60, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    modules = set(run.stderr.splitlines()[-1].split())
    assert not environment or "click.shell_completion" in modules
    return {name.split(".")[1] for name in modules if name.startswith("pbm.")} | (SLOW & modules)


ALWAYS = {"cli", "errors"}

PAGES = """
import sys
from contextlib import suppress
from pbm.cli import COMMANDS, main
for name in COMMANDS:
    with suppress(SystemExit):
        main([name, "--help"])
print(*sys.modules, file=sys.stderr)
"""


def test_a_page_of_help_imports_nothing_that_its_command_needs_to_run() -> None:
    small = {"config", "domain", "engine", "robots", "server", "system"}
    assert imported(script=PAGES) == {*ALWAYS, *small}


RULES = ALWAYS | {"config", "domain", "engine", "plugins", "system"}
SEND = "send --from alice@example.org --server 127.0.0.1:1 help"


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("--version", ALWAYS),
        ("--help", ALWAYS),
        (SEND, RULES - {"plugins"}),
        ("rules trace gonnect", RULES),
        ("dev rules trace gonnect", RULES | {"robots"}),
    ],
)
def test_a_command_imports_only_what_it_uses(line: str, parts: set[str]) -> None:
    assert imported(*line.split()) == parts


def completing(*words: str) -> dict[str, str]:
    """Return the environment in which bash asks what comes after `pbm` and these words."""
    line = {"COMP_WORDS": " ".join(["pbm", *words]), "COMP_CWORD": str(len(words))}
    return {"_PBM_COMPLETE": "bash_complete", **line}


def test_completing_a_command_imports_none() -> None:
    assert imported(**completing("s")) == ALWAYS


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("user e", "enable export erase"),
        ("dev n", "new-game"),
        ("dev rules trace gon", "gonnect"),
        ("user disable --rea", "--reason"),
        ("game show 1", "101"),
        ("user show B", "bob"),
        ("serve --roles intake,p", "intake,play"),
        ("doctor out", "outages outbox"),
        ("user show  --database sqlite:///none/pbm.db", ""),
    ],
)
def test_a_shell_is_offered_what_can_come_next(
    words: str, offered: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in completing(*words.split(" ")).items():
        monkeypatch.setenv(name, value)
    lines = [line.partition(",")[2] for line in pbm().out.splitlines() if line]
    assert " ".join(lines) == offered
    assert not Path("none").exists()
