"""The files in deploy/ call commands that exist, and systemd understands its units."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import click
import pytest

from pbm.cli import COMMANDS, group
from pbm.cli.serve import serve

DEPLOY = Path(__file__).resolve().parent.parent / "deploy"
UNITS = sorted(path for path in DEPLOY.iterdir() if path.suffix in (".service", ".timer"))
COMMAND = re.compile(r"/opt/pbm/bin/pbm ([a-z]+)")
CRON_LINE = re.compile(r"(?:[\d*/,-]+\s+){5}pbm\s+cd /var/lib/pbm && /opt/pbm/bin/pbm [a-z]+ .*")


@pytest.mark.parametrize("file", sorted(DEPLOY.iterdir()), ids=lambda file: file.name)
def test_every_command_in_deploy_is_one_of_pbm(file: Path) -> None:
    called = set(COMMAND.findall(file.read_text("utf-8")))
    assert called <= set(COMMANDS)
    assert called or file.suffix in (".toml", ".timer")


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
    options = {str(parameter.name) for parameter in serve.get_params(context)}
    assert set(keys) <= options


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_finds_nothing_wrong_with_its_units(unit: Path, tmp_path: Path) -> None:
    tool = shutil.which("systemd-analyze")
    if tool is None:
        pytest.skip("no systemd-analyze here: apt install systemd")
    # The installed pbm is somewhere else while this runs.
    for path in UNITS:
        text = path.read_text("utf-8").replace("/opt/pbm/bin/pbm", "/bin/true")
        (tmp_path / path.name).write_text(text.replace("User=pbm", "User=root"), "utf-8")
    verified = subprocess.run(
        [tool, "verify", str(tmp_path / unit.name)], capture_output=True, text=True, check=False
    )
    assert (verified.returncode, verified.stderr) == (0, "")
