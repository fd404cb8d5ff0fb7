"""Who is kept out, and who may open an account."""

from pbm.domain.addresses import patterns_of
from pbm.domain.player import PlayerState
from pbm.service.ports import UnitOfWork


def is_banned(work: UnitOfWork, address: str) -> bool:
    """Return whether mails from `address` are neither executed nor answered."""
    return work.bans.any_of(patterns_of(address))


def may_open_account(work: UnitOfWork, address: str) -> bool:
    """Return whether an account may be opened for `address`.

    It may not if it is banned, or leads to a mailbox of an account that the operator has disabled.
    """
    disabled = work.players.has_mailbox(address, PlayerState.DISABLED)
    return not disabled and not is_banned(work, address)
