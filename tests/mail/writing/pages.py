"""The HTML forms of mails, for tests that look at all of them."""

from collections.abc import Iterator
from functools import cache

from gallery.boards import all_games
from gallery.letters import Letter, boards, composed, kinds, letter, opening, several
from games.gonnect import game as gonnect


@cache
def pages() -> dict[str, str]:
    """Return the HTML of each kind of mail, and of boards of all games, by what it shows."""
    return {f"{n} {entry.title}": entry.html for n, entry in enumerate(_letters()) if entry.html}


def _letters() -> Iterator[Letter]:
    yield from kinds()
    yield from several()
    yield letter("", "19x19", composed(opening(gonnect, size="19")))
    for game in all_games():
        for title, notice in boards(game):
            yield letter("", f"{game.info.key} {title}", composed(notice))
