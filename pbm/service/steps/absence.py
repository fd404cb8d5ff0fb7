"""Players of whom nobody knows whether they are still there: asked, answered, come back."""

from collections.abc import Iterator

from pbm.domain.pauses import moment_after
from pbm.domain.periods import STAY_LASTS
from pbm.domain.player import Errand, ErrandKind, Player, PlayerId
from pbm.engine import fold
from pbm.service.context import Context
from pbm.service.notices import Notice
from pbm.service.notices.absence import StayAsked
from pbm.service.notices.play import Refused
from pbm.service.notices.talk import Noted
from pbm.service.steps.bounces import heard_from
from pbm.service.tokens import errand_token, player_token


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
    yield StayAsked(asked, until, reply=errand_token(errand))


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


def returned(context: Context, player: Player) -> tuple[Player, list[Notice]]:
    """Return the player, who has proven to have written, as he is now, and who is told what of it.

    Nothing has changed as a rule: only if nobody knew whether he is there, or could reach him.
    """
    if player.missing_since is None and context.author not in player.troubles:
        return player, []
    notices = list(came_back(context, player))
    return context.people([player.id])[player.id], notices


def came_back(context: Context, player: Player) -> Iterator[Notice]:
    """Take back what was done because `player` seemed to be missing; he has proven who he is."""
    context.work.players.set_missing(player.id, None)
    ask_no_more(context, player)
    yield from heard_from(context, player)


_NO = {"no", "nope", "leave", "quit"}


def stay(context: Context, errand: Errand, player: Player, line: str) -> Iterator[Notice]:
    """Thank the player for any word; if it is a no, tell him how to leave, which needs more."""
    silent = errand.done_at is not None and player.missing_since is not None
    player, welcome = returned(context, player)
    yield from welcome
    first = fold(line).split()[:1]
    if first and first[0].strip(".,;!") in _NO:
        sentence = "Your account stays open, for to close it takes your password."
        token = player_token(player.id)
        example = f"signoff {player.userid} your-password"
        yield Refused(player, sentence, example, context.now, reply=token)
    elif silent:
        yield Noted(player, "Welcome back! Your seeks and invitations had been closed; "
                            "everything else is as it was.")  # fmt: skip
    else:
        yield Noted(player, "Thank you. You stay, and everything is as it was.")
