"""What an operator did, written down in the unit of work that does it."""

from dataclasses import dataclass
from datetime import datetime

from pbm.domain.match import Match
from pbm.domain.player import Player
from pbm.service.ports import AuditRow, Facts
from pbm.store.unit import UnitOfWork


@dataclass(frozen=True, slots=True)
class Signature:
    """Who acts, as the host knows them, and why.

    `why` is kept in the audit, `told` is what the players read.
    """

    operator: str = ""
    why: str = ""
    told: str = ""


UNSIGNED = Signature()
"""Stands under what no command of the operator did: a test, a script."""


def record(
    work: UnitOfWork, by: Signature, now: datetime, act: str, subject: object,
    before: Facts, after: Facts,
) -> None:  # fmt: skip
    """Write down that `act` made of `subject` what it is after, where it was as it was before."""
    work.audit.add(AuditRow(now, by.operator, act, str(subject), before, after, by.why))


def player_facts(player: Player) -> Facts:
    """Return what an operator can change of a player; never their password."""
    return {
        "state": player.state.value,
        "addresses": list(player.addresses),
        "off": list(player.off),
    }


def match_facts(match: Match) -> Facts:
    """Return what an operator can change of a match: how far it is, and how it ended."""
    last = match.log[-1] if match.log else None
    return {
        "plies": len(match.plies),
        "entries": len(match.log),
        "last": f"{last.kind.value} {last.text}".strip() if last else None,
        "ending": match.outcome.ending.value if match.outcome else None,
        "winners": list(match.outcome.winners) if match.outcome else None,
    }
