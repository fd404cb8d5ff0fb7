"""Power cuts, which a kill does not show: a server on a disk that forgets what was not synced.

People play as in the rest of the torture, and web pages are built beside the server. At each cut
the disk, the server and the builds end at once, and start again on what is left. A mail that the
relay has taken, and that was not noted on the disk, comes once more after a cut. It is noted alone
then, so it would come a third time only if a cut fell between the relay's answer and that note.
"""

import importlib.util
import json
import re
import shutil
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePath
from random import Random
from xml.etree import ElementTree

from pbm.cli import main
from pbm.config import Settings
from pbm.domain.pages import BUILT
from pbm.server.assembly import App
from pbm.store.driver import database
from tests.processes import (
    Process,
    Program,
    Streams,
    clean_environment,
    fork,
    lasting_port,
    start,
    until,
)
from tests.sink import Arrived
from tests.torture.checks import Findings, look
from tests.torture.people import SERVER, People, house_of
from tests.torture.platter import Platter
from tests.torture.post import Post
from tests.torture.relay import FaultyRelay
from tests.torture.run import BOARDS, CROWD, REST_SECONDS, Crowd, is_at_rest
from tests.torture.served import serve

EARLY = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.5, 0.5), (0.9, 0.1))
"""The shares of changes of names and of writes that reach the disk before they are synced."""

_LONGEST = 8.0
"""Seconds of a life in which few moves are made."""

_BEGINNING = 0.15
"""The share of the lives that may end before the server listens."""

_MOVES = 60
"""The most moves of a life of which players are told before the cut."""

_BUILDING = 0.5
"""The share of the lives in which a build of pages comes to its end, if it can."""

_READERS: dict[str, Callable[[str], object]] = {
    ".html": lambda page: page.rindex("</html>\n"),
    ".xml": ElementTree.fromstring,
    ".json": json.loads,
}
"""Functions that raise ValueError or ParseError on half a page, by the kind of the page."""

_RECORDED = re.compile(r"out:\d+ sent .* (<\S+>)$", re.MULTILINE)
"""The line of the log that follows the commit by which a mail is recorded as sent."""


def missing() -> str:
    """Return why no power can be cut here; "" if it can."""
    if not Path("/dev/fuse").exists():
        return "there is no /dev/fuse on this machine"
    if importlib.util.find_spec("pyfuse3") is None:
        return "pyfuse3 is not installed (Debian: apt install gcc pkg-config libfuse3-dev)"
    return ""


@dataclass
class PowerDisk:
    """A disk under `home`, mounted at `place` while it has power (disk.py)."""

    home: Path
    _process: Process | None = None

    def __post_init__(self) -> None:
        self.place, self._folder = self.home / "disk", self.home / "platter"
        self.empty()

    def empty(self) -> None:
        """Forget all; it must be without power."""
        shutil.rmtree(self._folder, ignore_errors=True)
        for folder in (self.place, self._folder):
            folder.mkdir(parents=True, exist_ok=True)

    @property
    def platter(self) -> Platter:
        """All that has reached it."""
        return Platter(self._folder)

    @property
    def runs(self) -> bool:
        """Whether it has power."""
        return self._process is not None and self._process.runs

    def on(self, early: tuple[float, float] = (0.0, 0.0), seed: int = 1, turns: int = 0) -> None:
        """Give it power; after so many `turns` it loses that by itself."""
        log = self.home / "disk.log"
        self._process = start(
            sys.executable, "-m", "tests.torture.disk", self._folder, self.place,
            f"--names={early[0]}", f"--data={early[1]}", f"--seed={seed}", f"--turns={turns}",
            home=Path.cwd(), environment=clean_environment(), streams=Streams(log, log),
        )  # fmt: skip
        until(self.place.is_mount, lambda: f"the disk: {log.read_text()}")

    def cut(self, *users: Process) -> None:
        """Take its power away, and that of the processes that use it."""
        if self._process is None:
            return
        self._process.kill()
        for user in users:
            user.kill()
            user.stdout.close()
        self._process.stdout.close()
        self._process = None
        subprocess.run(["fusermount3", "-uz", self.place], check=True)


def serve_unsynced(arguments: list[str]) -> None:
    """Be a server whose database syncs nothing: the control of the experiment."""
    pragmas: tuple[str, ...] = (*database._PRAGMAS, "PRAGMA synchronous=OFF")
    setattr(database, "_PRAGMAS", pragmas)  # noqa: B010 - it has a length of its own type
    serve(arguments, None)


serve_as_ever: Program = partial(serve, deadly=None)


@dataclass
class PowerResult:
    """The outcome."""

    cuts: int
    found: Findings
    seconds: float
    sent: Counter[str]
    """The number of times that each mail has come, by Message-ID."""
    recorded: int
    """Mails that were recorded as sent before the last cut."""
    pages: int
    """Pages that were looked at after cuts."""
    faults: list[str] = field(default_factory=list)


class Power:
    """A server in `home`, its people, and the lives that it has."""

    def __init__(
        self, home: Path, program: Program, chance: Random, stack: ExitStack, crowd: Crowd
    ) -> None:
        self._home, self._program, self._chance = home, program, chance
        self._log = home / "serve.log"
        self.disk = PowerDisk(home)
        self._log.touch()
        stack.callback(self.disk.cut)
        self.sent: Counter[str] = Counter()
        self.pages = self._life = 0
        self._sent_in: set[tuple[str, int]] = set()
        self.recorded: frozenset[str] = frozenset()
        self.faults: list[str] = []
        place = self.disk.place
        self._settings = Settings(
            SERVER, f"sqlite:///{place / 'pbm.db'}", "null:", place / "keys" / "secret.key"
        )
        self._relay = stack.enter_context(
            FaultyRelay(
                chance=Random(chance.random()), on_mail=self._brought, on_killing=lambda: None
            )
        )
        self._environment = clean_environment(
            PBM_DATABASE=self._settings.database, PBM_SECRET=str(self._settings.secret),
            PBM_RELAY=self._relay.relay, PBM_ADDRESS=SERVER, PBM_SITE=str(place / "site"),
            PBM_SITE_URL="http://127.0.0.1/",
        )  # fmt: skip
        self._port = lasting_port()
        self._site_port = lasting_port(above=self._port)
        self.post = Post((self._port,), Random(chance.random()), burst=crowd.burst)
        stack.callback(self.post.close)
        names = [(f"p{n:02}", f"q{n:02}") for n in range(crowd.pairs)]
        self.people = People(names, self.post, Random(chance.random()))
        stack.callback(self.people.close)
        self.disk.on()
        house_of(self._settings, [name for pair in names for name in pair], crowd.passwords).close()
        self.disk.cut()

    def _brought(self, mail: Arrived) -> None:
        self.sent[mail.message_id] += 1
        if (mail.message_id, self._life) in self._sent_in:
            self.faults.append(f"{mail.message_id} came again, and there was no cut")
        if mail.message_id in self.recorded:
            self.faults.append(f"{mail.message_id} came again, though it was recorded as sent")
        self._sent_in.add((mail.message_id, self._life))
        self.people.get(mail)

    def live(self, early: tuple[float, float]) -> None:
        """Let people play for a while, until the power is cut."""
        self._look_at_what_is_left()
        self.disk.on(early, seed=self._chance.randrange(1 << 30))
        server, builder = self._begun()
        if self._chance.random() > _BEGINNING:
            until(lambda: self._listens() or not server.runs, "the server to listen")
        enough = len(self.people.told) + self._chance.randrange(_MOVES)
        end = time.monotonic() + self._chance.uniform(0, _LONGEST)
        built = self._built() if self._chance.random() < _BUILDING else None
        while time.monotonic() < end and (len(self.people.told) < enough or built == self._built()):
            time.sleep(0.01)
        self._check(server)
        self.disk.cut(server, builder)

    def rest(self) -> Findings:
        """Let all come to rest, and return what is found then."""
        self._look_at_what_is_left()
        self.disk.on()
        server, builder = self._begun()
        self.people.resting = True
        self.post.gather(bursts=False)
        house = App(self._settings)
        try:
            until(lambda: self._rests(house), "the server to come to rest", REST_SECONDS)
            self._check(server)
            self.people.close()
            return look(house, self.people)
        finally:
            house.close()
            self.disk.cut(server, builder)

    def _rests(self, house: App) -> bool:
        return self.post.is_empty and is_at_rest(house)

    def _begun(self) -> tuple[Process, Process]:
        streams = Streams(self._log, self._log)
        begin = partial(fork, home=self._home, environment=self._environment, streams=streams)
        serving = ("--smtp", f"127.0.0.1:{self._port}", "--log-level", "INFO")
        building = ("site", "serve", "--every", "1", "--port", f"{self._site_port}")
        return begin(*serving, program=self._program), begin(*building, program=main)

    def _built(self) -> int:
        """Return the number of the file that the last build of pages has left."""
        try:
            return (self.disk.place / "site" / BUILT).stat().st_ino
        except FileNotFoundError:
            return 0

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self._port)) == 0

    def _check(self, server: Process) -> None:
        if not server.runs:
            last = self._log.read_text().splitlines()[-3:]
            self.faults.append(f"the server ended by itself: {last}")

    def _look_at_what_is_left(self) -> None:
        """Begin a life: note which mails are recorded as sent, and look at the pages."""
        self._life += 1
        self.recorded = frozenset(_RECORDED.findall(self._log.read_text()))
        self._look_at_pages()

    def _look_at_pages(self) -> None:
        """Look whether all pages that are left are whole."""
        for path, content in self.disk.platter.files().items():
            name = PurePath(path)
            # What begins with a dot is no page.
            if path.startswith("site/") and name.name[0] != "." and name.suffix in _READERS:
                self.pages += 1
                try:
                    _READERS[name.suffix](content.decode())
                except (ValueError, ElementTree.ParseError):
                    self.faults.append(f"half a page: {path}, {len(content)} bytes")


def cut_power(
    home: Path, cuts: int, seed: int, crowd: Crowd = CROWD, program: Program = serve_as_ever,
    early: tuple[tuple[float, float], ...] = EARLY,
) -> PowerResult:  # fmt: skip
    """Cut the power of a server in `home` so often, and return what became of it."""
    began = time.monotonic()
    with ExitStack() as stack:
        trial = Power(home, program, Random(seed), stack, crowd)
        trial.people.begin(BOARDS)
        for number in range(cuts):
            trial.live(early[number % len(early)])
        found = trial.rest()
        faults = [*found.faults, *trial.faults]
        if trial.people.failed:
            faults.append(f"the people have failed: {trial.people.failed!r}")
        seconds = time.monotonic() - began
        recorded = len(trial.recorded)
        return PowerResult(cuts, found, seconds, trial.sent, recorded, trial.pages, faults)
