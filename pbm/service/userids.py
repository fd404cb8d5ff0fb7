"""Userids that somebody may have meant by one that there is not."""

from pbm.engine import did_you_mean, near
from pbm.service.ports import UnitOfWork


def near_userids(work: UnitOfWork, userid: str) -> str:
    """Return " Did you mean alice?", to follow a sentence; "" if no userid is like this one."""
    return did_you_mean(near(userid, work.players.similar(userid)))
