"""What the mails about ratings say."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbm.domain.ratings import Rating
from pbm.mail.writing.assemble import in_ascii
from pbm.mail.writing.wording import Wording
from pbm.service.notices.ratings import RatingList, RatingsOfPlayer
from pbm.service.ports import StandingRow


@dataclass(frozen=True, slots=True)
class RatingListMail:
    """A rating list, laid out already."""

    template: ClassVar[str] = "ratings/standings.txt.j2"
    title: str
    header: str
    rows: tuple[str, ...]
    shown: int
    more: bool


@dataclass(frozen=True, slots=True)
class RatingsMail:
    """One player's ratings; `key` is that of a game, for the example."""

    template: ClassVar[str] = "ratings/ratings.txt.j2"
    userid: str
    mine: bool
    header: str
    rows: tuple[str, ...]
    key: str


def rating_text(rating: Rating) -> str:
    """Return "1612 +- 250", with "?" if it is provisional."""
    mark = " ?" if rating.provisional else ""
    return f"{rating.rating:.0f} +- {rating.deviation:.0f}{mark}"


def _rating_list(notice: RatingList, _address: str) -> Wording:
    header = f"{'rank':>4}  {'player':<16} {'rating':<15} {'won':>4} {'lost':>4} {'drawn':>5}  "
    rows = tuple(_standing(rank, row) for rank, row in enumerate(notice.rows, 1))
    title = notice.game.info.title
    context = RatingListMail(title, f"{header}boards  seeks", rows, len(rows), notice.more)
    return Wording(f"The rating list of {in_ascii(title)}", context)


def _standing(rank: int, row: StandingRow) -> str:
    boards = f"{row.active}" if row.limit is None else f"{row.active}/{row.limit}"
    seeks = str(row.seeking or "")
    return f"{rank:>4}  {row.userid:<16} {_figures(row.rating)}  {boards:<6}  {seeks}".rstrip()


def _figures(rating: Rating) -> str:
    """Return the figures of a rating, in columns."""
    return f"{rating_text(rating):<15} {rating.won:>4} {rating.lost:>4} {rating.drawn:>5}"


def _ratings(notice: RatingsOfPlayer, _address: str) -> Wording:
    header = f"{'game':<24} {'rating':<15} {'won':>4} {'lost':>4} {'drawn':>5}"
    rows = tuple(f"{title:<24} {_figures(own)}" for title, own in notice.ratings.items())
    mine = notice.userid == notice.to.userid
    context = RatingsMail(notice.userid, mine, header, rows, notice.key)
    return Wording(f"The ratings of {notice.userid}", context)


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    RatingList: _rating_list,
    RatingsOfPlayer: _ratings,
}
"""What is said for each kind of notice of ratings."""
