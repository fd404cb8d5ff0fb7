"""How many people play a game. Seeks, ratings and the word `robot` are for games of two."""

from dataclasses import replace

from pbm.domain.errors import NotAllowed
from pbm.domain.invitations import Terms
from pbm.domain.player import Player, fold_userid
from pbm.engine import AnyGame

_OPPONENTS = ("bob", "carol", "dave", "erin", "frank", "grace", "heidi", "alice")
"""Who stands for the opponents in an example."""


def is_for_two(game: AnyGame) -> bool:
    """Return whether two people play the game."""
    return len(game.info.seats) == 2


def terms_for(game: AnyGame, terms: Terms) -> Terms:
    """Return what a match of `game` is played for: ratings tell who of two is stronger."""
    return terms if is_for_two(game) else replace(terms, rated=False)


def challenge_line(game: AnyGame, player: Player) -> str:
    """Return the form of a challenge by `player` to as many as the game needs."""
    others = [name for name in _OPPONENTS if name != fold_userid(player.userid)]
    needed = others[: len(game.info.seats) - 1]
    return " ".join([game.info.key, "challenge", player.userid, "your-password", *needed])


def check_can_be_sought(game: AnyGame, player: Player) -> None:
    """Raise NotAllowed if a game is not for two, so that one who accepts is not enough."""
    if not is_for_two(game):
        raise NotAllowed(
            f"{game.info.title} is for {len(game.info.seats)} players, and a seek finds one "
            "opponent. Name all of them in a challenge.",
            challenge_line(game, player),
        )
