"""One layout under torture, from the first start to the last look."""

import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from pbm.config import Settings
from pbm.server.assembly import App
from pbm.server.hashing import Argon2Passwords
from tests.cluster import NoPostgresError, cluster
from tests.databases import postgres_database, postgres_server
from tests.doors import Conflict, Passwords, StoreUnavailable
from tests.processes import clean_environment, lasting_port
from tests.sink import Arrived
from tests.torture.checks import Findings, look
from tests.torture.kinds import MEMBERS, Kinds, groups, install
from tests.torture.people import SERVER, People, house_of
from tests.torture.post import BURST, Post
from tests.torture.relay import FaultyRelay, Mood
from tests.torture.served import KILLED, End, Served
from tests.torture.trouble import Database, PostgresDatabase, SqliteFile

EVERYTHING = ("intake", "play", "deliver", "remind")


@dataclass(frozen=True)
class Layout:
    """A database, and the roles of each process."""

    name: str
    database: str
    processes: tuple[tuple[str, ...], ...]


SPREAD = (("intake",), ("intake", "play"), ("play",), ("deliver", "remind"))
"""Two take mails, so that a repeat can go to the other one, and two play."""

LAYOUTS = (
    Layout("sqlite-1", "sqlite", (EVERYTHING,)),
    Layout("sqlite-4", "sqlite", SPREAD),
    Layout("postgres-1", "postgresql", (EVERYTHING,)),
    Layout("postgres-4", "postgresql", SPREAD),
)

BOARDS = 3
"""Boards of each pair: together more than a batch."""

REST_SECONDS = 60.0
"""The time a server may take to come to rest after the last kill."""


_GIVES_UP = 5.0
"""Seconds after which the next harm is done though nobody has moved."""


@dataclass(frozen=True)
class Crowd:
    """The number of players, of letters at once, and the cost of their passwords."""

    pairs: int
    burst: int
    passwords: Passwords


CROWD = Crowd(24, BURST, Argon2Passwords())


@dataclass
class Result:
    """The outcome for a layout."""

    layout: str
    kills: Counter[str]
    ends: list[End]
    found: Findings
    repeats: int
    copies: int
    refusals: Counter[str]
    seconds: float
    rest_seconds: float
    conflicts: int
    """The number of times that a playing process found that another had been first."""
    troubles: Counter[str]
    """Attacks on the database, with their counts."""
    faults: list[str] = field(default_factory=list)

    @property
    def well(self) -> bool:
        """Whether nothing was found."""
        return not self.faults


class Torture:
    """A server in `home`, and all that happens to it."""

    def __init__(
        self, layout: Layout, home: Path, database: Database, chance: Random, stack: ExitStack,
        crowd: Crowd,
    ) -> None:  # fmt: skip
        self._layout = layout
        self._home = home
        self._database = database
        self._chance = chance
        self._over = threading.Event()
        self.away: list[tuple[float, float]] = []
        """From when to when the database was taken away."""
        self.troubles: Counter[str] = Counter()
        """The count of its kills, and their kinds."""
        self.relay = stack.enter_context(
            FaultyRelay(
                chance=Random(chance.random()),
                on_mail=self._brought,
                on_killing=self._kill_deliverer,
            )
        )
        stack.callback(sys.path.remove, install(home))
        self.house = self._made_house(crowd)
        stack.callback(self.house.close)
        self.processes = self._made_processes()
        ports = tuple(each.port for each in self.processes if each.port)
        self.post = Post(ports, Random(chance.random()), burst=crowd.burst)
        stack.callback(self.post.close)
        names = [(f"p{n:02}", f"q{n:02}") for n in range(crowd.pairs)]
        self.people = People(names, self.post, Random(chance.random()))
        stack.callback(self.people.close)
        members = groups(crowd.pairs // 4)
        leaders = [(name, name) for name in members[:: len(MEMBERS)]]
        self.kinds = Kinds(leaders, self.post, Random(chance.random()))
        stack.callback(self.kinds.close)
        self._operator = threading.Thread(target=self._operate, name="operator")

    def _brought(self, mail: Arrived) -> None:
        (self.kinds if mail.recipient.startswith("k") else self.people).get(mail)

    def _made_house(self, crowd: Crowd) -> App:
        settings = Settings(SERVER, self._database.url, "null:", self._home / "secret.key")
        names = [f"{side}{n:02}" for n in range(crowd.pairs) for side in "pq"]
        names += groups(crowd.pairs // 4)
        return house_of(settings, names, crowd.passwords)

    def _made_processes(self) -> list[Served]:
        environment = clean_environment(
            PBM_DATABASE=self._database.url, PBM_RELAY=self.relay.relay,
            PBM_SECRET=str(self._home / "secret.key"), PBM_ADDRESS=SERVER,
        )  # fmt: skip
        made = []
        port = 0
        for roles in self._layout.processes:
            mine = 0
            if "intake" in roles:
                mine = port = lasting_port(above=port)
            made.append(Served(self._home, roles, mine, environment, Random(self._chance.random())))
        return made

    @property
    def kills(self) -> int:
        """The number of times that a process has been killed."""
        return sum(each.kills.total() for each in self.processes)

    def begin(self) -> None:
        """Start all processes and the people."""
        for process in self.processes:
            process.begin()
        self._operator.start()
        self.people.begin(BOARDS)
        self.kinds.begin(1)

    def torment(self, kills: int, patience: float) -> None:
        """Do harm until there were so many kills, or the time is up."""
        end = time.monotonic() + patience
        harms = (
            *(self._kill_one,) * 10, self._vex, self._vex, self._hold,
            self._take_database_away, self._take_database_away,
        )  # fmt: skip
        while self.kills < kills and time.monotonic() < end and not self.people.failed:
            self._wait_for_moves(self._chance.randrange(40))
            time.sleep(self._chance.uniform(0, 0.05))
            self._chance.choice(harms)()

    def _wait_for_moves(self, count: int) -> None:
        """Let players be told of so many moves, or give up waiting for that."""
        enough, end = len(self.people.told) + count, time.monotonic() + _GIVES_UP
        while len(self.people.told) < enough and time.monotonic() < end:
            time.sleep(0.01)

    def come_to_rest(self) -> float:
        """Let all be well, and return after how many seconds nothing moves any more."""
        began = time.monotonic()
        # None is started anew for this: a call that nobody has heard must show.
        for process in self.processes:
            process.spare()
        self.relay.mood = Mood.WELL
        self.post.gather(bursts=False)
        self.people.resting = self.kinds.resting = True
        while time.monotonic() - began < REST_SECONDS:
            if self._rests():
                break
            time.sleep(0.1)
        return time.monotonic() - began

    def end(self) -> list[str]:
        """Stop everything; return what went wrong at that."""
        self._over.set()
        self._operator.join()
        ends = [(process.roles, process.end()) for process in self.processes]
        # One that was started with a point to die at may still pass it.
        well = (0, *KILLED)
        return [
            f"{roles} ended with status {status}" for roles, status in ends if status not in well
        ]

    def _rests(self) -> bool:
        return self.post.is_empty and is_at_rest(self.house)

    def _pids(self) -> list[int]:
        return [process.pid for process in self.processes if process.pid]

    def _kill_one(self) -> None:
        self._chance.choice(self.processes).kill()

    def _kill_deliverer(self) -> None:
        for process in self.processes:
            if "deliver" in process.roles:
                process.kill("at the relay")

    def _vex(self) -> None:
        mood = self._chance.choice(list(Mood))
        self.relay.share = 0.02 if mood.name.startswith("KILLS") else 0.3
        self.relay.mood = mood

    def _hold(self) -> None:
        self.post.gather(bursts=self._chance.random() < 0.7)

    def _take_database_away(self) -> None:
        began = time.monotonic()
        self.troubles[self._database.gone(self._pids(), self._chance)] += 1
        self.away.append((began, time.monotonic()))

    def _operate(self) -> None:
        """Send what was deferred again, as an operator does who sees that the relay is back."""
        while not self._over.wait(0.5):
            with suppress(StoreUnavailable, Conflict):
                self._retry()

    def _retry(self) -> None:
        with self.house.open_reading() as work:
            rows = work.outbox.listing(1000)
        deferred = [row.id for row in rows if row.tries and row.state == "waiting"]
        if deferred:
            with self.house.open_unit() as work:
                for delivery in deferred:
                    work.outbox.retry(delivery, datetime.now(UTC))
                work.commit()


def is_at_rest(house: App) -> bool:
    """Return whether nothing waits in the database of `house`; if it is away, that is not sure."""
    try:
        with house.open_reading() as work:
            waiting = work.inbox.waiting() or work.outbox.next_due()
            return not waiting and not work.follow_ups.wait()
    except (StoreUnavailable, Conflict):
        return False


def torture(
    layout: Layout, home: Path, kills: int, seed: int, patience: float, crowd: Crowd = CROWD
) -> Result:
    """Torture a layout in `home` until there were so many kills, and return what became of it."""
    began = time.monotonic()
    with ExitStack() as stack:
        database = stack.enter_context(_database(layout, home))
        trial = Torture(layout, home, database, Random(seed), stack, crowd)
        trial.begin()
        try:
            trial.torment(kills, patience)
            rest = trial.come_to_rest()
        finally:
            unwell = trial.end()
        trial.people.close()
        trial.kinds.close()
        found = look(trial.house, trial.people, trial.kinds)
        return _result(layout, trial, found, unwell, time.monotonic() - began, rest)


@contextmanager
def _database(layout: Layout, home: Path) -> Iterator[Database]:
    if layout.database == "sqlite":
        yield SqliteFile(home / "pbm.db")
        return
    with ExitStack() as stack:
        try:
            own = stack.enter_context(cluster())
        except NoPostgresError as error:
            print(f"{layout.name}: the database server itself is not stopped. {error}")
            server = postgres_server()
            url = stack.enter_context(postgres_database(server))
            yield PostgresDatabase(url, server)
        else:
            yield PostgresDatabase(own.new_database("pbm"), own.url, own)


_BAD_WORDS = ("Traceback", "met a bug", "has failed")


def _result(
    layout: Layout, trial: Torture, found: Findings, unwell: list[str], seconds: float, rest: float
) -> Result:  # fmt: skip
    people, post = trial.people, trial.post
    log = (trial._home / "serve.log").read_text(errors="replace")
    failed = people.failed or trial.kinds.failed
    if failed:
        unwell.append(f"the people have failed: {failed!r}")
    bad = [f"the log says {word}" for word in _BAD_WORDS if word in log]
    ends = [(process.roles, end) for process in trial.processes for end in process.ends]
    unwell += [
        f"{roles} ended by itself with status {end.status}"
        for roles, end in ends
        if end.is_fault(trial.away)
    ]
    if rest >= REST_SECONDS:
        unwell.append(f"it did not come to rest within {REST_SECONDS:.0f} s")
    return Result(
        layout.name, sum((each.kills for each in trial.processes), Counter()),
        [end for _, end in ends], found,
        people.repeats, post.repeats + post.tries_again,
        Counter(mail.prose[:60] for mail in people.refusals), seconds, rest,
        log.count("another worker was first"), trial.troubles, [*found.faults, *unwell, *bad],
    )  # fmt: skip
