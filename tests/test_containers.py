"""The files of deploy/containers: what linters say, and what can be done without an engine."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.containers import instructions
from tests.processes import PBM, clean_environment, run_pbm

DEPLOY = Path(__file__).parent.parent / "deploy" / "containers"
CONTAINERFILES = [DEPLOY / "Containerfile", DEPLOY / "postfix" / "Containerfile"]
SETTINGS = {
    "PBM_ADDRESS": "pbm@games.example.org",
    "PBM_OPERATOR": "you@example.org",
    "PBM_DATABASE_PASSWORD": "s3cret-word",
}


def tool(name: str, source: str) -> str:
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        pytest.skip(f"no {name} here: {source}")
    return found


def ids(file: Path) -> str:
    return str(file.relative_to(DEPLOY))


@pytest.mark.parametrize("file", CONTAINERFILES, ids=ids)
def test_hadolint_finds_nothing_wrong_with_a_containerfile(file: Path) -> None:
    hadolint = tool("hadolint", "pip install 'pbm-server[dev]'")
    linted = subprocess.run(
        [hadolint, "--no-color", file], capture_output=True, text=True, check=False
    )
    assert (linted.returncode, linted.stdout) == (0, "")


@pytest.mark.parametrize("file", [DEPLOY / "postfix" / "start"], ids=ids)
def test_the_shell_understands_a_script(file: Path) -> None:
    subprocess.run(["/bin/sh", "-n", file], check=True)
    assert os.access(file, os.X_OK)


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    """Return the services of compose.yaml, as Docker's own reader understands them."""
    compose = tool("docker-compose", "pip install 'pbm-server[dev]'")
    read = subprocess.run(
        [compose, "--file", DEPLOY / "compose.yaml", "config", "--format", "json"],
        env={**os.environ, **SETTINGS}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (read.returncode, read.stderr) == (0, "")
    found: dict[str, Any] = json.loads(read.stdout)["services"]
    return found


def test_compose_asks_for_what_it_cannot_know() -> None:
    compose = tool("docker-compose", "pip install 'pbm-server[dev]'")
    bare = {name: value for name, value in os.environ.items() if name not in SETTINGS}
    read = subprocess.run(
        [compose, "--file", DEPLOY / "compose.yaml", "config"],
        env=bare, capture_output=True, text=True, check=False,
    )  # fmt: skip
    # Its wrapper ends with 0 whatever happens.
    assert "set it in .env" in read.stderr


def test_postfix_sends_for_pbm_alone_and_nobody_else_reaches_its_intake(
    services: dict[str, Any],
) -> None:
    ours = services["pbm"]["networks"]["inside"]["ipv4_address"]
    assert services["postfix"]["environment"]["PBM_HOST"] == ours
    assert services["postfix"]["environment"]["PBM_INTAKE"] == f"{ours}:8024"
    assert list(services["pbm"]["networks"]) == list(services["database"]["networks"]) == ["inside"]
    assert "ports" not in services["pbm"]
    assert "ports" not in services["database"]


def test_no_container_of_ours_keeps_a_right_that_it_does_not_need(services: dict[str, Any]) -> None:
    for name in ("pbm", "postfix"):
        assert services[name]["cap_drop"] == ["ALL"]
        assert services[name]["security_opt"] == ["no-new-privileges:true"]
    assert "cap_add" not in services["pbm"]
    assert services["pbm"]["read_only"] is True
    users = [words for name, words in instructions(CONTAINERFILES[0]) if name == "USER"]
    assert users == ["990"]


def test_every_setting_of_the_pbm_container_is_an_option(
    services: dict[str, Any], tmp_path: Path
) -> None:
    names = {name for name in services["pbm"]["environment"] if name.startswith("PBM_")}
    helped = [
        run_pbm(*page, home=tmp_path, environment=clean_environment(COLUMNS="200")).stdout.split()
        for page in (("serve", "--help"), ("help", "settings"))
    ]
    options = {f"--{name.removeprefix('PBM_').lower()}" for name in names}
    assert options <= {word for words in helped for word in words}


def test_the_health_check_passes_while_the_command_of_the_image_runs_and_fails_after(
    tmp_path: Path,
) -> None:
    said = dict(instructions(CONTAINERFILES[0]))
    command = [*PBM, *json.loads(said["CMD"])]
    command[command.index("0.0.0.0:8024")] = "127.0.0.1:0"
    look = json.loads(said["HEALTHCHECK"].partition("CMD ")[2])
    server = subprocess.Popen(
        command, cwd=tmp_path, env=clean_environment(PBM_RELAY="null:"), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        assert server.stdout is not None
        told = server.stdout.readline()
        assert told.startswith("listening lmtp 127.0.0.1:")
        port = told.rpartition(":")[2].strip()
        look = [sys.executable, *look[1:-1], look[-1].replace("8024", port)]
        assert subprocess.run(look, timeout=30, check=False).returncode == 0
    finally:
        server.terminate()
        server.communicate(timeout=30)
    after = subprocess.run(look, timeout=30, check=False, stderr=subprocess.DEVNULL)
    assert after.returncode != 0


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
    subprocess.run(
        [DEPLOY / "postfix" / "start"], check=True,
        env={
            **os.environ, "MAIL_CONFIG": str(tmp_path), "PBM_ADDRESS": "pbm@games.example.org",
            "PBM_INTAKE": "10.89.25.10:8024", "PBM_HOST": "10.89.25.10",
            "PATH": f"{programs}:{os.environ['PATH']}",
        },
    )  # fmt: skip
    return tmp_path


def test_postfix_takes_what_is_for_pbm_and_relays_for_pbm_alone(postfix: Path) -> None:
    def ask(program: str, *words: str) -> str:
        command = [program, "-c", str(postfix), *words]
        asked = subprocess.run(command, capture_output=True, text=True, check=False)
        return asked.stdout.strip()

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
