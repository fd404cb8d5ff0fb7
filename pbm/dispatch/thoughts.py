"""The queue of thoughts: each is claimed, prepared, thought about elsewhere, and carried out.

A thought is claimed under the name of a process, prepared without a lock, thought about outside of
any transaction, and carried out in one that also deletes it: so it is carried out once. What was
found is carried out under the version check of its board, by the code that plays a person's
move. If the board has moved on, the thought is prepared again.
"""

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from datetime import datetime, timedelta
from typing import Any

from pbm.core.bugs import isolate_bugs, trace_of
from pbm.core.context import Context, Services, context_without_mail, day_of
from pbm.core.outbox import post
from pbm.core.robots import ThoughtJob
from pbm.domain.errors import Refusal
from pbm.domain.observer import Observer, ThoughtFate, ThoughtTold
from pbm.domain.robots import Thought, ThoughtKind
from pbm.engine import frozen
from pbm.features import learning, robots
from pbm.robots.tasks import Task
from pbm.store.errors import Conflict
from pbm.store.robots import NEWCOMER_FOR, NEWCOMERS, tally_of
from pbm.store.unit import OpenUnit, UnitOfWork

PAUSES = tuple(timedelta(seconds=seconds) for seconds in (10, 60, 600, 3600))
"""The pauses after the first fault of a thought, the second, and so on; the last one repeats."""

LOOK_AGAIN = timedelta(hours=1)
"""The pause of a thought that is impossible now, such as about a game that is not installed."""

MOST_CONFLICTS = 20
"""The tries in a row, if somebody else is first with the board, before it is left for later."""


_JOBS: Mapping[ThoughtKind, ThoughtJob] = {
    ThoughtKind.MOVE: robots.MOVE,
    ThoughtKind.ANSWER: robots.ANSWER,
    ThoughtKind.HINT: learning.HINT,
    ThoughtKind.ANALYSIS: learning.ANALYSIS,
}


@frozen
class Claimed:
    """A thought of this process, of a robot `userid` at a level, or of a person, at level 0."""

    thought: Thought
    userid: str
    level: int


@frozen
class ThoughtQueue:
    """The thoughts that wait. Each person has `share` seconds of a core a day."""

    open_unit: OpenUnit
    open_reading: OpenUnit
    services: Services
    clock: Callable[[], datetime]
    share: int
    observer: Observer = field(default_factory=Observer)

    def anything_due(self) -> bool:
        """Return whether a thought waits, without the lock of a writer."""
        with self.open_reading() as work:
            return work.thoughts.counts(self.clock()).waiting > 0

    def take(self, owner: str) -> tuple[Claimed, Task] | None:
        """Return the next thought that is worth thinking about, claimed by `owner`, or None.

        Raises Conflict if the database has given up the claim.
        """
        while (claimed := self._claim(owner)) is not None:
            if self._has_share(claimed) and (task := self._task_of(claimed)) is not None:
                return claimed, task
        return None

    def _claim(self, owner: str) -> Claimed | None:
        now = self.clock()
        with self.open_unit() as work:
            thought = work.thoughts.claim(owner, now, day_of(now))
            if thought is None:
                return None
            player = work.players.by_ids([thought.player])[thought.player]
            brain = work.robots.get(thought.player)
            work.commit()
        return Claimed(thought, player.userid, brain.level if brain else 0)

    def _has_share(self, claimed: Claimed) -> bool:
        """Return whether the payer has a share of the day left; else it goes on tomorrow."""
        now, payer = self.clock(), claimed.thought.payer
        with self.open_reading() as work:
            used = work.tallied(tally_of(payer), day_of(now))
        if used < self.share * 1000:
            return True
        tomorrow = day_of(now) + timedelta(days=1)

        def put_off(work: UnitOfWork) -> None:
            # The player whose share is used up gets one mail a day.
            if work.tally(f"share-used-up:{payer}", day_of(now)) == 1:
                person = work.players.by_ids([payer])[payer]
                message = robots.share_used_up(person, self.share, tomorrow)
                post(context_without_mail(self.services, work, now), [message])
            work.thoughts.put_off(claimed.thought, tomorrow, claimed.thought.tries)

        self._store(put_off)
        self._report(claimed, ThoughtFate.PUT_OFF, "the share of the day is used up", due=tomorrow)
        return False

    def _task_of(self, claimed: Claimed) -> Task | None:
        """Return the task of a thought, or None if it cannot, or need not, be thought about."""
        thought, task = claimed.thought, None
        with isolate_bugs() as errors, self.open_reading() as work, self.services.time_limited():
            task = _JOBS[thought.kind].prepare(self._context(work, thought), thought)
        for error in errors:
            if isinstance(error, Refusal):
                due = self.clock() + LOOK_AGAIN
                self._give_back(thought, due, thought.tries)
                self._report(claimed, ThoughtFate.PUT_OFF, str(error), due=due)
            else:
                self.fault(claimed, trace_of(error))
        if task is None and not errors:
            # If it was asked again meanwhile, it waits.
            self._store(lambda work: work.thoughts.done(thought))
        return task

    def give_back(self, claimed: Claimed) -> None:
        """Give back a thought that was not finished; others may take it at once."""
        self._give_back(claimed.thought, claimed.thought.due_at, claimed.thought.tries)

    def fault(self, claimed: Claimed, trace: str, seconds: float = 0.0) -> None:
        """Note that a thought failed; it waits, longer each time."""
        tries = claimed.thought.tries
        due = self.clock() + PAUSES[min(tries, len(PAUSES) - 1)]
        self._give_back(claimed.thought, due, tries + 1, seconds)
        self._report(claimed, ThoughtFate.FAULT, trace, seconds, tries=tries + 1, due=due)

    def _give_back(self, thought: Thought, due: datetime, tries: int, seconds: float = 0) -> None:
        def put_off(work: UnitOfWork) -> None:
            work.thoughts.put_off(thought, due, tries)
            self._count(work, thought, seconds)

        self._store(put_off)

    def _store(self, change: Callable[[UnitOfWork], object]) -> None:
        """Make a change that must be made: without it, a claimed thought would never be free."""
        for last in (*(False,) * MOST_CONFLICTS, True):
            try:
                with self.open_unit() as work:
                    change(work)
                    work.commit()
            except Conflict:
                if last:
                    raise
            else:
                return

    def carry_out(self, claimed: Claimed, found: Any, seconds: float) -> bool:
        """Carry out the result of so many seconds of a core; return whether that was done.

        If not, it is out of date, met a bug, or was taken away; then nothing of it is stored.
        """
        for _ in range(MOST_CONFLICTS):
            try:
                return self._carry_out(claimed, found, seconds)
            except Conflict:
                continue  # somebody else was first: look at the board again
        self.fault(claimed, "somebody else was always first with this board", seconds)
        return False

    def _carry_out(self, claimed: Claimed, found: Any, seconds: float) -> bool:
        thought, kind = claimed.thought, _JOBS[claimed.thought.kind]
        with self.open_unit() as work:
            with isolate_bugs() as errors, work.savepoint(), self.services.time_limited():
                context = self._context(work, thought)
                post(context, kind.carry_out(context, thought, found))
            outdated = [error for error in errors if isinstance(error, Refusal)]
            if outdated:
                work.thoughts.put_off(thought, thought.due_at)
            elif not errors and not work.thoughts.done(thought):
                return False  # somebody else has taken it meanwhile
            if outdated or not errors:
                self._count(work, thought, seconds)
                work.commit()
        if outdated:
            self._report(claimed, ThoughtFate.OUT_OF_DATE, str(outdated[0]), seconds)
        elif errors:
            self.fault(claimed, trace_of(errors[0]), seconds)
        else:
            fault = kind.fault_of(found)
            fate = ThoughtFate.REPLACED if fault else ThoughtFate.DONE
            self._report(claimed, fate, f"{found}. {fault}" if fault else str(found), seconds)
        return not errors

    def _context(self, work: UnitOfWork, thought: Thought) -> Context:
        """Return the context in which the player of a thought asks or acts."""
        player = work.players.by_ids([thought.player])[thought.player]
        return replace(context_without_mail(self.services, work, self.clock()), player=player)

    def _count(self, work: UnitOfWork, thought: Thought, seconds: float) -> None:
        """Count these seconds in the share of the payer, and of all newcomers if it is one."""
        if seconds:
            milliseconds, now = max(1, round(seconds * 1000)), self.clock()
            work.add_to_tally(tally_of(thought.payer), day_of(now), milliseconds)
            payer = work.players.by_ids([thought.payer])[thought.payer]
            if payer.created_at > now - NEWCOMER_FOR:
                work.add_to_tally(tally_of(NEWCOMERS), day_of(now), milliseconds)

    def _report(
        self, claimed: Claimed, fate: ThoughtFate, words: str, seconds: float = 0.0, *,
        tries: int = 0, due: datetime | None = None,
    ) -> None:  # fmt: skip
        thought = claimed.thought
        waited = max(0.0, (self.clock() - thought.asked_at).total_seconds())
        self.observer.thought(
            ThoughtTold(
                thought.number, thought.kind, claimed.userid, claimed.level, fate, words, waited,
                seconds, tries, due,
            )
        )  # fmt: skip
