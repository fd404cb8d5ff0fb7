"""The stored data of one person: handed out, or erased."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from pbm.domain.addresses import patterns_of
from pbm.domain.match import Match, comments_of
from pbm.domain.player import Player, PlayerState
from pbm.operator.administration import Administration
from pbm.store.operator import AuditRow, Facts
from pbm.store.personal import Traces
from pbm.store.unit import UnitOfWork

_ALL = 1_000_000


def export(work: UnitOfWork, player: Player) -> dict[str, Any]:
    """Return all that is stored of a player, as plain values without secrets."""
    return {
        **work.personal.stored(player),
        "matches": [_part_in(match, player) for match in _matches_of(work, player)],
        # Followers could chat in earlier versions.
        "talk_as_follower": {
            number: [_said(position, text) for position, text in found.items()]
            for number, found in work.personal.chats(player.userid).items()
        },
        "audit": [asdict(row) for row in _audit_of(work, player)],
    }


def erase(operator: Administration, userid: str) -> str:
    """Leave nothing that names a player; return the name that replaces theirs.

    It does what their own signoff would do, under the new name. Matches, results and the others'
    ratings stay. The player gets no mail, because it would name them.
    """
    work, player = operator.work, operator.player(userid)
    traces = Traces(player, _addresses_of(work, player), _anonymous(work, player))
    _silence(work, traces)
    work.personal.rename(player, traces.anonymous)
    # Also if they have left: the last of their boards may not have ended yet.
    operator.remove(operator.player(traces.anonymous))
    operator.note("user erase", traces.anonymous, {"state": player.state.value}, _GONE)
    work.personal.erase(traces)
    return traces.anonymous


_GONE: Facts = {"state": PlayerState.GONE.value}


def _silence(work: UnitOfWork, traces: Traces) -> None:
    """Blank what the player said on boards, their own and those that they followed."""
    for match in _matches_of(work, traces.player):
        work.personal.silence(match.number, tuple(comments_of(match, traces.player.id)))
        work.personal.reword(match.number, traces)
    for number, found in work.personal.chats(traces.player.userid).items():
        work.personal.silence(number, tuple(found))
        work.personal.reword(number, traces)


def _matches_of(work: UnitOfWork, player: Player) -> Iterator[Match]:
    for row in work.matches.listing(None, [player.id], limit=_ALL):
        found = work.matches.get(row.number)
        if found is not None:
            yield found[0]


def _part_in(match: Match, player: Player) -> dict[str, Any]:
    return {
        "board": match.number,
        "game": match.game,
        "started_at": match.started_at,
        "ended_at": match.ended_at,
        "comments": [
            _said(position, entry.comment)
            for position, entry in comments_of(match, player.id).items()
        ],
    }


def _said(position: int, comment: str) -> dict[str, Any]:
    return {"entry": position, "comment": comment}


def _audit_of(work: UnitOfWork, player: Player) -> tuple[AuditRow, ...]:
    return work.audit.listing(player.userid, limit=_ALL)


def _addresses_of(work: UnitOfWork, player: Player) -> tuple[str, ...]:
    """Return every address that is known of a player and of nobody else, in small letters.

    Former ones are in the audit, and new ones in requests that wait. The mailbox of a
    plus-address is theirs, too, and so is every other plus-address of it.
    """
    facts = (facts for row in _audit_of(work, player) for facts in (row.before, row.after))
    former = (address for each in facts for address in each.get("addresses", ()))
    coming = (request.address for request in work.confirmations.of(player.id))
    named = (*player.addresses, *former, *coming)
    forms = (form for address in named for form in patterns_of(address) if "@" in form)
    own = [form for form in dict.fromkeys(forms) if _only_of(work, player, form)]
    near = sorted(work.personal.addresses_of(frozenset(own)))
    return tuple(dict.fromkeys((*own, *(each for each in near if _only_of(work, player, each)))))


def _only_of(work: UnitOfWork, player: Player, address: str) -> bool:
    return all(owner.id == player.id for owner in work.players.owners(address))


def _anonymous(work: UnitOfWork, player: Player) -> str:
    """Return a userid that nobody else has and that names nobody."""
    names = (f"gone-{player.id}{'.' * dots}" for dots in range(16))
    taken = ((name, work.players.by_userid(name)) for name in names)
    return next(name for name, owner in taken if owner is None or owner.id == player.id)
