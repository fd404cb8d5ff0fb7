"""The passwords in the URLs of database and relay: no command shows them, whatever is wrong."""

from pathlib import Path

import pytest

from tests.cli.terminal import Typed, pbm

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
