"""The addresses of the web pages of players, matches and games, and the mark of a build."""

from pbm.domain.match import Match
from pbm.domain.player import People, Player, PlayerId, fold_userid
from pbm.domain.settings import is_public
from pbm.engine import frozen

BUILT = ".pbm-site.json"
"""The file that each build of the pages writes at its end."""

USUAL_NAME = "Games by mail"
"""The name of a place that its operator has not named."""


def board_path(number: int) -> str:
    """Return the path of the page of a match below the root of the site."""
    return f"b/{number}.html"


def player_path(userid: str) -> str:
    """Return the path of the page of a player below the root of the site."""
    return f"p/{fold_userid(userid)}.html"


@frozen
class Pages:
    """The web pages of a server at `url`, which ends in "/"; a server without any has no url.

    `place` is its name, "" if it has none. `public` is whether they show players who have not
    chosen. An address is "" for what has no page.
    """

    url: str = ""
    public: bool = True
    place: str = ""

    def of_board(self, match: Match, people: People) -> str:
        """Return the address of the page of a match; all who sit there must be shown."""
        shown = self.url and all(self._shows(people, player) for player in match.players)
        return self.url + board_path(match.number) if shown else ""

    def _shows(self, people: People, player: PlayerId) -> bool:
        return player in people and is_public(people[player], default=self.public)

    def of_player(self, player: Player) -> str:
        """Return the address of the page of a player."""
        shown = self.url and is_public(player, default=self.public)
        return self.url + player_path(player.userid) if shown else ""

    def of_game(self, key: str) -> str:
        """Return the address of the page of a game."""
        return f"{self.url}g/{key}/" if self.url else ""


NO_PAGES = Pages()
"""Those of a server without web pages."""
