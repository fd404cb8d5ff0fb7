"""What the mails about ratings say."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbm.domain.ratings import Rating
from pbm.mail.writing.wording import Wording
from pbm.render.marks import Column, table
from pbm.service.notices.ratings import RatingList, RatingsOfPlayer
from pbm.service.ports import StandingRow


@dataclass(frozen=True, slots=True)
class RatingListMail:
    """A rating list, laid out already, "" if nobody is in it, and that of the robots below it.

    `key` is that of the game, for the line that begins a match with a robot.
    """

    template: ClassVar[str] = "ratings/standings.txt.j2"
    title: str
    table: str
    shown: int
    more: bool
    robots: str
    key: str


@dataclass(frozen=True, slots=True)
class RatingsMail:
    """One player's ratings, laid out already; `key` is that of a game, for the example."""

    template: ClassVar[str] = "ratings/ratings.txt.j2"
    userid: str
    mine: bool
    table: str
    key: str


def rating_text(rating: Rating) -> str:
    """Return "1612 +- 250", with "?" if it is provisional."""
    mark = " ?" if rating.provisional else ""
    return f"{rating.rating:.0f} +- {rating.deviation:.0f}{mark}"


_FIGURES = (
    Column("rating", "{:<15} "),
    Column("won", "{:>4} ", minor=True),
    Column("lost", "{:>4} ", minor=True),
    Column("drawn", "{:>5}  ", minor=True),
)

_ROBOTS = (Column("player", "{:<24} "), *_FIGURES, Column("level"))

_STANDING = (
    Column("rank", "{:>4}  "),
    Column("player", "{:<16} "),
    *_FIGURES,
    Column("boards", "{:<6}  ", minor=True),
    Column("seeks", minor=True),
)


def _rating_list(notice: RatingList, _address: str) -> Wording:
    ranked = [_standing(rank, row) for rank, row in enumerate(notice.rows, 1)]
    robots = [
        (f"{each.userid} (robot)", *_figures(each.rating), str(each.level))
        for each in notice.robots
    ]
    title = notice.game.info.title
    context = RatingListMail(
        title=title,
        table=table(_STANDING, ranked) if ranked else "",
        shown=len(ranked),
        more=notice.more,
        robots=table(_ROBOTS, robots) if robots else "",
        key=notice.game.info.key,
    )
    return Wording(f"The rating list of {title}", context)


def _standing(rank: int, row: StandingRow) -> tuple[str, ...]:
    boards = f"{row.active}" if row.limit is None else f"{row.active}/{row.limit}"
    return str(rank), row.userid, *_figures(row.rating), boards, str(row.seeking or "")


def _figures(rating: Rating) -> tuple[str, ...]:
    """Return the figures of a rating, one a column."""
    return rating_text(rating), *map(str, (rating.won, rating.lost, rating.drawn))


def _ratings(notice: RatingsOfPlayer, _address: str) -> Wording:
    columns = (Column("game", "{:<24} "), *_FIGURES)
    rows = [(title, *_figures(own)) for title, own in notice.ratings.items()]
    mine = notice.userid == notice.to.userid
    shown = table(columns, rows) if rows else ""
    context = RatingsMail(notice.userid, mine, shown, notice.key)
    return Wording(f"The ratings of {notice.userid}", context)


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    RatingList: _rating_list,
    RatingsOfPlayer: _ratings,
}
"""What is said for each kind of notice of ratings."""
