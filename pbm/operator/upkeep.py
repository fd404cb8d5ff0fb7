"""Acts of the operator on the server itself: clocks, waiting mails, bans; all logged."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import datetime

from pbm.core.audit import Signature, record
from pbm.core.boards import snapshot_of, stored_position
from pbm.core.bugs import isolate_bugs, trace_of
from pbm.core.context import TimeLimited
from pbm.core.heartbeat import restart_clocks, stop_clocks
from pbm.domain.addresses import patterns_of, read_pattern, sells_names
from pbm.domain.catalogue import Catalogue
from pbm.domain.errors import NotAllowed, NotNow, UnknownName
from pbm.domain.match import Ending, Match
from pbm.domain.play import Board, live, outcome_by
from pbm.engine import MoveError
from pbm.store.inbox import ShuntedMail
from pbm.store.match_reading import Snapshot
from pbm.store.operator import Facts
from pbm.store.people import BanRow
from pbm.store.unit import UnitOfWork


def _check_domain(domain: str, *, meant: bool) -> None:
    """Raise NotAllowed if a ban of `domain` would be one of strangers; `meant`: as one domain."""
    if "." not in domain:
        raise NotAllowed(f"{domain} is a whole top-level domain. Ban domains below it.")
    if sells_names(domain.split(".")) and not meant:
        raise NotAllowed(
            f"{domain} looks like an ending below which anybody can have a domain. "
            f"If it belongs to one owner, ban @{domain}; otherwise ban domains below it."
        )


@dataclass(frozen=True)
class Upkeep:
    """The acts of the operator who signs, in one unit of work; the caller commits it.

    `ours` are the addresses of the server and of its operator.
    """

    work: UnitOfWork
    now: datetime
    by: Signature
    ours: Sequence[str] = ()

    def stop_clocks(self) -> None:
        """Stop everybody's clocks and announce it; raise NotNow if they are stopped already."""
        stop_clocks(self.work, self.now)
        self.note("pause", "clocks", {"clocks": "run"}, {"clocks": "stand"})

    def restart_clocks(self) -> None:
        """Let everybody's clocks run again and announce it; raise NotNow if they run."""
        restart_clocks(self.work, self.now)
        self.note("resume", "clocks", {"clocks": "stand"}, {"clocks": "run"})

    def retry_shunted(self, number: int) -> None:
        """Put a mail that met a bug back into the inbox; raise UnknownName if there is none."""
        before = _shunted_facts(shunted(self.work, number))
        self.work.shunt.retry(number)
        self.note("shunt retry", number, before, {"state": "waiting"})

    def unmask_shunted(self, number: int) -> None:
        """Log that a mail in the shunt is read with its secrets."""
        before = _shunted_facts(shunted(self.work, number))
        self.note("shunt unmask", number, before, before)

    def drop_shunted(self, number: int) -> None:
        """Delete a mail that met a bug; raise UnknownName if there is none."""
        before = _shunted_facts(shunted(self.work, number))
        self.work.shunt.drop(number)
        self.note("shunt drop", number, before, {})

    def retry_outgoing(self, number: int, is_free: Callable[[str], bool] = lambda _: False) -> str:
        """Make a mail to be delivered due at once; raise UnknownName if there is none.

        Returns who delivers it right now, "host:pid", and then does nothing; "" if nobody does.
        The lease of a process that `is_free` knows to be dead is ended.
        """
        before = self._outgoing(number)
        row = self.work.outbox.get(number)
        owner = row.owner if row else None
        if owner and is_free(owner):
            self.work.outbox.seize(number, owner)
        elif owner:
            return owner.rpartition(":")[0]
        self.work.outbox.retry(number, self.now)
        self.note("outbox retry", number, before, {**before, "state": "waiting"})
        return ""

    def retry_all_outgoing(self, is_free: Callable[[str], bool]) -> tuple[int, Sequence[str]]:
        """Make all mails to be delivered due at once, as `retry_outgoing` does one.

        Returns how many are due now, and who delivers others. All are changed by one statement,
        because nobody else can write to a SQLite database meanwhile.
        """
        busy = []
        for owner in self.work.outbox.owners():
            if is_free(owner):
                self.work.outbox.release(owner)
            else:
                busy.append(owner.rpartition(":")[0])
        due = self.work.outbox.retry_all(self.now)
        self.note("outbox retry", "all", {}, {"due": due})
        return due, busy

    def drop_outgoing(self, number: int) -> None:
        """Delete a mail to be delivered; raise UnknownName if there is none."""
        before = self._outgoing(number)
        self.work.outbox.drop(number)
        self.note("outbox drop", number, before, {})

    def ban(self, text: str) -> str:
        """Keep an address or a domain out; return its pattern."""
        pattern = read_pattern(text)
        if kept_out := [address for address in self.ours if pattern in patterns_of(address)]:
            raise NotAllowed(f"A ban of {pattern} would keep out {kept_out[0]}, which is yours.")
        if "@" not in pattern:
            _check_domain(pattern, meant=text.startswith("@"))
        if not self.work.bans.add(BanRow(pattern, self.now, self.by.why)):
            raise NotNow(f"{pattern} is banned already.")
        self.note("ban add", pattern, {"banned": False}, {"banned": True})
        return pattern

    def lift_ban(self, text: str) -> str:
        """Let mails from an address or a domain in again; return its pattern."""
        pattern = read_pattern(text)
        if not self.work.bans.remove(pattern):
            raise UnknownName(f"There is no ban of {pattern}; pbm ban list shows all.")
        self.note("ban remove", pattern, {"banned": True}, {"banned": False})
        return pattern

    def _outgoing(self, number: int) -> Facts:
        row = self.work.outbox.get(number)
        if row is None:
            raise UnknownName(f"There is no mail {number} waiting in the outbox.")
        return {"recipient": row.recipient, "state": row.state, "tries": row.tries}

    def note(self, act: str, subject: object, before: Facts, after: Facts) -> None:
        """Log an act."""
        record(self.work, self.by, self.now, act, subject, before, after)


def shunted(work: UnitOfWork, number: int) -> ShuntedMail:
    """Return a mail that met a bug; raise UnknownName if there is none of that number."""
    row = work.shunt.get(number)
    if row is None:
        raise UnknownName(f"There is no mail {number} in the shunt.")
    return row


def _shunted_facts(row: ShuntedMail) -> Facts:
    return {"state": "shunted", "shunted_at": row.shunted_at.isoformat(timespec="seconds")}


def faults_of(match: Match, snapshot: Snapshot | None, catalogue: Catalogue) -> Iterator[str]:
    """Yield a sentence for each way in which what is stored disagrees with the replayed log."""
    game = catalogue.rules(match.game, match.rules_version)
    if game is None:
        yield _missing_rules(match, catalogue)
        return
    try:
        board = live(match, game)
    except MoveError as error:
        yield f"its log cannot be replayed: {error}"
        return
    if match.log.ply != board.position.ply:
        yield f"it counts {match.log.ply} plies, its log has {board.position.ply}"
    if snapshot is None:
        yield "it has no snapshot"
    elif snapshot.ply != board.position.ply:
        yield f"its snapshot is at ply {snapshot.ply}, its log at {board.position.ply}"
    elif _differs(snapshot, board):
        yield "its snapshot differs from the replayed position"
    yield from _outcome_faults(board)


def _differs(snapshot: Snapshot, board: Board) -> bool:
    """Return whether a snapshot that would be used says something else than the log."""
    with isolate_bugs():
        stored = stored_position(board.game, snapshot)
        said = replace(board, position=stored or board.position)
        return snapshot_of(said) != snapshot_of(board)
    return True  # it cannot be read


def _missing_rules(match: Match, catalogue: Catalogue) -> str:
    if catalogue.find(match.game) is None:
        return f"the game {match.game} is not installed"
    return f"version {match.rules_version} of the rules of {match.game} is not installed"


def _outcome_faults(board: Board) -> Iterator[str]:
    outcome = board.match.outcome
    result = board.game.result(board.position.state)
    if result is not None:
        if outcome is None or replace(outcome, ratings=()) != outcome_by(result):
            yield f"the rules end it by {result.reason}, which is not what is stored"
    elif outcome is not None and outcome.ending is Ending.RULES:
        yield "it is stored as ended by rule, but the rules let it go on"


def verify_all(
    work: UnitOfWork, catalogue: Catalogue, time_limited: TimeLimited = nullcontext
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield each board number with its faults, () if it is sound.

    The replay of each is `time_limited`; a bug of its game is a fault like others.
    """
    for number in work.matches.numbers():
        found = work.matches.get(number)
        if found is not None:
            yield number, _faults_met(*found, catalogue, time_limited)


def _faults_met(
    match: Match, snapshot: Snapshot | None, catalogue: Catalogue, time_limited: TimeLimited
) -> tuple[str, ...]:
    with isolate_bugs() as bugs, time_limited():
        return tuple(faults_of(match, snapshot, catalogue))
    *_, place, kind = trace_of(bugs[0]).splitlines()
    return (f"its game met a bug when the log was replayed: {kind} in {place}",)


def repair(
    work: UnitOfWork, catalogue: Catalogue, number: int, time_limited: TimeLimited = nullcontext
) -> bool:
    """Rebuild what is stored of a match from its log, the truth.

    Returns False if its rules are not there, or cannot replay the log.
    """
    found = work.matches.get(number)
    game = catalogue.rules(found[0].game, found[0].rules_version) if found else None
    if found is None or game is None:
        return False
    snapshot: Snapshot | None = None
    with isolate_bugs(), time_limited():  # `verify_all` reports a bug
        snapshot = snapshot_of(live(found[0], game))
    if snapshot is not None:
        work.matches.mend(number, snapshot)
    return snapshot is not None
