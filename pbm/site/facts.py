"""The facts that are published: who plays, and who seeks.

Nobody who does not want to be shown has a page, and a match in which they sit has none either;
lists call them "a player". Pages show the day of a move, and never the time of day.
"""

from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cache
from hashlib import blake2b
from typing import NamedTuple

from jinja2 import Environment

from pbm.domain.catalogue import Catalogue
from pbm.domain.invitations import Seek
from pbm.domain.pages import USUAL_NAME, player_path
from pbm.domain.player import PlayerId, name_of
from pbm.domain.ratings import Rating
from pbm.domain.settings import is_public
from pbm.engine import Diagram, frozen
from pbm.mail.writing.pictures import PictureCache
from pbm.render.boards.plotting import Cache
from pbm.render.boards.replay import css
from pbm.site.feeds import FeedItem, feed
from pbm.store.changed_matches import Presence
from pbm.store.match_reading import MatchRow
from pbm.store.unit import UnitOfWork
from pbm.system import folder


class Place(NamedTuple):
    """A place in a league: the path of its page, its title, and "2 of 6 in division 2"."""

    path: str
    title: str
    place: str


@frozen
class Profile:
    """A player as pages show them; `level` is the strength of a robot, else None.

    `path` is the address of their page below the root of the site, "" for those who have none.
    `ratings` are as they were after their last match: pages know no clock. `presence` is None
    before their first match. Who is not `active`, as after leaving, is not public either.
    """

    id: PlayerId
    userid: str
    name: str
    path: str
    active: bool
    level: int | None
    ratings: Mapping[str, Rating]
    presence: Presence | None = None
    places: tuple[Place, ...] = ()

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
    """The facts that all lists share: players by id, open seeks.

    `hidden` are the keys of games with secrets: while these matches go on, they have no page.
    """

    profiles: Mapping[PlayerId, Profile]
    seeks: tuple[Seek, ...]
    hidden: frozenset[str] = frozenset()

    def published(self, board: MatchRow) -> bool:
        """Return whether a match has a page: it hides nothing, and all there want to be shown."""
        secret = board.game in self.hidden and not board.over
        return not secret and all(self.profiles[player].public for player in board.players)

    def names(self, board: MatchRow) -> tuple[str, ...]:
        """Return the players of a match by seat, as pages show them."""
        return tuple([self.profiles[player].name for player in board.players])


@cache
def shared_files() -> Mapping[str, str]:
    """Return the style, the script and the icon of all pages, by path.

    Their folder has another name when one of them changes, so browsers may keep them for years.
    """
    own = folder("templates") / "site"
    files = {
        name: (own / name).read_text("utf-8") for name in ("pbm.css", "replay.js", "stone.svg")
    }
    files["pbm.css"] += css()
    stamp = blake2b(repr(files).encode(), digest_size=4).hexdigest()
    return {f"s/{stamp}/{name}": text for name, text in files.items()}


@frozen
class Site:
    """The parts that pages are made of.

    `address` is where players write. `url`, which ends in "/", is where the pages are, "" if nobody
    has said. Search engines may list players if `index`. `name` is what the place is called, and
    `about` a paragraph on it in Markdown. With `leagues` all pages lead to them.
    """

    catalogue: Catalogue
    address: str
    url: str
    index: bool
    environment: Environment
    pictures: PictureCache
    name: str = USUAL_NAME
    about: str = ""
    leagues: bool = False
    showcases: Cache[str, Diagram] = field(default_factory=lambda: Cache(64))

    def page(self, template: str, path: str, **shown: object) -> str:
        """Return the page at `path` that a template makes."""
        found = self.environment.get_template(f"site/{template}.html.j2")
        # The page for what is not found is shown at any address.
        shared = next(iter(shared_files())).rpartition("/")[0]
        root = self.url or "/" if path == NOT_FOUND else "../" * path.count("/")
        return found.render(site=self, path=path, root=root, shared=shared, **shown)

    def feed(self, path: str, title: str, page: str, entries: Iterable[FeedItem]) -> bytes:
        """Return the feed at `path` with the latest news of `page`."""
        return feed(self.url, path, f"{title} - {self.name}", page, entries)


NOT_FOUND = "404.html"
"""The page that web servers show for an address without one."""


HIDDEN = "a player"
"""The name of those who do not want to be shown."""


def read_facts(
    work: UnitOfWork,
    catalogue: Catalogue,
    places: Mapping[PlayerId, tuple[Place, ...]],
    *,
    public: bool,
) -> Facts:
    """Return what is published; who has not chosen is shown if `public`."""
    ratings, brains = work.ratings.everybody(), work.robots.all()
    presences, profiles = work.matches.presences(), {}
    for player in work.players.listing():
        shown, brain = is_public(player, default=public), brains.get(player.id)
        name, path = (name_of(player), player_path(player.userid)) if shown else (HIDDEN, "")
        profiles[player.id] = Profile(
            player.id, player.userid, name, path, player.active,
            brain.level if brain else None, ratings.get(player.id, {}),
            presences.get(player.id), places.get(player.id, ()),
        )  # fmt: skip
    hidden = frozenset(game.info.key for game in catalogue.installed if game.info.hidden)
    return Facts(profiles, work.wishes.seeks(), hidden)
