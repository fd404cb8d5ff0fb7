"""The files in deploy/: they call commands that exist, and who runs them understands them."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest

from pbm.cli import COMMANDS, group
from pbm.cli.db import backup
from pbm.cli.serve import serve
from pbm.cli.site import build
from tests.processes import PBM, clean_environment, run_pbm, start

DEPLOY = Path(__file__).resolve().parent.parent / "deploy"


def tool(name: str, source: str) -> str:
    """Return the path of a program; skip the test where there is none."""
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        pytest.skip(f"no {name} here: {source}")
    return found


def output(*command: str | Path, **more: Any) -> tuple[int, str]:
    """Return the exit status of a command, and all that it prints."""
    ended = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    return ended.returncode, ended.stdout + ended.stderr


# ---- commands and settings

COMMAND = re.compile(r"/opt/pbm/bin/pbm ([a-z]+)")
CRON_LINE = re.compile(r"(?:[\d*/,-]+\s+){5}pbm\s+cd /var/lib/pbm && /opt/pbm/bin/pbm [a-z]+ .*")
WITHOUT = (".toml", ".timer", ".sh", ".json", ".py")
"""Files that call no command."""


def test_every_command_in_deploy_is_one_of_pbm() -> None:
    for file in filter(Path.is_file, DEPLOY.iterdir()):
        called = set(COMMAND.findall(file.read_text("utf-8")))
        assert called <= set(COMMANDS), file
        assert called or file.suffix in WITHOUT, file


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
    parameters = [p for command in (serve, backup, build) for p in command.get_params(context)]
    options = {word for parameter in parameters for word in parameter.opts}
    assert {f"--{key.replace('_', '-')}" for key in keys} <= options


# ---- units of systemd

MOST_EXPOSED = 2.0
"""The highest exposure that `systemd-analyze security` may find, from 0 to 10."""

UNITS = sorted(path for path in DEPLOY.iterdir() if path.suffix in (".service", ".timer"))
SERVICES = [path for path in UNITS if path.suffix == ".service"]
SERVERS = [DEPLOY / "pbm.service", DEPLOY / "pbm@.service"]


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_finds_nothing_wrong_with_its_units_and_little_that_they_expose(
    unit: Path, tmp_path: Path
) -> None:
    analyze = tool("systemd-analyze", "apt install systemd")
    # The installed pbm is somewhere else while this runs.
    for path in UNITS:
        text = path.read_text("utf-8").replace("/opt/pbm/bin/pbm", "/bin/true")
        (tmp_path / path.name).write_text(text.replace("User=pbm", "User=root"), "utf-8")
    assert output(analyze, "verify", tmp_path / unit.name.replace("@.", "@1.")) == (0, "")
    if unit in SERVICES:
        _, told = output(analyze, "security", "--offline=true", "--no-pager", unit)
        figure = re.search(r"Overall exposure level for \S+: (\d+\.\d)", told)
        assert figure is not None, told
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


def test_the_web_pages_are_built_where_a_web_server_may_read_them_and_nothing_listens() -> None:
    lines = settings_of(DEPLOY / "pbm-site.service")
    folder = tomllib.loads((DEPLOY / "pbm.toml").read_text("utf-8"))["site"]
    assert (lines["ReadWritePaths"], lines["UMask"]) == ([f"-{folder}"], ["0022"])
    assert f"install -d -o pbm -g pbm -m 755 {folder}\n" in (DEPLOY / "setup.sh").read_text("utf-8")
    assert (lines["SocketBindDeny"], lines["Nice"], lines["LimitCORE"]) == (["any"], ["10"], ["0"])


@pytest.mark.parametrize("unit", SERVERS, ids=lambda unit: unit.name)
def test_a_server_is_reached_by_postfix_and_started_again_if_it_hangs_without_a_core(
    unit: Path,
) -> None:
    lines = settings_of(unit)
    assert (lines["ReadWritePaths"], lines["UMask"]) == (["-/var/spool/postfix/pbm"], ["0007"])
    assert (lines["Type"], lines["Restart"]) == (["notify"], ["on-failure"])
    assert lines["WatchdogSec"] == ["6min"], "more than a relay may take for one mail"
    assert lines["LimitCORE"] == ["0"], "it would hold passwords and the key"
    assert lines["StartLimitIntervalSec"] == ["0"], "however long the database is away"
    assert "postgresql.service" in lines["After"][0]


# ---- containers: what linters say, and what can be done without an engine

CONTAINERS = DEPLOY / "containers"
CONTAINERFILES = [CONTAINERS / "Containerfile", CONTAINERS / "postfix" / "Containerfile"]
SETTINGS = {
    "PBM_ADDRESS": "pbm@games.example.org",
    "PBM_OPERATOR": "you@example.org",
    "PBM_SITE_HOST": "games.example.org",
    "PBM_DATABASE_PASSWORD": "s3cret-word",
}
DEV = "pip install 'pbm-server[dev]'"


def instructions(file: Path) -> list[tuple[str, str]]:
    """Return each instruction of a Containerfile and its words, with lines that go on joined."""
    lines = [line for line in file.read_text("utf-8").splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    parted = (line.partition(" ") for line in joined.splitlines() if line.strip())
    return [(name, words.strip()) for name, _, words in parted]


def steps(file: Path, stage: int) -> list[str]:
    """Return what the RUN instructions of a stage, counted from 0, give to the shell."""
    found: list[list[str]] = []
    for name, words in instructions(file):
        if name == "FROM":
            found.append([])
        elif name == "RUN":
            found[-1].append(words)
    return found[stage]


def test_hadolint_finds_nothing_wrong_with_a_containerfile_nor_the_shell_with_the_script() -> None:
    for file in CONTAINERFILES:
        assert output(tool("hadolint", DEV), "--no-color", file) == (0, "")
    script = CONTAINERS / "postfix" / "start"
    assert output("/bin/sh", "-n", script) == (0, "")
    assert os.access(script, os.X_OK)


def composed(*words: str, environment: dict[str, str]) -> tuple[int, str]:
    """Return what Docker's own reader says of compose.yaml."""
    compose = tool("docker-compose", DEV)
    file = CONTAINERS / "compose.yaml"
    return output(compose, "--file", file, "config", *words, env=environment)


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    """Return the services of compose.yaml."""
    status, told = composed("--format", "json", environment={**os.environ, **SETTINGS})
    assert status == 0, told
    found: dict[str, Any] = json.loads(told)["services"]
    return found


def test_compose_asks_for_what_it_cannot_know() -> None:
    bare = {name: value for name, value in os.environ.items() if name not in SETTINGS}
    # Its wrapper ends with 0 whatever happens.
    assert "set it in .env" in composed(environment=bare)[1]


def test_postfix_sends_for_pbm_alone_and_nobody_else_reaches_its_intake(
    services: dict[str, Any],
) -> None:
    ours = services["pbm"]["networks"]["inside"]["ipv4_address"]
    assert services["postfix"]["environment"]["PBM_HOST"] == ours
    assert services["postfix"]["environment"]["PBM_INTAKE"] == f"{ours}:8024"
    for name in ("pbm", "database", "dkim", "pbm-backup", "pbm-site"):
        assert list(services[name]["networks"]) == ["inside"]
        assert "ports" not in services[name]


def test_no_container_of_ours_keeps_a_right_that_it_does_not_need(services: dict[str, Any]) -> None:
    for name in ("pbm", "postfix", "dkim", "pbm-backup", "pbm-site", "web"):
        assert services[name]["cap_drop"] == ["ALL"]
        assert services[name]["security_opt"] == ["no-new-privileges:true"]
    assert "cap_add" not in services["pbm"]
    assert services["pbm"]["read_only"] is True
    users = [words for name, words in instructions(CONTAINERFILES[0]) if name == "USER"]
    assert users == ["990"]


def test_containers_sign_their_mails_and_copy_their_database(services: dict[str, Any]) -> None:
    told, keep = services["pbm"]["environment"], services["pbm-backup"]
    assert services["pbm"]["depends_on"]["dkim"]["condition"] == "service_completed_successfully"
    assert f"[ -e {told['PBM_DKIM_KEY']} ] || pbm dkim new" in services["dkim"]["entrypoint"]
    assert f"pbm db backup && find {told['PBM_BACKUPS']} " in keep["entrypoint"][-1]
    for part in ("volumes", "build"):  # no image is looked for in a registry
        assert keep[part] == services["dkim"][part] == services["pbm"][part]
    _, image = next(
        each for each in instructions(CONTAINERFILES[0]) if "postgresql-client" in each[1]
    )
    assert image.startswith("apt-get update"), "pg_dump is there"


def test_the_web_server_shows_what_the_site_service_writes(services: dict[str, Any]) -> None:
    told, web = services["pbm-site"]["environment"], services["web"]
    places = {each["source"]: each["target"] for each in services["pbm-site"]["volumes"]}
    (shown,) = (each for each in web["volumes"] if each["source"] == "site")
    assert places["site"] == told["PBM_SITE"]
    assert shown["read_only"] is True
    assert told["PBM_SITE_URL"] == f"https://{web['environment']['PBM_SITE_HOST']}/"
    assert list(web["networks"]) == ["outside"], "it knows no database"
    page = (DEPLOY.parent / "docs" / "operations.md").read_text("utf-8")
    lines = (CONTAINERS / "Caddyfile").read_text("utf-8").splitlines()[1:]
    block = "".join(f"    {line}\n" for line in lines)
    block = block.replace("{$PBM_SITE_HOST}", "games.example.org")
    assert block.replace(shown["target"], "/var/www/pbm") in page


def test_every_setting_of_the_pbm_container_is_an_option(
    services: dict[str, Any], tmp_path: Path
) -> None:
    names = {name for name in services["pbm"]["environment"] if name.startswith("PBM_")}
    wide = clean_environment(COLUMNS="200")
    commands = (("serve",), ("db", "backup"), ("site", "build"))
    pages = (*((*words, "--help") for words in commands), ("help", "settings"))
    helped = [run_pbm(*page, home=tmp_path, environment=wide).stdout.split() for page in pages]
    options = {f"--{name.removeprefix('PBM_').lower().replace('_', '-')}" for name in names}
    assert options <= {word for words in helped for word in words}


@pytest.mark.slow
def test_the_health_check_passes_while_the_command_of_the_image_runs_and_fails_after(
    tmp_path: Path,
) -> None:
    said = dict(instructions(CONTAINERFILES[0]))
    command = [*PBM, *json.loads(said["CMD"])]
    command[command.index("0.0.0.0:8024")] = "127.0.0.1:0"
    look = json.loads(said["HEALTHCHECK"].partition("CMD ")[2])
    environment = clean_environment(PBM_RELAY="null:")
    assert output(*PBM, "db", "upgrade", cwd=tmp_path, env=environment)[0] == 0
    with start(*command, home=tmp_path, environment=environment) as server:
        told = server.stdout.readline()
        assert told.startswith("listening lmtp 127.0.0.1:")
        port = told.rpartition(":")[2].strip()
        look = [sys.executable, *look[1:-1], look[-1].replace("8024", port)]
        assert output(*look, timeout=30)[0] == 0
        server.end()
    assert output(*look, timeout=30)[0] != 0


@pytest.fixture
def postfix(tmp_path: Path) -> Path:
    """Return the folder of Postfix's settings after `start` has made them, without its start."""
    tool("postconf", "apt install postfix")
    for name in ("main.cf", "master.cf"):
        source = Path("/usr/share/postfix") / f"{name}.dist"
        (tmp_path / name).write_text("" if name == "main.cf" else source.read_text("utf-8"))
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "postfix").write_text("#!/bin/sh\n")
    (programs / "postfix").chmod(0o755)
    environment = {
        "MAIL_CONFIG": str(tmp_path), "PBM_ADDRESS": "pbm@games.example.org",
        "PBM_INTAKE": "10.89.25.10:8024", "PBM_HOST": "10.89.25.10",
        "PATH": f"{programs}:{os.environ['PATH']}",
    }  # fmt: skip
    assert output(CONTAINERS / "postfix" / "start", env={**os.environ, **environment})[0] == 0
    return tmp_path


def test_postfix_takes_what_is_for_pbm_and_relays_for_pbm_alone(postfix: Path) -> None:
    def ask(program: str, *words: str) -> str:
        return output(program, "-c", str(postfix), *words)[1].strip()

    changed = dict(
        line.split(" = ", 1) for line in ask("postconf", "-n").splitlines() if " = " in line
    )
    assert changed["mynetworks"] == "127.0.0.0/8 10.89.25.10/32"
    assert changed["relay_transport"] == "lmtp:inet:10.89.25.10:8024"
    known = changed["relay_recipient_maps"]
    assert ask("postmap", "-q", "pbm@games.example.org", known) == "ok"
    assert ask("postmap", "-q", "bounce@games.example.org", known) == "ok"
    assert ask("postmap", "-q", "root@games.example.org", known) == ""
    assert {line.split()[4] for line in ask("postconf", "-M").splitlines()} == {"n"}
