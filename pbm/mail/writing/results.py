"""What the mails about finished games, records and the games on offer say."""

import json
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbm.domain.dates import written
from pbm.domain.description import (
    about,
    headline,
    outcome_clause,
    outcome_line,
    terms_line,
    thread_subject,
    userid,
)
from pbm.domain.invitations import Seek
from pbm.domain.record import record, record_text
from pbm.engine import AnyGame, counted
from pbm.mail.writing.wording import Wording
from pbm.render.marks import Column, link, table
from pbm.render.templates import LINE
from pbm.service.letters import Attachment
from pbm.service.notices.results import FinishedGames, GameRecord, GamesOffered
from pbm.service.ports import HistoryRow


@dataclass(frozen=True, slots=True)
class OverviewMail:
    """The games on offer, laid out already, and the open seeks, each a row.

    `take` accepts the first seek of somebody else, `withdraw` takes the reader's first one back;
    "" if there is none. `sought` is a game that can be sought, "" if none can.
    """

    template: ClassVar[str] = "results/list.txt.j2"
    server: str
    table: str
    seeks: tuple[str, ...]
    take: str
    withdraw: str
    key: str
    sought: str
    robot: str


@dataclass(frozen=True, slots=True)
class HistoryMail:
    """Finished matches, laid out already, "" if there are none."""

    template: ClassVar[str] = "results/history.txt.j2"
    table: str
    shown: int
    more: bool


@dataclass(frozen=True, slots=True)
class RecordMail:
    """The text with the files of a record; `outcome` is "" while the match goes on.

    If too much was said for one mail, `parts` is how many it takes, 0 otherwise. `next_part` is
    0 in the last one.
    """

    template: ClassVar[str] = "results/record.txt.j2"
    about: str
    number: int
    moves: str
    outcome: str
    part: int
    parts: int
    next_part: int


def _overview(notice: GamesOffered, address: str) -> Wording:
    games = {game.info.key: game for game in notice.games}
    seeks = tuple(_seek_row(seek, games[seek.game], notice) for seek in notice.seeks)
    mine = [seek.number for seek in notice.seeks if seek.player == notice.to.id]
    others = [seek.number for seek in notice.seeks if seek.player != notice.to.id]
    context = OverviewMail(
        server=address,
        table=table(_GAMES, (_game_row(game, notice) for game in notice.games)),
        seeks=seeks,
        take=f"accept {others[0]}" if others else "",
        withdraw=f"withdraw {mine[0]}" if mine else "",
        key=notice.games[0].info.key,
        sought=next((game.info.key for game in notice.games if len(game.info.seats) == 2), ""),
        robot=notice.robot,
    )
    return Wording("The games on offer", context)


def _seek_row(seek: Seek, game: AnyGame, notice: GamesOffered) -> str:
    who = "you" if seek.player == notice.to.id else userid(notice.people, seek.player)
    several = f"{seek.count} of " if seek.count > 1 else ""
    side = [f"{_plays(who)} {game.info.seats[seek.seat]}."] if seek.seat is not None else []
    words = " ".join([f"{several}{terms_line(seek, game)}", *side])
    return textwrap.fill(
        f"{seek.number:>5}  {who}: {words}", LINE, subsequent_indent=" " * 7,
        break_on_hyphens=False, break_long_words=False,
    )  # fmt: skip


def _plays(who: str) -> str:
    return "You play" if who == "you" else f"{who} plays"


_GAMES = (
    Column("game", "{:<10} "),
    Column("title", "{:<24} "),
    Column("players", "{:>7} ", minor=True),
    Column("boards", "{:>7} ", minor=True),
    Column("finished", "{:>8}", minor=True),
)


def _game_row(game: AnyGame, notice: GamesOffered) -> tuple[str, ...]:
    counts = notice.counts.get(game.info.key)
    figures = (counts.players, counts.open, counts.over) if counts else (0, 0, 0)
    rules = link(game.info.key, f"help {game.info.key}")
    return rules, game.info.title, *map(str, figures)


_HISTORY = (
    Column("board", "{:>6}  "),
    Column("game", "{:<10} "),
    Column("ended", "{:<11}  "),
    Column("players, result"),
    Column("", "\n        {}", minor=True),
)


def _history(notice: FinishedGames, _address: str) -> Wording:
    rows = [_history_row(row, notice.games.get(row.game)) for row in notice.rows]
    shown = table(_HISTORY, rows) if rows else ""
    return Wording("Finished matches", HistoryMail(shown, len(rows), notice.more))


def _history_row(row: HistoryRow, game: AnyGame | None) -> tuple[str, ...]:
    return (
        link(str(row.number), f"show {row.number}"),
        row.game,
        written(row.ended_at),
        " - ".join(row.shown),
        f"{outcome_clause(row.outcome, row.players, game)} ({counted(row.ply, 'move')})",
    )


def _record(notice: GameRecord, _address: str) -> Wording:
    match, game = notice.board.match, notice.board.game
    outcome = outcome_line(notice.board, notice.people)
    part, parts = notice.talk.part, notice.talk.parts
    context = RecordMail(
        about(match, game),
        match.number,
        counted(match.log.ply, "move"),
        outcome,
        part,
        parts if parts > 1 else 0,
        part + 1 if part < parts else 0,
    )
    return Wording(
        thread_subject(match, game, notice.people),
        context,
        headline("The record", game, match.number),
        game=match.game,
        files=record_files(notice),
    )


def record_files(notice: GameRecord) -> tuple[Attachment, ...]:
    """Return the JSON form and the text form of a record, named after the board."""
    match, game = notice.talk.match, notice.board.game
    name = f"board-{match.number}"
    plain = json.dumps(record(match, game, notice.people), indent=1)
    text = record_text(match, game, notice.people)
    return (
        Attachment(f"{name}.json", "application/json", plain),
        Attachment(f"{name}.txt", "text/plain", text),
    )


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    GamesOffered: _overview,
    FinishedGames: _history,
    GameRecord: _record,
}
"""What is said for each kind of notice of results."""
