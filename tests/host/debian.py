"""A bare Debian host on which deploy/README.md is followed, command by command.

In place of `pbm setup --apply` the steps that it prints are typed one by one, because systemd does
not run there. What they ask of it is done as it would do it, by the unit that they have installed:
`AS_SYSTEMD` lists these commands, and nothing else is left out or changed.
"""

import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType

from tests.e2e.systemd import Systemd
from tests.host.scratch import Scratch, environment
from tests.processes import Process, Streams, run, start

PAGE = Path(__file__).resolve().parent.parent.parent / "deploy" / "README.md"

_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_KEPT = re.compile(r"[A-Z]+=|cd ")
_SETUP = "/opt/pbm/bin/pbm setup "

WATCHDOG_SECONDS = 4.0
"""Instead of the six minutes of the unit."""

_UNITS = "/etc/systemd/system"

_DATABASE = """
version=$(ls /usr/lib/postgresql | tail -1)
[ -d /etc/postgresql/$version/main ] || pg_createcluster $version main
install -d -o postgres -g postgres -m 2775 /run/postgresql
pg_ctlcluster --skip-systemctl-redirect $version main start
"""
"""The steps of installing PostgreSQL on a host without it."""


def commands(page: str) -> list[str]:
    """Return the lines of all blocks marked sh, in order."""
    return [line for block in _BLOCK.findall(page) for line in _steps(block)]


def _steps(script: str) -> list[str]:
    return [line for line in script.splitlines() if line.strip() and not line.startswith("#")]


def is_kept(command: str) -> bool:
    """Return whether a command changes the shell that it is typed into: a variable, its folder."""
    return _KEPT.match(command) is not None


class Debian(Scratch):
    """The host, and what its operator saw of each command."""

    def __init__(self) -> None:
        self.seen: dict[str, str] = {}
        self._kept: list[str] = []
        self._server: Process | None = None
        self._listening: Systemd | None = None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        super().__exit__(kind, error, trace)
        if self._listening is not None:
            self._listening.close()
        if self._server is not None:
            with self._server as server:
                server.wait()

    def follow(self) -> None:
        """Type the commands of the page, in order; the first two where the source is."""
        make, copy, *there = commands(PAGE.read_text("utf-8"))
        assert (make, copy.startswith("scp -r dist root@")) == ("make dist", True)
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(release(Path(folder)), self.root / "root" / "pbm-release")
        for command in there:
            if command.startswith(_SETUP):
                printed = self.run(command.removesuffix(" --apply")).stdout
                for step in _steps(printed):
                    self.type(step)
            else:
                for part in command.split(" && "):
                    self.type(part)

    def type(self, command: str) -> None:
        """Type one command as root, into a shell that keeps its variables and its folder."""
        if is_kept(command):
            self._kept.append(command)
        elif command in AS_SYSTEMD:
            AS_SYSTEMD[command](self)
            self.seen[command] = ""
        else:
            script = "\n".join([*self._kept, command])
            done = self.run(script, fetches="apt-get" in command or "pip install" in command)
            self.seen[command] = done.stdout
        if "apt-get install" in command and "postgresql" in command:
            self.run(_DATABASE)

    # What systemd would do

    def reload(self) -> None:
        """Read the units, as daemon-reload does, and complain of what is wrong with them."""
        units = " ".join(
            f"{_UNITS}/{name}" for name in ("pbm.service", "pbm-site.service", "pbm-backup.timer")
        )
        told = self.run(f"systemd-analyze verify {units} {_UNITS}/pbm@.service").stdout
        # That of Debian's own units which stand beside them is Debian's.
        assert "pbm" not in told, told

    def start_postfix(self) -> None:
        """Run what the unit of Debian's Postfix runs."""
        self.run("postfix stop 2>/dev/null || true; /usr/lib/postfix/configure-instance.sh -")
        self.run("postfix start", check=True)

    def start_pbm(self) -> None:
        """Start the service, and return once it says that it is ready."""
        unit = self.unit("pbm.service")
        assert (unit["Type"], unit["User"]) == ("notify", "pbm")
        self._listening = Systemd(self.root / "run" / "notify", WATCHDOG_SECONDS)
        self.run("chmod 666 /run/notify")
        told = {**self._listening.variables, "NOTIFY_SOCKET": "/run/notify"}
        log = self.root / "var/log/pbm.log"
        self._server = start(
            *self._as_service(unit, told), environment=environment(), streams=Streams(log, log)
        )
        self._listening.hear_of("READY=1")

    def start_backup(self) -> None:
        """Do what the timer does once a night."""
        unit = self.unit("pbm-backup.service")
        done = run(*self._as_service(unit, {}))
        assert done.returncode == 0, done.stderr

    def build_site(self) -> None:
        """Do what the service does once a minute."""
        unit = {**self.unit("pbm-site.service")}
        unit["ExecStart"] = unit["ExecStart"].removesuffix(" --every 60")
        done = run(*self._as_service(unit, {}))
        assert done.returncode == 0, done.stderr

    def unit(self, name: str) -> Mapping[str, str]:
        """Return the last value of each setting of an installed unit."""
        text = (self.root / _UNITS.lstrip("/") / name).read_text("utf-8")
        lines = (line.partition("=") for line in text.splitlines() if not line.startswith("#"))
        return {key: value for key, sign, value in lines if sign}

    def _as_service(self, unit: Mapping[str, str], told: Mapping[str, str]) -> list[str]:
        """Return what runs the command of a unit, by its user, folder, umask and environment."""
        user, variables = unit["User"], [f"{name}={value}" for name, value in told.items()]
        place, mask = unit["WorkingDirectory"], unit["UMask"]
        script = f"cd {place}; umask {mask}; exec {unit['ExecStart']}"
        become = ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"]
        become += ["--inh-caps=-all", "--no-new-privs"]
        given = ["env", "-i", "LANG=C.UTF-8", "PATH=/usr/bin:/bin", unit["Environment"]]
        return self.command(*become, *given, *variables, "sh", "-c", script)

    def stop_pbm(self) -> int:
        """End the service as systemd does; return its status."""
        assert self._server is not None
        self.systemd.forget()
        self.run("kill -TERM $(pgrep -u pbm -x pbm)")
        return self._server.wait(60)

    @property
    def systemd(self) -> Systemd:
        """The sockets on which the service listens."""
        assert self._listening is not None
        return self._listening

    @property
    def log(self) -> str:
        """The logs of the service and of Postfix."""
        files = (self.root / "var/log" / name for name in ("pbm.log", "mail.log"))
        return "\n".join(file.read_text("utf-8") for file in files if file.exists())


AS_SYSTEMD: Mapping[str, Callable[[Debian], None]] = {
    # There is no process 1 to read units.
    "systemctl daemon-reload": Debian.reload,
    # Nor one that starts services: what their units say is run.
    "systemctl restart postfix": Debian.start_postfix,
    "systemctl enable --now pbm.service": Debian.start_pbm,
    "systemctl enable --now pbm-site.service": Debian.build_site,
    # Nobody has the time to wait for the night; `start` below runs what the timer starts.
    "systemctl enable --now pbm-backup.timer": Debian.reload,
    "systemctl start pbm-backup.service": Debian.start_backup,
}
"""The commands of the page that need systemd, and what is done in their place."""


def release(folder: Path) -> Path:
    """Make a release of this tree in `folder`, and return the folder."""
    tree = PAGE.parent.parent
    made = run(tree / ".ci" / "dist", sys.executable, folder, home=tree, seconds=300)
    assert made.returncode == 0, made.stderr
    return folder
