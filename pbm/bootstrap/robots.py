"""Robots of a server: their accounts, and how this process thinks for them."""

import json
import logging
from contextlib import suppress
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from pbm import system
from pbm.dispatch.thoughts import ThoughtQueue
from pbm.domain.errors import NotAllowed
from pbm.domain.robots import Calibration, read_calibration
from pbm.operator.administration import Administration
from pbm.operator.robot_accounts import add_standard, give_ratings
from pbm.service.delivery import Leased
from pbm.store.errors import Conflict, StoreUnavailable
from pbm.store.liveness import Lifeline
from pbm.thinking.stage import Thinking, think_waiting
from pbm.thinking.workers import Workers

if TYPE_CHECKING:
    from pbm.bootstrap.house import House

log = logging.getLogger("pbm")


class Robots:
    """The robots of a `house`, and the processes in which they think."""

    def __init__(self, house: "House") -> None:
        self._house = house

    @cached_property
    def calibration(self) -> Calibration:
        """The strengths of the levels of robots, as measured before this release."""
        file = system.package() / "robots" / "calibration.json"
        return read_calibration(json.loads(file.read_text("utf-8")))

    def make(self) -> tuple[str, ...]:
        """Make the standard robots that are missing, if the settings want any; return their names.

        Any number of processes may do so at the same time.
        """
        house = self._house
        if not house.settings.robots:
            return ()
        # If another process was faster, it has made them all; without the database the next start
        # makes them.
        with suppress(Conflict, NotAllowed, StoreUnavailable), house.open_unit() as work:
            operator = Administration(house.services, work, house.clock())
            robots = add_standard(operator)
            give_ratings(operator, self.calibration)
            work.commit()
            made = tuple(robot.userid for robot in robots)
            if made:
                log.info("made %s, as no setting says robots = false", ", ".join(made))
            return made
        return ()

    def queue(self) -> ThoughtQueue:
        """Return where thoughts are taken and carried out."""
        house = self._house
        return ThoughtQueue(
            house.open_unit, house.open_reading, house.services, house.clock,
            house.settings.robot_seconds, house.observer,
        )  # fmt: skip

    def thinking(self) -> Thinking:
        """Return what thinks for robots."""
        house = self._house
        leased = Leased(
            lambda work: work.thoughts.owners(), lambda work, owner: work.thoughts.release(owner)
        )
        leases = house.leases_of(leased, self._lifeline)
        workers = Workers(house.settings.thinking_processes(len(house.cores)), house.cores)
        return Thinking(self.queue(), leases, workers, house.open_unit, house.open_reading)

    def think_waiting(self, longest: timedelta) -> int:
        """Let robots think until nothing is due; return how many thoughts came to an end.

        None is begun once it has taken the `longest` time.
        """
        house = self._house
        ends = house.clock() + longest
        with house.open_reading() as work:
            if not work.thoughts.counts(house.clock()).oldest and not work.thoughts.owners():
                return 0
        return think_waiting(self.thinking(), lambda: house.clock() >= ends)

    @cached_property
    def _lifeline(self) -> Lifeline:
        return self._house.open_lifeline()

    def close(self) -> None:
        """Close what this process has open."""
        if "_lifeline" in vars(self):
            self._lifeline.close()
