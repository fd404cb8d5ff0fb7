"""Absence without notice: a player who loses all his boards by time is asked once if he stays."""

from collections.abc import Iterator

from pbm.domain.pauses import moment_after
from pbm.domain.periods import STAY_LASTS
from pbm.domain.player import ErrandKind, Player, PlayerId
from pbm.service.absence_notices import StayAsked
from pbm.service.context import Context
from pbm.service.notices import Notice
from pbm.service.tokens import Token, TokenKind


def ask_whether_staying(context: Context, player: PlayerId) -> Iterator[Notice]:
    """Ask `player`, who has just lost a board by time, whether he stays, if it was his last.

    He is asked once, and not again until he has been heard from and loses all his boards anew.
    One whom no mail can reach is not told so, but his silence counts all the same.
    """
    work, now = context.work, context.now
    asked = context.people([player])[player]
    if not asked.active or _is_asked(context, asked):
        return
    if work.matches.count(None, [player], over=False):
        return
    errand = work.errands.add(ErrandKind.STAY, player, asked.home, now)
    if asked.missing_since is None:
        work.players.set_missing(player, now)
    until = moment_after(now, STAY_LASTS, work.pauses.of(None)) or now + STAY_LASTS
    yield StayAsked(asked, until, Token(TokenKind.ERRAND, errand.id, player))


def _is_asked(context: Context, player: Player) -> bool:
    """Return whether `player` has been asked since he was last heard from."""
    last = context.work.errands.last(player.id, ErrandKind.STAY)
    since = player.missing_since
    return last is not None and since is not None and since <= last.made_at


def ask_no_more(context: Context, player: Player) -> None:
    """Expect no answer from `player` any more: he has been heard from."""
    last = context.work.errands.last(player.id, ErrandKind.STAY)
    if last is not None and last.done_at is None:
        context.work.errands.done(last.id, context.now)
