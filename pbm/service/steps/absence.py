"""Players who may have gone: the question to them, their answer, and their return."""

from collections.abc import Iterator

from pbm.domain.confirmations import STAY_LASTS, Errand, ErrandKind
from pbm.domain.pauses import moment_after
from pbm.domain.player import Player, PlayerId
from pbm.engine import fold
from pbm.service.context import Context
from pbm.service.letters import Message
from pbm.service.notices.absence import StayAsked
from pbm.service.notices.play import Refused
from pbm.service.notices.talk import Noted
from pbm.service.steps.bounces import heard_from
from pbm.service.tokens import errand_token, player_token


def ask_whether_staying(context: Context, player: PlayerId) -> Iterator[Message]:
    """Ask `player`, who has just lost a board by time, whether they stay, if it was their last.

    They are asked once, and not again until they have been heard from and lose all their boards
    again. If no mail can reach them they do not get the question, but their silence still counts.
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
    """Return whether `player` has been asked since they were last heard from."""
    last = context.work.errands.last(player.id, ErrandKind.STAY)
    since = player.missing_since
    return last is not None and since is not None and since <= last.made_at


def ask_no_more(context: Context, player: Player) -> None:
    """Stop waiting for an answer from `player`, who has been heard from."""
    last = context.work.errands.last(player.id, ErrandKind.STAY)
    if last is not None and last.done_at is None:
        context.work.errands.done(last.id, context.now)


def returned(context: Context, player: Player) -> tuple[Player, list[Message]]:
    """Return the proven sender as they are now, and the notices about their return.

    Usually nothing changes: only if they seemed to be missing, or could not be reached.
    """
    if player.missing_since is None and context.author not in player.troubles:
        return player, []
    notices = list(came_back(context, player))
    return context.people([player.id])[player.id], notices


def came_back(context: Context, player: Player) -> Iterator[Message]:
    """Undo what was done because `player` seemed missing; they have proven who they are."""
    context.work.players.set_missing(player.id, None)
    ask_no_more(context, player)
    yield from heard_from(context, player)


_NO = {"no", "nope", "leave", "quit"}


def stay(context: Context, errand: Errand, player: Player, line: str) -> Iterator[Message]:
    """Thank the player for any reply; after a no, tell them how to leave, which needs more."""
    silent = errand.done_at is not None and player.missing_since is not None
    player, welcome = returned(context, player)
    yield from welcome
    first = fold(line).split()[:1]
    if first and first[0].strip(".,;!") in _NO:
        sentence = "Your account stays open, because closing it needs your password."
        token = player_token(player.id)
        example = f"signoff {player.userid} your-password"
        yield Refused(player, sentence, example, context.now, reply=token)
    elif silent:
        yield Noted(player, "Welcome back! Your seeks and invitations had been closed; "
                            "everything else is as it was.")  # fmt: skip
    else:
        yield Noted(player, "Thank you. You stay, and everything is as it was.")
