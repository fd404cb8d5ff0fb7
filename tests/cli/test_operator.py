"""Who may run pbm, and by which name the audit knows them."""

import os
import pwd
import subprocess
import sys
from pathlib import Path

import pytest

from pbm.cli.options import login_name, refuse_root
from pbm.config import ConfigError
from tests.cli.terminal import done, refused
from tests.e2e.server import clean_environment

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
    refuse_root(1000, told=False)
    refuse_root(0, told=True)
    with pytest.raises(ConfigError):
        refuse_root(0, told=False)


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
