"""Mailings: the unsubscribe button of a mail program stops mails of a kind (RFC 2369).

The token in its address says who and what, whoever sends it: some providers write in their own
name. It can do nothing else. Whoever stops something gets one short mail; a repeat gets none.
"""

from collections.abc import Iterator

from pbm.domain.errors import UnknownName
from pbm.domain.invitations import wants_seeks
from pbm.domain.mailings import Mailing
from pbm.domain.player import Player, PlayerId
from pbm.domain.settings import BROADCAST, NEWS, REMINDERS, Setting, chosen
from pbm.features.following import stop
from pbm.service.command import Proof, untyped
from pbm.service.context import Context
from pbm.service.letters import Message, noted
from pbm.service.tokens import TokenKind, player_token


@untyped("leave", needs=Proof.ITS_MAIL, confirms=TokenKind.LEAVE)
def leave(
    context: Context, mailing: Mailing, player: PlayerId, number: int, subject: str
) -> Iterator[Message]:
    """Stop a kind of mails; write to their reader if that changes anything.

    `number` may be a board, and `subject`, the subject of the mail, may begin with a game.
    """
    reader = context.people([player]).get(player)
    if reader is None or not reader.active:
        return
    sentence = _stopped(context, mailing, reader, number, subject)
    if sentence:
        yield noted(reader, f"As you asked: {sentence}", reply=player_token(player))


def _stopped(context: Context, mailing: Mailing, reader: Player, number: int, subject: str) -> str:
    """Stop the mails; return a sentence on what has changed, or "" if nothing has."""
    match mailing:
        case Mailing.FOLLOWED:
            return _board(context, reader, number)
        case Mailing.SEEKS:
            return _seeks(context, reader, subject)
        case Mailing.BROADCASTS:
            return _set(context, reader, BROADCAST, "no", "you get no more broadcasts.")
        case Mailing.REMINDERS:
            few = (
                "of each turn you get only the last reminder, before you would lose. The mails of "
                "your boards come as before."
            )
            return _set(context, reader, REMINDERS, "last", few)
        case Mailing.NEWS:
            return _set(context, reader, NEWS, "no", "you get no more news of the server.")


def _board(context: Context, reader: Player, number: int) -> str:
    """Stop the mails of a board, and those of its game if they come because of that."""
    said = f"you no longer follow board {number}." if stop(context, reader, number) else ""
    try:
        game = context.boards.get(number).match.game
    except UnknownName:
        return said
    if stop(context, reader, game):
        title = context.services.catalogue.get(game).info.title
        return f"you no longer follow every board of {title}. {game} subscribe all begins again."
    return f"{said} subscribe {number} begins again." if said else ""


def _seeks(context: Context, reader: Player, subject: str) -> str:
    """Stop the mails of the seeks of a game; of all games if the subject names none."""
    named = context.services.catalogue.find(subject.partition(" ")[0])
    games = [named] if named else list(context.services.catalogue)
    wanted = [wants_seeks(game.info.key) for game in games]
    ended = [name for name in wanted if reader.settings.get(name) == "yes"]
    for name in ended:
        context.work.players.set_setting(reader.id, name, None)
    what = named.info.title if named else "any game"
    again = f"{named.info.key} notify seeks" if named else "notify seeks"
    said = f"you get no more mails of who seeks an opponent at {what}. {again} begins again."
    return said if ended else ""


def _set(context: Context, reader: Player, setting: Setting, value: str, said: str) -> str:
    """Give a setting a value; return what is `said` if it had another one."""
    if chosen(setting, reader.settings) == value:
        return ""
    context.work.players.set_setting(reader.id, setting.name, value)
    return f"{said} set {setting.name} yes begins again."
