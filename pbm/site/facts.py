"""The facts that are published: who plays, every match as a line of a list, who seeks.

Nobody who does not want to be shown has a page, and a match in which they sit has none either;
lists call them "a player". Pages show the day of a move, and never the time of day.
"""

from collections.abc import Mapping

from jinja2 import Environment

from pbm.domain.catalogue import Catalogue
from pbm.domain.invitations import Seek
from pbm.domain.pages import player_path
from pbm.domain.player import PlayerId, name_of
from pbm.domain.ratings import Rating
from pbm.domain.settings import is_public
from pbm.engine import frozen
from pbm.mail.writing.pictures import PictureCache
from pbm.store.match_reading import MatchRow
from pbm.store.unit import UnitOfWork


@frozen
class Profile:
    """A player as pages show them; `level` is the strength of a robot, else None.

    `path` is the address of their page below the root of the site, "" for those who have none.
    `ratings` are as they were after their last match: pages know no clock. Who is not `active`, as
    after leaving, is not public either.
    """

    id: PlayerId
    userid: str
    name: str
    path: str
    active: bool
    level: int | None
    ratings: Mapping[str, Rating]

    @property
    def robot(self) -> bool:
        """Whether it is a program."""
        return self.level is not None

    @property
    def public(self) -> bool:
        """Whether they have a page."""
        return bool(self.path)


@frozen
class Facts:
    """All that lists on pages show: players by id, matches by number, open seeks.

    Matches of games that are not installed are left out.
    """

    profiles: Mapping[PlayerId, Profile]
    boards: Mapping[int, MatchRow]
    seeks: tuple[Seek, ...]

    def published(self, board: MatchRow) -> bool:
        """Return whether the match has a page: all who sit there want to be shown."""
        return all(self.profiles[player].public for player in board.players)

    def names(self, board: MatchRow) -> tuple[str, ...]:
        """Return the players of a match by seat, as pages show them."""
        return tuple([self.profiles[player].name for player in board.players])


@frozen
class Site:
    """The parts that pages are made of.

    `address` is where players write. `url`, which ends in "/", is where the pages are. Search
    engines may list players if `index`.
    """

    catalogue: Catalogue
    address: str
    url: str
    index: bool
    environment: Environment
    pictures: PictureCache


HIDDEN = "a player"
"""The name of those who do not want to be shown."""


def read_facts(work: UnitOfWork, catalogue: Catalogue, *, public: bool) -> Facts:
    """Return what is published; players who have not chosen are shown if `public`."""
    ratings, brains = work.ratings.everybody(), work.robots.all()
    profiles = {}
    for player in work.players.listing():
        shown, brain = is_public(player, default=public), brains.get(player.id)
        name, path = (name_of(player), player_path(player.userid)) if shown else (HIDDEN, "")
        profiles[player.id] = Profile(
            player.id, player.userid, name, path, player.active,
            brain.level if brain else None, ratings.get(player.id, {}),
        )  # fmt: skip
    boards = {
        board.number: board
        for board in work.matches.everything()
        if catalogue.rules(board.game, board.rules_version)
    }
    return Facts(profiles, boards, work.wishes.seeks())
