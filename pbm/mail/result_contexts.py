"""What the templates of ratings, finished games and records are given."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class OverviewMail:
    """The games on offer and the open seeks, each row laid out already."""

    template: ClassVar[str] = "results/list.txt.j2"
    server: str
    header: str
    rows: tuple[str, ...]
    seeks: tuple[str, ...]
    key: str


@dataclass(frozen=True, slots=True)
class RatingListMail:
    """A rating list, laid out already."""

    template: ClassVar[str] = "results/standings.txt.j2"
    title: str
    header: str
    rows: tuple[str, ...]
    shown: int
    more: bool


@dataclass(frozen=True, slots=True)
class RatingsMail:
    """One player's ratings; `key` is that of a game, for the example."""

    template: ClassVar[str] = "results/ratings.txt.j2"
    userid: str
    mine: bool
    header: str
    rows: tuple[str, ...]
    key: str


@dataclass(frozen=True, slots=True)
class HistoryMail:
    """Finished games, laid out already."""

    template: ClassVar[str] = "results/history.txt.j2"
    header: str
    rows: tuple[str, ...]
    shown: int
    more: bool


@dataclass(frozen=True, slots=True)
class RecordMail:
    """The text beside the files of a record; `outcome` is one sentence, "" while it goes on."""

    template: ClassVar[str] = "results/record.txt.j2"
    about: str
    number: int
    moves: int
    outcome: str


TEMPLATES = (OverviewMail, RatingListMail, RatingsMail, HistoryMail, RecordMail)
