"""The files in deploy/ call commands that exist, and systemd understands its units."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import click
import pytest

from pbm.cli import COMMANDS, group
from pbm.cli.db import backup
from pbm.cli.serve import serve
from tests.tables import each

DEPLOY = Path(__file__).resolve().parent.parent / "deploy"
MOST_EXPOSED = 2.0
"""What `systemd-analyze security` may say of a service, from 0 (nothing) to 10 (everything)."""

UNITS = sorted(path for path in DEPLOY.iterdir() if path.suffix in (".service", ".timer"))
COMMAND = re.compile(r"/opt/pbm/bin/pbm ([a-z]+)")
CRON_LINE = re.compile(r"(?:[\d*/,-]+\s+){5}pbm\s+cd /var/lib/pbm && /opt/pbm/bin/pbm [a-z]+ .*")


FILES = sorted(path for path in DEPLOY.iterdir() if path.is_file())


@each("file", FILES, ids=lambda file: file.name)
def test_every_command_in_deploy_is_one_of_pbm(file: Path) -> None:
    called = set(COMMAND.findall(file.read_text("utf-8")))
    assert called <= set(COMMANDS)
    assert called or file.suffix in (".toml", ".timer", ".sh", ".json", ".py")


def test_the_crontab_has_five_times_a_user_and_a_command_in_each_line() -> None:
    lines = [
        line
        for line in (DEPLOY / "pbm.cron").read_text("utf-8").splitlines()
        if line and not line.startswith(("#", "PBM_CONFIG="))
    ]
    assert len(lines) == 2
    assert all(CRON_LINE.fullmatch(line) for line in lines), lines


def test_every_key_of_the_settings_file_is_an_option() -> None:
    keys = tomllib.loads((DEPLOY / "pbm.toml").read_text("utf-8"))
    context = click.Context(group)
    options = {
        str(parameter.name)
        for command in (serve, backup)
        for parameter in command.get_params(context)
    }
    assert set(keys) <= options


def systemd_analyze() -> str:
    tool = shutil.which("systemd-analyze")
    if tool is None:
        pytest.skip("no systemd-analyze here: apt install systemd")
    return tool


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_finds_nothing_wrong_with_its_units(unit: Path, tmp_path: Path) -> None:
    tool = systemd_analyze()
    # The installed pbm is somewhere else while this runs.
    for path in UNITS:
        text = path.read_text("utf-8").replace("/opt/pbm/bin/pbm", "/bin/true")
        (tmp_path / path.name).write_text(text.replace("User=pbm", "User=root"), "utf-8")
    verified = subprocess.run(
        [tool, "verify", str(tmp_path / unit.name.replace("@.", "@1."))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (verified.returncode, verified.stderr) == (0, "")


SERVICES = [path for path in UNITS if path.suffix == ".service"]


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_a_service_exposes_no_more_than_it_must(unit: Path) -> None:
    looked = subprocess.run(
        [systemd_analyze(), "security", "--offline=true", "--no-pager", str(unit)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    figure = re.search(r"Overall exposure level for \S+: (\d+\.\d)", looked.stdout)
    assert figure is not None, looked.stdout
    assert float(figure[1]) <= MOST_EXPOSED


def settings_of(unit: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in unit.read_text("utf-8").splitlines():
        key, sign, value = line.partition("=")
        if sign and not line.startswith("#"):
            found.setdefault(key, []).append(value)
    return found


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_a_service_can_still_do_its_work(unit: Path) -> None:
    lines = settings_of(unit)
    assert lines["User"] == ["pbm"], "root is refused"
    assert lines["StateDirectory"] == ["pbm"], "where database and key are"
    families = set(lines["RestrictAddressFamilies"][0].split())
    assert families == {"AF_INET", "AF_INET6", "AF_UNIX"}, "SMTP; LMTP and PostgreSQL by socket"
    assert lines["SystemCallFilter"][0] == "@system-service"
    assert not {"PrivateNetwork", "IPAddressDeny", "InaccessiblePaths"} & set(lines)


SERVERS = [DEPLOY / "pbm.service", DEPLOY / "pbm@.service"]


@pytest.mark.parametrize("unit", SERVERS, ids=lambda unit: unit.name)
def test_postfix_can_reach_the_socket(unit: Path) -> None:
    lines = settings_of(unit)
    assert (lines["ReadWritePaths"], lines["UMask"]) == (["-/var/spool/postfix/pbm"], ["0007"])


@pytest.mark.parametrize("unit", SERVERS, ids=lambda unit: unit.name)
def test_a_server_that_hangs_is_started_again_and_leaves_no_core(unit: Path) -> None:
    lines = settings_of(unit)
    assert (lines["Type"], lines["Restart"]) == (["notify"], ["on-failure"])
    assert lines["WatchdogSec"] == ["6min"], "more than a relay may take for one mail"
    assert lines["LimitCORE"] == ["0"], "it would hold passwords and the key"
    assert lines["StartLimitIntervalSec"] == ["0"], "however long the database is away"
    assert "postgresql.service" in lines["After"][0]
