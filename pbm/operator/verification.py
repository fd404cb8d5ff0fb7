"""`pbm verify`: every match replayed from its log and compared with what is stored beside it."""

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace

from pbm.domain.catalogue import Catalogue
from pbm.domain.match import Ending, Match, Outcome
from pbm.domain.play import LiveMatch, live
from pbm.engine import MoveError, encode
from pbm.service.bugs import trace_of
from pbm.service.context import Bounded
from pbm.service.ports import Conflict, Snapshot, StoreUnavailable, UnitOfWork


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
    elif snapshot.state != encode(game, board.position.state):
        yield "its snapshot differs from the replayed position"
    yield from _outcome_faults(board)


def _missing_rules(match: Match, catalogue: Catalogue) -> str:
    if catalogue.find(match.game) is None:
        return f"the game {match.game} is not installed"
    return f"version {match.rules_version} of the rules of {match.game} is not installed"


def _outcome_faults(board: LiveMatch) -> Iterator[str]:
    outcome = board.match.outcome
    result = board.game.result(board.position.state)
    if result is not None:
        by_rule = Outcome(Ending.RULES, result.winners, result.reason, result.scores)
        if outcome is None or replace(outcome, ratings=()) != by_rule:
            yield f"the rules end it by {result.reason}, which is not what is stored"
    elif outcome is not None and outcome.ending is Ending.RULES:
        yield "it is stored as ended by rule, but the rules let it go on"


def verify_all(
    work: UnitOfWork, catalogue: Catalogue, bounded: Bounded = nullcontext
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield each board number with its faults, () if it is sound.

    The replay of each is `bounded`; a bug of its game is a fault like others.
    """
    for number in work.matches.numbers():
        found = work.matches.get(number)
        if found is not None:
            yield number, _faults_met(*found, catalogue, bounded)


def _faults_met(
    match: Match, snapshot: Snapshot | None, catalogue: Catalogue, bounded: Bounded
) -> tuple[str, ...]:
    try:
        with bounded():
            return tuple(faults_of(match, snapshot, catalogue))
    except (Conflict, StoreUnavailable):
        raise
    except Exception as bug:  # noqa: BLE001 - any bug of a game: the others are looked at as well
        return (f"its game met a bug when the log was replayed: {_place_of(bug)}",)


def _place_of(bug: Exception) -> str:
    """Return the kind of a bug and where it was, without values."""
    *_, place, kind = trace_of(bug).splitlines()
    return f"{kind} in {place}"


def repair(
    work: UnitOfWork, catalogue: Catalogue, number: int, bounded: Bounded = nullcontext
) -> bool:
    """Rebuild what is stored of a match from its log, the truth.

    Returns False if its rules are not there, or cannot replay the log.
    """
    found = work.matches.get(number)
    game = catalogue.rules(found[0].game, found[0].rules_version) if found else None
    if found is None or game is None:
        return False
    try:
        with bounded():
            board = live(found[0], game)
            state = encode(game, board.position.state)
    except (Conflict, StoreUnavailable):
        raise
    except Exception:  # noqa: BLE001 - `verify_all` tells what is wrong
        return False
    work.matches.mend(number, Snapshot(board.position.ply, state))
    return True
