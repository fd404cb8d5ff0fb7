"""What somebody wants to play who names a game or a player in plain words: lines that would do it.

Nothing is done by these words; they are answered with the lines.
"""

import re

from pbm.domain.errors import OR
from pbm.domain.player import Player
from pbm.engine import AnyGame, fold
from pbm.service.budget import QUERY
from pbm.service.commands import ORDINARY, find_verb
from pbm.service.context import Context
from pbm.service.steps.robots import robot_line
from pbm.service.steps.seats import is_for_two

MOST_WORDS = 12
"""Words of a text that may name a player."""

MOST_GAMES = 5
"""Games that are listed for who names only a player."""

_WORD = re.compile(r"[^\s.,;:!?()\"]+")

_SHORTEST = 3
"""Letters of a userid that is looked for in a sentence."""


def lines_to_play(context: Context, text: str, reader: Player) -> str:
    """Return lines that begin what `text` seems to want; "" if it names no game and no player."""
    words = _WORD.findall(text)
    game = _game_in(context, words)
    opponent = _opponent_in(context, words, reader)
    if opponent:
        games = [game] if game else list(filter(is_for_two, context.services.catalogue))
        return OR.join(f"{each.info.key} challenge {opponent}" for each in games[:MOST_GAMES])
    if game is None:
        return ""
    begin = [robot_line(context, game.info.key)]
    begin += [f"{game.info.key} seek"] if is_for_two(game) else []
    return OR.join(filter(None, (*begin, f"help {game.info.key}")))


def _game_in(context: Context, words: list[str]) -> AnyGame | None:
    """Return the game that is named by its key, an alias or its title; None if several are."""
    said = f" {' '.join(map(fold, words))} "
    catalogue = context.services.catalogue
    named = {game.info.key for word in words if (game := catalogue.find(word))}
    for game in catalogue:
        if f" {fold(game.info.title).removeprefix('the ')} " in said:
            named.add(game.info.key)
    return catalogue.find(named.pop()) if len(named) == 1 else None


def _opponent_in(context: Context, words: list[str], reader: Player) -> str:
    """Return the one userid in a text that is another active player's; "" if there is none."""
    likely = dict.fromkeys(word for word in words if _may_be_userid(context, word))
    if len(likely) > MOST_WORDS or not context.budget.afford(QUERY * len(likely)):
        return ""
    found = filter(None, map(context.work.players.by_userid, likely))
    names = [player.userid for player in found if player.active and player.id != reader.id]
    return names[0] if len(names) == 1 else ""


def _may_be_userid(context: Context, word: str) -> bool:
    is_known = find_verb(word) or fold(word) in ORDINARY or context.services.catalogue.find(word)
    return len(word) >= _SHORTEST and not is_known
