"""What the mails about seeks say."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbm.domain.description import headline, terms_line, typed_terms
from pbm.domain.invitations import SEEK_LASTS, SEEKS_TOLD, Seek
from pbm.domain.mailings import Leaving, Mailing
from pbm.engine import AnyGame
from pbm.mail.writing.wording import Wording, local_time
from pbm.service.notices.wishes import SeekClosed, SeekNoted, SeekTold


@dataclass(frozen=True, slots=True)
class SeekNotedMail:
    """`sought` is "1 match" or "no more matches"; `open` if it waits for somebody.

    `withdrawn` is the number of a seek of another kind that is over, 0 if there was none.
    """

    template: ClassVar[str] = "wishes/noted.txt.j2"
    sought: str
    title: str
    open: bool
    number: int
    several: bool
    told: bool
    tellings: int
    until: str
    terms: str
    side: str
    withdrawn: int
    robot: str


@dataclass(frozen=True, slots=True)
class SeekToldMail:
    """Somebody looks for an opponent; `side` is what they want to play, "" if seats are drawn."""

    template: ClassVar[str] = "wishes/told.txt.j2"
    reader: str
    seeker: str
    title: str
    key: str
    number: int
    until: str
    terms: str
    side: str


@dataclass(frozen=True, slots=True)
class SeekClosedMail:
    """`matches` is how many the reader still wanted; `line` seeks them again."""

    template: ClassVar[str] = "wishes/closed.txt.j2"
    reader: str
    title: str
    matches: str
    days: int
    line: str
    robot: str


def _noted(notice: SeekNoted, _address: str) -> Wording:
    seek, game = notice.seek, notice.game
    more = "more " if seek.count != notice.asked else ""
    left = f"{seek.count or 'no'} {more}{'match' if seek.count == 1 else 'matches'}"
    context = SeekNotedMail(
        sought=left,
        title=game.info.title,
        open=seek.count > 0,
        number=seek.number,
        several=seek.count > 1,
        told=notice.told,
        tellings=SEEKS_TOLD,
        until=local_time(seek.made_at + SEEK_LASTS, notice.to),
        terms=terms_line(seek, game),
        side=_side(seek, game),
        withdrawn=notice.withdrawn,
        robot=notice.robot,
    )
    if not seek.count:
        return Wording("Noted", context)
    news = headline("Your seek", game, seek.number)
    return Wording(_subject(seek, game, notice.to.userid), context, news, game=game.info.key)


def _told(notice: SeekTold, _address: str) -> Wording:
    seek, game = notice.seek, notice.game
    context = SeekToldMail(
        reader=notice.to.userid,
        seeker=notice.seeker,
        title=game.info.title,
        key=game.info.key,
        number=seek.number,
        until=local_time(seek.made_at + SEEK_LASTS, notice.to),
        terms=terms_line(seek, game),
        side=_side(seek, game),
    )
    news = headline(f"{notice.seeker} seeks an opponent", game, seek.number)
    return Wording(
        _subject(seek, game, notice.seeker), context, news, answer=False, game=game.info.key,
        leave=Leaving(Mailing.SEEKS, game=game.info.key), bulk=True,
    )  # fmt: skip


def _subject(seek: Seek, game: AnyGame, seeker: str) -> str:
    return f"[{game.info.title} {seek.number}] {seeker} seeks an opponent"


def _side(seek: Seek, game: AnyGame) -> str:
    return "" if seek.seat is None else game.info.seats[seek.seat]


def _closed(notice: SeekClosed, _address: str) -> Wording:
    seek, game = notice.seek, notice.game
    line = " ".join([game.info.key, "seek", str(seek.count), *_typed(seek, game)])
    matches = "one match" if seek.count == 1 else f"{seek.count} matches"
    days, reader = SEEK_LASTS.days, notice.to.userid
    context = SeekClosedMail(reader, game.info.title, matches, days, line, notice.robot)
    return Wording(f"Your seek of {game.info.title} is closed", context, answer=False)


def _typed(seek: Seek, game: AnyGame) -> list[str]:
    seat = [] if seek.seat is None else [f"--seat={seek.seat + 1}"]
    return [*typed_terms(seek, game), *seat]


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    SeekNoted: _noted,
    SeekTold: _told,
    SeekClosed: _closed,
}
"""What is said for each kind of notice of wishes."""
