"""The addresses of the web pages of players, matches and games."""

from pbm.domain.match import Match
from pbm.domain.player import People, Player, PlayerId, fold_userid
from pbm.domain.settings import is_public
from pbm.engine import frozen


@frozen
class Pages:
    """The web pages of a server at `url`, which ends in "/"; a server without any has no url.

    `public` is whether they show players who have not chosen. An address is "" for what has no
    page.
    """

    url: str = ""
    public: bool = True

    def of_board(self, match: Match, people: People) -> str:
        """Return the address of the page of a match; all who sit there must be shown."""
        shown = self.url and all(self._shows(people, player) for player in match.players)
        return f"{self.url}b/{match.number}.html" if shown else ""

    def _shows(self, people: People, player: PlayerId) -> bool:
        return player in people and is_public(people[player], default=self.public)

    def of_player(self, player: Player) -> str:
        """Return the address of the page of a player."""
        shown = self.url and is_public(player, default=self.public)
        return f"{self.url}p/{fold_userid(player.userid)}.html" if shown else ""

    def of_game(self, key: str) -> str:
        """Return the address of the page of a game."""
        return f"{self.url}g/{key}/" if self.url else ""


NO_PAGES = Pages()
"""Those of a server without web pages."""
