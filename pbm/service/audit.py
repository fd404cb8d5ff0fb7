"""The audit: acts of an operator, recorded in the unit of work that does them."""

from dataclasses import dataclass
from datetime import datetime

from pbm.domain.match import Match
from pbm.domain.player import Player
from pbm.service.ports import AuditRow, Facts
from pbm.store.unit import UnitOfWork


@dataclass(frozen=True, slots=True)
class Signature:
    """The person who acts, by their name on the host, and the reason.

    `why` is for the audit, `told` is for the players.
    """

    operator: str = ""
    why: str = ""
    told: str = ""


UNSIGNED = Signature()
"""The signature of acts that no command of the operator did, such as in a test."""


def record(
    work: UnitOfWork, by: Signature, now: datetime, act: str, subject: object,
    before: Facts, after: Facts,
) -> None:  # fmt: skip
    """Record that `act` changed `subject`, with the facts before and after."""
    work.audit.add(AuditRow(now, by.operator, act, str(subject), before, after, by.why))


def player_facts(player: Player) -> Facts:
    """Return the facts of a player that an operator can change, without the password."""
    return {
        "state": player.state.value,
        "addresses": list(player.addresses),
        "off": list(player.off),
    }


def match_facts(match: Match) -> Facts:
    """Return the facts of a match that an operator can change: its length and its end."""
    last = match.log[-1] if match.log else None
    return {
        "plies": len(match.plies),
        "entries": len(match.log),
        "last": f"{last.kind.value} {last.text}".strip() if last else None,
        "ending": match.outcome.ending.value if match.outcome else None,
        "winners": list(match.outcome.winners) if match.outcome else None,
    }
