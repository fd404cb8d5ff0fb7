"""Mails of a kind are stopped by the unsubscribe button of a mail program (RFC 2369).

The token in its address says who and what, whoever sends it: some providers write in their own
name. It can do nothing else. Whoever stops something gets one short mail; a repeat gets none.
"""

from collections.abc import Callable, Iterator, Mapping

from pbm.domain.errors import UnknownName
from pbm.domain.invitations import wants_seeks
from pbm.domain.mailings import Mailing
from pbm.domain.player import Player
from pbm.domain.settings import BROADCAST, NEWS, REMINDERS, Setting, chosen
from pbm.service.commands.mailings import Leave
from pbm.service.context import Context, Handler
from pbm.service.letters import Message, noted
from pbm.service.tokens import player_token


def leave(context: Context, command: Leave) -> Iterator[Message]:
    """Stop what the mail was one of; tell its reader, if that changes anything."""
    player = context.people([command.player]).get(command.player)
    if player is None or not player.active:
        return
    sentence = _STOPPED[command.mailing](context, command, player)
    if sentence:
        yield noted(player, f"As you asked: {sentence}", reply=player_token(player.id))


def _followed(context: Context, command: Leave, player: Player) -> str:
    """Stop the mails of a board, and those of its game if they come because of that."""
    number, followers = command.number, context.work.followers
    ended = followers.unfollow(player.id, number=number, game=None)
    said = f"you no longer follow board {number}." if ended else ""
    try:
        game = context.boards.get(number).match.game
    except UnknownName:
        return said
    if followers.unfollow(player.id, number=None, game=game):
        title = context.services.catalogue.get(game).info.title
        return f"you no longer follow every board of {title}. {game} subscribe all begins again."
    return f"{said} subscribe {number} begins again." if said else ""


def _seeks(context: Context, command: Leave, player: Player) -> str:
    """Stop the mails of the seeks of a game; of all games if the subject names none."""
    named = context.services.catalogue.find(command.subject.partition(" ")[0])
    games = [named] if named else list(context.services.catalogue)
    wanted = [wants_seeks(game.info.key) for game in games]
    ended = [name for name in wanted if player.settings.get(name) == "yes"]
    for name in ended:
        context.work.players.set_setting(player.id, name, None)
    what = named.info.title if named else "any game"
    again = f"{named.info.key} notify seeks" if named else "notify seeks"
    told = f"you get no more mails of who seeks an opponent at {what}. {again} begins again."
    return told if ended else ""


def _set(setting: Setting, value: str, told: str) -> "_Stop":
    """Return what gives `setting` a value, and tells so."""

    def stop(context: Context, _command: Leave, player: Player) -> str:
        if chosen(setting, player.settings) == value:
            return ""
        context.work.players.set_setting(player.id, setting.name, value)
        return f"{told} set {setting.name} yes begins again."

    return stop


_Stop = Callable[[Context, Leave, Player], str]
"""Stops mails; returns what holds now, "" if nothing has changed."""

_STOPPED: Mapping[Mailing, _Stop] = {
    Mailing.FOLLOWED: _followed,
    Mailing.SEEKS: _seeks,
    Mailing.BROADCASTS: _set(BROADCAST, "no", "you get no more broadcasts."),
    Mailing.REMINDERS: _set(
        REMINDERS, "last",
        "of each turn you get only the last reminder, before you would lose. The mails of your "
        "boards come as before.",
    ),
    Mailing.NEWS: _set(NEWS, "no", "you get no more news of the server."),
}  # fmt: skip


HANDLERS: Mapping[type, Handler] = {Leave: leave}
