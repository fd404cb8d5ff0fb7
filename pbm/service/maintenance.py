"""The operator's hand on all clocks at once; moves are played all the same."""

from datetime import datetime

from pbm.domain.errors import NotNow
from pbm.domain.pauses import Pause, PauseKind
from pbm.service.ports import News, UnitOfWork


def stop_clocks(work: UnitOfWork, now: datetime) -> None:
    """Stop the clocks of everybody and have that told; raise NotNow if they stand already."""
    if _standing(work) is not None:
        raise NotNow("The clocks stand already; pbm resume lets them run again.")
    pause = work.pauses.add(PauseKind.MAINTENANCE, now, None)
    work.announcements.add(News.STOPPED, pause.id, now)


def restart_clocks(work: UnitOfWork, now: datetime) -> None:
    """Let the clocks of everybody run again and have that told; raise NotNow if they do."""
    pause = _standing(work)
    if pause is None:
        raise NotNow("The clocks have not been stopped.")
    work.pauses.end(pause.id, max(now, pause.began_at))
    work.announcements.add(News.RESUMED, pause.id, now)
    work.matches.look_soon(None, now)


def _standing(work: UnitOfWork) -> Pause | None:
    """Return the maintenance that has no end yet."""
    pauses = work.pauses.of(None)
    return next((p for p in pauses if p.kind is PauseKind.MAINTENANCE and p.until is None), None)
