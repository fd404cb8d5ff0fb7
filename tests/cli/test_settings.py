"""Settings: from where they come, who runs pbm, and passwords that stay hidden."""

import os
import pwd
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from pbm.cli.options import login_name, refuse_root
from pbm.config import ConfigError
from tests.cli.terminal import Typed, done, pbm, refused
from tests.processes import clean_environment, run_pbm


def databases(home: Path) -> list[str]:
    return sorted(file.name for file in home.rglob("*.db"))


@pytest.fixture
def settings_file(bare: Path) -> str:
    file = bare / "settings.toml"
    file.write_text('database = "sqlite:///file.db"\n')
    return str(file)


def test_without_any_setting_the_default_is_taken(bare: Path) -> None:
    done("db", "upgrade")
    assert databases(bare) == ["pbm.db"]
    assert (bare / "var" / "pbm.db").exists()


def test_the_file_beats_the_default(bare: Path, settings_file: str) -> None:
    done("--config", settings_file, "db", "upgrade")
    assert databases(bare) == ["file.db"]


def test_the_file_may_be_named_in_the_environment(
    bare: Path, settings_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBM_CONFIG", settings_file)
    done("db", "upgrade")
    assert databases(bare) == ["file.db"]


def test_the_environment_beats_the_file(
    bare: Path, settings_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBM_DATABASE", "sqlite:///environment.db")
    done("--config", settings_file, "db", "upgrade")
    assert databases(bare) == ["environment.db"]


def test_a_flag_beats_the_environment_and_the_file(
    bare: Path, settings_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBM_DATABASE", "sqlite:///environment.db")
    done("--config", settings_file, "db", "upgrade", "--database", "sqlite:///flag.db")
    assert databases(bare) == ["flag.db"]


def test_a_pbm_toml_in_the_working_directory_is_read_without_being_named(bare: Path) -> None:
    (bare / "pbm.toml").write_text('database = "sqlite:///here.db"\n')
    # This needs a new process, because one that has read the file does not read it again.
    assert run_pbm("db", "upgrade", home=bare).returncode == 0
    assert databases(bare) == ["here.db"]


@pytest.mark.usefixtures("bare")
def test_a_file_that_was_named_must_be_there_and_be_read() -> None:
    assert refused("--config", "nowhere.toml", "user", "list") == (
        "nowhere.toml cannot be read: No such file or directory."
    )
    Path("broken.toml").write_text("database = \n")
    assert "broken.toml is not valid TOML" in refused("--config", "broken.toml", "user", "list")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("user", "list", "--database", "nonsense"), "The database URL cannot be read"),
        (("user", "list", "--database", "mysql://localhost/x"), "not in mysql"),
        (("user", "list", "--address", "pbm"), "The address must be a mail address"),
        (("user", "list", "--operator", "me"), "The operator must be a mail address"),
        (("user", "list", "--authserv-id", "a; b"), "The authserv-id is the name of a host"),
        (("work", "--relay", "pigeon:post"), "relay"),
        (("mail", "list", "--relay", "null:"), "only if the relay is maildir:PATH"),
        (("mail", "show", "7"), "There is no mail 7"),
        (("send", "--from", "a@example.com", "--server", "127.0.0.1:1", "help"), "No server"),
        (("send", "--from", "a@example.com", "--server", "nowhere", "help"), "HOST:PORT"),
        (("serve", "--smtp", "nowhere"), "HOST:PORT"),
        (("serve", "--smtp", "nowhere.invalid:25"), "this host does not know nowhere.invalid"),
        (("serve", "--tls-certificate", "a.pem"), "The certificate a.pem cannot be used: No such"),
        (("serve", "--relay-from", "192.0.2.7/24"), "is not a network like 192.0.2.0/24"),
        (("serve", "--roles", "dancing"), "The roles are intake, play, deliver, remind"),
        (("serve", "--log-level", "LOUD"), "The log level is"),
        (("rules", "trace", "chess"), 'There is no game "chess"'),
        (("rules", "trace", "gonnect", "--option", "size=99"), "The option size of Gonnect"),
    ],
)
@pytest.mark.usefixtures("bare")
def test_what_cannot_be_used_is_told_in_one_line_with_status_1(
    arguments: tuple[str, ...], sentence: str
) -> None:
    assert sentence in refused(*arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ("dance",),
        ("user", "dance"),
        ("user", "show"),
        ("user", "list", "--nonsense"),
        ("game", "undo", "one"),
        ("mail", "show", "one"),
        ("send", "help"),
        ("inject", "nowhere.eml"),
        ("db", "restore", "nowhere.db"),
        ("rules", "trace", "gonnect", "--option", "size"),
    ],
)
@pytest.mark.usefixtures("bare")
def test_wrong_usage_has_status_2_and_a_pointer_to_help(arguments: tuple[str, ...]) -> None:
    typed = pbm(*arguments)
    assert (typed.status, typed.out) == (2, "")
    assert "--help" in typed.err


@pytest.mark.usefixtures("bare")
def test_the_games_are_listed_with_their_options() -> None:
    listed = {row["key"]: row for row in pbm("games", "--json").json}
    assert set(listed) >= {"gonnect", "morris", "notwos", "olix", "pow2"}
    assert [option["name"] for option in listed["gonnect"]["options"]] == ["size", "ko"]
    assert listed["gonnect"]["swap_after"] == 1
    assert "size=13" in done("games")


def test_every_command_has_a_page_of_help() -> None:
    from pbm.cli import COMMANDS  # noqa: PLC0415 - the table itself is under test

    for name in COMMANDS:
        assert done(name, "--help").startswith(f"Usage: pbm {name} ")


def test_every_option_of_every_command_stands_in_the_environment_and_the_file_too() -> None:
    from pbm.cli import group  # noqa: PLC0415 - the commands themselves are under test
    from pbm.cli.options import Setting  # noqa: PLC0415

    def plain(command: click.Command, path: str) -> Iterator[str]:
        context = click.Context(command)
        for parameter in command.params:
            if isinstance(parameter, click.Option) and not isinstance(parameter, Setting):
                yield f"{path} {parameter.opts[0]}"
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                below = command.get_command(context, name)
                assert below is not None
                yield from plain(below, f"{path} {name}")

    assert set(plain(group, "pbm")) == {"pbm --version", "pbm --config"}


def test_a_flag_of_one_command_can_be_set_in_the_environment_or_the_file(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert '"legal"' in pbm("rules", "trace", "gonnect").out
    (bare / "pbm.toml").write_text('no_legal = true\noption = ["size=5"]\n')
    assert '"legal"' not in pbm("rules", "trace", "gonnect").out
    assert " F" not in pbm("rules", "trace", "gonnect").out
    (bare / "pbm.toml").unlink()
    monkeypatch.setenv("PBM_NO_LEGAL", "yes")
    assert '"legal"' not in pbm("rules", "trace", "gonnect").out


ME = pwd.getpwuid(os.getuid()).pw_name

OPEN_THE_DATABASE = (
    "serve", "work", "remind", "remind --dry-run", "pause", "resume", "user list",
    "user add zoe password1 zoe@example.com", "game list", "db upgrade", "db check",
    "db backup x.db", "shunt list", "outbox list", "stats", "doctor", "verify", "audit",
    "ban list", "ban add spam.example",
)  # fmt: skip


@pytest.fixture
def root(bare: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty directory as root, who has not been told to go on."""
    monkeypatch.delenv("PBM_AS_ROOT")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    return bare


@pytest.mark.parametrize("command", OPEN_THE_DATABASE)
def test_root_is_refused_before_anything_is_opened(command: str, root: Path) -> None:
    sentence = refused(*command.split())
    assert sentence.startswith("This would run as root")
    assert "--as-root" in sentence
    assert not (root / "var").exists()


def test_root_who_says_so_is_let_in(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert done("db", "upgrade", "--as-root")
    monkeypatch.setenv("PBM_AS_ROOT", "1")
    assert done("user", "list")
    assert (root / "var").exists()


@pytest.mark.usefixtures("root")
def test_a_command_that_opens_nothing_of_the_servers_runs_as_root() -> None:
    assert "gonnect" in done("games")


def test_nobody_else_is_refused() -> None:
    refuse_root(1000, allowed=False)
    refuse_root(0, allowed=True)
    with pytest.raises(ConfigError):
        refuse_root(0, allowed=False)


def test_a_process_of_root_is_refused_for_real(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("this needs root")
    ended = subprocess.run(
        [sys.executable, "-m", "pbm", "work"], cwd=tmp_path, capture_output=True, text=True,
        env=clean_environment(PBM_AS_ROOT="0"), check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("pbm: This would run as root")


@pytest.mark.parametrize(
    ("uid", "environment", "name"),
    [
        (os.getuid(), {}, ME),
        (os.getuid(), {"USER": "mallory", "LOGNAME": "mallory"}, ME),
        (os.getuid(), {"SUDO_USER": "ann"}, f"{ME} (ann by sudo)"),
        (4_000_000, {}, "4000000"),
    ],
)
def test_the_name_is_that_of_the_host_and_who_became_it(
    uid: int, environment: dict[str, str], name: str
) -> None:
    assert login_name(uid, environment) == name


SECRETS = (
    *("zq-sekret", "zq/sekret", "zq@sekret", "zq:sekret", "zq#sekret", "zq?sekret", "zq%sekret"),
    *("[zq-sekret", "zq-sekret]", "zq sekret", "zq\nsekret", "zq%2Fsekret", "12/sekret"),
)
"""Passwords, many of them not written as a URL asks for. No other word is like them."""

DATABASES = ("postgresql+psycopg://pbm:{}@127.0.0.1:1/pbm", "mysql://pbm:{}@127.0.0.1/x",
             "sqlite://pbm:{}@host/x", "nonsense://pbm:{}")  # fmt: skip

RELAYS = ("smtp://pbm:{}@127.0.0.1:1", "smtps://pbm:{}@127.0.0.1:x", "lmtp://pbm:{}@127.0.0.1:1",
          "nonsense://pbm:{}@127.0.0.1", "null:{}")  # fmt: skip


def is_silent(typed: Typed) -> bool:
    """Return whether no part of a password was printed, and no traceback."""
    return not any(word in typed.out + typed.err for word in ("sekret", "Traceback"))


@pytest.mark.parametrize("place", ["file", "environment", "flag"])
@pytest.mark.parametrize("command", [("serve",), ("doctor",), ("user", "list"), ("db", "upgrade")])
def test_help_does_not_show_what_is_set(
    bare: Path, monkeypatch: pytest.MonkeyPatch, place: str, command: tuple[str, ...]
) -> None:
    database, relay = DATABASES[0].format("sekret"), RELAYS[0].format("sekret")
    if place == "file":
        (bare / "its.toml").write_text(f'database = "{database}"\nrelay = "{relay}"\n')
        told = pbm("--config", "its.toml", *command, "--help")
    elif place == "environment":
        monkeypatch.setenv("PBM_DATABASE", database)
        monkeypatch.setenv("PBM_RELAY", relay)
        told = pbm(*command, "--help")
    else:
        told = pbm(*command, "--database", database, "--relay", relay, "--help")
    assert told.status == 0
    assert is_silent(told)


@pytest.mark.usefixtures("bare")
def test_help_shows_the_defaults_of_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBM_DATABASE", DATABASES[0].format("sekret"))
    told = pbm("help", "settings")
    assert "[default: sqlite:///var/pbm.db]" in " ".join(told.out.split())
    assert is_silent(told)


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("url", DATABASES)
def test_a_database_that_cannot_be_used_is_told_without_its_password(
    monkeypatch: pytest.MonkeyPatch, url: str, secret: str
) -> None:
    monkeypatch.setenv("PBM_DATABASE", url.format(secret))
    for command in (("user", "list"), ("doctor", "database")):
        told = pbm(*command)
        assert told.status == 1
        assert is_silent(told), told


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("secret", SECRETS)
def test_a_relay_that_cannot_be_used_is_told_without_its_password(
    monkeypatch: pytest.MonkeyPatch, secret: str
) -> None:
    for url in RELAYS:
        monkeypatch.setenv("PBM_RELAY", url.format(secret))
        told = pbm("doctor", "relay")
        assert is_silent(told), told
    assert is_silent(pbm("work", "--relay", RELAYS[0].format(secret)))
