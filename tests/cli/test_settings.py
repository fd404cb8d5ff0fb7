"""Where a setting comes from: flag beats environment beats file beats default."""

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from tests.cli.terminal import done, pbm, refused
from tests.e2e.server import run_pbm


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
