"""Robots of a server: their accounts, and how this process thinks for them."""

import json
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from pbm import system
from pbm.config import Settings
from pbm.core.context import Services, context_without_mail
from pbm.core.leases import Leased, Leases
from pbm.core.robot_accounts import add_standard, give_ratings
from pbm.dispatch.thoughts import ThoughtQueue
from pbm.domain.errors import NotAllowed
from pbm.domain.observer import Observer
from pbm.domain.robots import Calibration, read_calibration
from pbm.server.assembly.database import Database
from pbm.server.thinking.stage import Thinking, think_waiting
from pbm.server.thinking.workers import Workers
from pbm.store.errors import Conflict, StoreUnavailable
from pbm.store.liveness import Lifeline

log = logging.getLogger("pbm")


@dataclass(frozen=True)
class ThinkingRobots:
    """The robots of a server, and the processes in which they think."""

    settings: Settings
    services: Services
    clock: Callable[[], datetime]
    observer: Observer
    cores: frozenset[int]
    database: Database
    leases_of: Callable[[Leased, Lifeline], Leases]

    @cached_property
    def calibration(self) -> Calibration:
        """The strengths of the levels of robots, as measured before this release."""
        file = system.package() / "robots" / "calibration.json"
        return read_calibration(json.loads(file.read_text("utf-8")))

    def make(self) -> tuple[str, ...]:
        """Make the standard robots that are missing, if the settings want any; return their names.

        Any number of processes may do so at the same time.
        """
        if not self.settings.robots:
            return ()
        # If another process was faster, it has made them all; without the database the next start
        # makes them.
        with suppress(Conflict, NotAllowed, StoreUnavailable), self.database.open_unit() as work:
            context = context_without_mail(self.services, work, self.clock())
            robots = add_standard(context)
            give_ratings(context, self.calibration)
            work.commit()
            made = tuple(robot.userid for robot in robots)
            if made:
                log.info("made %s, as no setting says robots = false", ", ".join(made))
            return made
        return ()

    def queue(self) -> ThoughtQueue:
        """Return where thoughts are taken and carried out."""
        return ThoughtQueue(
            self.database.open_unit, self.database.open_reading, self.services, self.clock,
            self.settings.robot_seconds, self.observer,
        )  # fmt: skip

    def thinking(self) -> Thinking:
        """Return what thinks for robots."""
        leased = Leased(
            lambda work: work.thoughts.owners(), lambda work, owner: work.thoughts.release(owner)
        )
        leases = self.leases_of(leased, self._lifeline)
        workers = Workers(self.settings.thinking_processes(len(self.cores)), self.cores)
        return Thinking(
            self.queue(), leases, workers, self.database.open_unit, self.database.open_reading
        )

    def think_waiting(self, longest: timedelta) -> int:
        """Let robots think until nothing is due; return how many thoughts came to an end.

        None is begun once it has taken the `longest` time.
        """
        ends = self.clock() + longest
        with self.database.open_reading() as work:
            if not work.thoughts.counts(self.clock()).oldest and not work.thoughts.owners():
                return 0
        return think_waiting(self.thinking(), lambda: self.clock() >= ends)

    @cached_property
    def _lifeline(self) -> Lifeline:
        return self.database.open_lifeline()

    def close(self) -> None:
        """Close what this process has open."""
        if "_lifeline" in vars(self):
            self._lifeline.close()
