"""What the notices of ratings, finished games and records say: subject and context of each."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from pbm.domain.openness import Seek
from pbm.domain.player import People
from pbm.domain.rating import Rating
from pbm.domain.record import record, record_text
from pbm.engine import AnyGame
from pbm.mail import result_contexts as contexts
from pbm.mail.assemble import Attachment, in_ascii
from pbm.mail.board_facts import about, options
from pbm.mail.move_list import userid
from pbm.mail.outcome_wording import outcome_clause, outcome_line
from pbm.mail.wording import Wording, thread_subject
from pbm.service.ports import HistoryRow, StandingRow
from pbm.service.result_notices import (
    FinishedGames,
    GameRecord,
    GamesOffered,
    RatingList,
    RatingsOfPlayer,
)


def rating_text(rating: Rating) -> str:
    """Return "1612 +- 250", with "?" if it is provisional."""
    mark = " ?" if rating.provisional else ""
    return f"{rating.rating:.0f} +- {rating.deviation:.0f}{mark}"


def _overview(notice: GamesOffered, address: str) -> Wording:
    header = f"{'game':<10} {'title':<24} {'players':>7} {'boards':>7} {'finished':>8}"
    rows = tuple(_game_row(game, notice) for game in notice.games)
    games = {game.info.key: game for game in notice.games}
    seeks = tuple(_seek_row(seek, games[seek.game], notice.people) for seek in notice.seeks)
    key = notice.seeks[0].game if notice.seeks else notice.games[0].info.key
    return Wording("The games on offer", contexts.OverviewMail(address, header, rows, seeks, key))


def _seek_row(seek: Seek, game: AnyGame, people: People) -> str:
    rated = "rated" if seek.terms.rated else "unrated"
    wanted = ", ".join([seek.game, *options(seek.setup, game), rated])
    return f"{userid(people, seek.player)}: {seek.count} of {wanted}"


def _game_row(game: AnyGame, notice: GamesOffered) -> str:
    counts = notice.counts.get(game.info.key)
    figures = (counts.players, counts.open, counts.over) if counts else (0, 0, 0)
    return "{:<10} {:<24} {:>7} {:>7} {:>8}".format(game.info.key, game.info.title, *figures)


def _rating_list(notice: RatingList, _address: str) -> Wording:
    header = f"{'rank':>4}  {'player':<16} {'rating':<15} {'won':>4} {'lost':>4} {'drawn':>5}  "
    rows = tuple(_standing(rank, row) for rank, row in enumerate(notice.rows, 1))
    title = notice.game.info.title
    context = contexts.RatingListMail(title, f"{header}boards  seeks", rows, len(rows), notice.more)
    return Wording(f"The rating list of {in_ascii(title)}", context)


def _standing(rank: int, row: StandingRow) -> str:
    boards = f"{row.active}" if row.limit is None else f"{row.active}/{row.limit}"
    seeks = str(row.seeking or "")
    return f"{rank:>4}  {row.userid:<16} {_figures(row.rating)}  {boards:<6}  {seeks}".rstrip()


def _figures(rating: Rating) -> str:
    """Return what a rating says, in columns."""
    return f"{rating_text(rating):<15} {rating.won:>4} {rating.lost:>4} {rating.drawn:>5}"


def _ratings(notice: RatingsOfPlayer, _address: str) -> Wording:
    header = f"{'game':<24} {'rating':<15} {'won':>4} {'lost':>4} {'drawn':>5}"
    rows = tuple(f"{title:<24} {_figures(own)}" for title, own in notice.ratings.items())
    mine = notice.userid == notice.to.userid
    context = contexts.RatingsMail(notice.userid, mine, header, rows, notice.key)
    return Wording(f"The ratings of {notice.userid}", context)


def _history(notice: FinishedGames, _address: str) -> Wording:
    header = f"{'board':>6}  {'game':<10} {'ended':<10}  players, result"
    rows = tuple(_history_row(row, notice.games.get(row.game)) for row in notice.rows)
    return Wording("Finished games", contexts.HistoryMail(header, rows, len(rows), notice.more))


def _history_row(row: HistoryRow, game: AnyGame | None) -> str:
    return (
        f"{row.number:>6}  {row.game:<10} {row.ended_at:%Y-%m-%d}  {' - '.join(row.players)}\n"
        f"{'':>8}{outcome_clause(row.outcome, row.players, game)} ({_moves(row.ply)})"
    )


def _moves(plies: int) -> str:
    return "1 move" if plies == 1 else f"{plies} moves"


def _record(notice: GameRecord, _address: str) -> Wording:
    match, game = notice.table.match, notice.table.game
    outcome = outcome_line(notice.table, notice.people)
    context = contexts.RecordMail(about(match, game), match.number, len(match.plies), outcome)
    return Wording(
        thread_subject(match, game, notice.people),
        context,
        f"{game.info.title} {match.number}: the record",
        game=match.game,
        files=record_files(notice),
    )


def record_files(notice: GameRecord) -> tuple[Attachment, ...]:
    """Return the JSON form and the text form of a record, named after the board."""
    match, game = notice.table.match, notice.table.game
    name = f"board-{match.number}"
    plain = json.dumps(record(match, game, notice.people), indent=1)
    text = record_text(match, game, notice.people)
    return (
        Attachment(f"{name}.json", "application/json", plain),
        Attachment(f"{name}.txt", "text/plain", text),
    )


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    GamesOffered: _overview,
    RatingList: _rating_list,
    RatingsOfPlayer: _ratings,
    FinishedGames: _history,
    GameRecord: _record,
}
"""What is said for each kind of notice of results."""
