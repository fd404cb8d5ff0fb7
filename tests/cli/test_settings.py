"""Settings: from where they come, who runs pbm, and passwords that stay hidden."""

import os
import pwd
from pathlib import Path

import pytest

from pbm.cli.options import login_name
from pbm.config import ConfigError, read_site_url
from tests.cli.terminal import Typed, done, pbm, refused
from tests.processes import run_pbm


def databases(home: Path) -> list[str]:
    return sorted(file.name for file in home.rglob("*.db"))


@pytest.fixture
def settings_file(bare: Path) -> str:
    file = bare / "settings.toml"
    file.write_text('database = "sqlite:///file.db"\n')
    return str(file)


@pytest.mark.parametrize(
    ("file", "environment", "flag", "taken"),
    [
        ("", {}, "", "pbm.db"),
        ("flag", {}, "", "file.db"),
        ("environment", {}, "", "file.db"),
        ("flag", {"PBM_DATABASE": "sqlite:///environment.db"}, "", "environment.db"),
        ("flag", {"PBM_DATABASE": "sqlite:///environment.db"}, "sqlite:///flag.db", "flag.db"),
    ],
)
def test_a_flag_beats_the_environment_which_beats_the_file_which_beats_the_default(
    bare: Path,
    settings_file: str,
    file: str,
    environment: dict[str, str],
    flag: str,
    taken: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`file`: by what the settings file is named."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    if file == "environment":
        monkeypatch.setenv("PBM_CONFIG", settings_file)
    named = ("--config", settings_file) if file == "flag" else ()
    done(*named, "db", "upgrade", *(("--database", flag) if flag else ()))
    assert databases(bare) == [taken]


def test_a_pbm_toml_in_the_working_directory_is_read_without_being_named(bare: Path) -> None:
    (bare / "pbm.toml").write_text('database = "sqlite:///here.db"\n')
    # This needs a new process, because one that has read the file does not read it again.
    assert run_pbm("db", "upgrade", home=bare).returncode == 0
    assert databases(bare) == ["here.db"]


@pytest.mark.usefixtures("bare")
def test_a_file_that_was_named_must_be_readable() -> None:
    Path("broken.toml").write_text("database = \n")
    assert "broken.toml is not valid TOML" in refused("--config", "broken.toml", "user", "list")


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


def test_root_is_refused_before_anything_is_opened_unless_told_to_go_on(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for command in OPEN_THE_DATABASE:
        sentence = refused(*command.split())
        assert sentence.startswith("pbm refuses to run as root"), command
        assert "--as-root" in sentence
    assert "gonnect" in done("games"), "it opens nothing of the server's"
    assert not (root / "var").exists()
    assert done("db", "upgrade", "--as-root")
    monkeypatch.setenv("PBM_AS_ROOT", "1")
    assert done("user", "list")
    monkeypatch.delenv("PBM_AS_ROOT")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert done("user", "list")


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


SITES = {
    "https://games.example.org": "https://games.example.org/",
    "http://127.0.0.1:8080/pbm/": "http://127.0.0.1:8080/pbm/",
    "games.example.org": "", "ftp://games.example.org": "", "https://": "", "https://[x/": "",
    "https://alice@games.example.org": "", "https://games.example.org/?q": "", "https://a b/": "",
    "https://games.example.org:65536": "",
}  # fmt: skip
"""Addresses of web pages as they are written and as they are used; "" for those refused."""


def test_the_address_of_the_web_pages_is_a_plain_url_that_ends_in_a_slash() -> None:
    for written, used in SITES.items():
        if used:
            assert read_site_url(written) == used
        else:
            with pytest.raises(ConfigError, match=r"^The site-url is an address like https:"):
                read_site_url(written)


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


def test_help_does_not_show_what_is_set(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database, relay = DATABASES[0].format("sekret"), RELAYS[0].format("sekret")
    (bare / "its.toml").write_text(f'database = "{database}"\nrelay = "{relay}"\n')
    pages = ("serve", "doctor", "user list", "db upgrade", "help settings")
    lines = [
        line
        for page in pages
        for line in (f"--config its.toml {page}", f"{page} --database {database} --relay {relay}")
    ]
    told = [pbm(*line.split(), "--help") for line in lines]
    monkeypatch.setenv("PBM_DATABASE", database)
    monkeypatch.setenv("PBM_RELAY", relay)
    told += [pbm(*page.split(), "--help") for page in pages]
    assert [typed.status for typed in told] == [0] * 15
    assert all(map(is_silent, told))


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("url", DATABASES)
def test_a_database_that_cannot_be_used_is_told_without_its_password(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    for secret in SECRETS:
        monkeypatch.setenv("PBM_DATABASE", url.format(secret))
        for command in (("user", "list"), ("doctor", "database")):
            told = pbm(*command)
            assert told.status == 1
            assert is_silent(told), told


@pytest.mark.usefixtures("home")
def test_a_relay_that_cannot_be_used_is_told_without_its_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for secret in SECRETS:
        for url in RELAYS:
            monkeypatch.setenv("PBM_RELAY", url.format(secret))
            told = pbm("doctor", "relay")
            assert is_silent(told), told
        assert is_silent(pbm("work", "--relay", RELAYS[0].format(secret)))
