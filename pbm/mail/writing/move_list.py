"""The list of moves below a board: a column per seat, swaps, offers, dates and the result."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import repeat

from pbm.domain.dates import written
from pbm.domain.description import name, sides_of, userid
from pbm.domain.logs import PLIES, EntryKind, Log, LogEntry, keep
from pbm.domain.match import Ending, Match, Outcome, seated
from pbm.domain.offers import OfferKind, moves_of_undo
from pbm.domain.player import People
from pbm.domain.seen import SeenBoard
from pbm.engine import counted, listing, spoken

COLUMN = 13
"""The minimum width of a seat's column: with a date, two leave room for letters of 13 px."""

_OF_THE_CLOCK = {
    EntryKind.EXTEND: "{} added by {}",
    EntryKind.PAUSE: "clock stopped by the operator",
    EntryKind.RESUME: "clock runs again",
}

_ANSWERS = {EntryKind.ACCEPT: "yes", EntryKind.REJECT: "no"}

_IN_ROWS = frozenset({*PLIES, EntryKind.CHAT})
"""The entries without a line of their own in the list."""


def move_list(
    board: SeenBoard, people: People, last: int | None = None, sides: Sequence[str] = ()
) -> str:
    """Return the moves in one column per seat, each row numbered by its first ply and dated.

    Only the rows with the `last` moves are shown, if that is given. Offers with their answers, and
    what the operator did to the clock, are shown below the row of the last ply before them. The
    result comes last. A date is that of the row's last ply, in UTC. A caller who has the `sides_of`
    the board passes them.
    """
    match, sides = board.match, sides or sides_of(board)
    rows = _last_rows(match, last) if last else _rows(match.plies, 0)
    # Without offers and the like, the log is not read again, and its beginning not at all.
    entries = match.log.recent if last else match.log
    notes = {} if _IN_ROWS.issuperset([entry.kind for entry in entries]) else _notes(match, people)
    if not rows and not notes:
        return ""
    columns = [
        _column([side, name(people, player), *[row.moves.get(seat, "-") for row in rows]])
        for seat, (side, player) in enumerate(zip(sides, match.players, strict=True))
    ]
    numbers = ["", "", *[str(row.ply) for row in rows]]
    dates = ["", "", *[written(row.at) for row in rows]]
    texts = [
        f"{number:>4}  {''.join(cells)}{date}".rstrip()
        for number, date, *cells in zip(numbers, dates, *columns, strict=True)
    ]
    if notes:
        texts = _with_notes(texts, [row.ply for row in rows], notes)
    if match.outcome is not None:
        texts.append(f"      {_result(match, match.outcome, people)}")
    return "\n".join(texts)


def _column(cells: list[str]) -> Iterator[str]:
    """Return the cells of one seat, all equally wide."""
    width = max(COLUMN, max(map(len, cells)) + 2)
    return map(str.ljust, cells, repeat(width))


def _with_notes(
    texts: list[str], plies: Sequence[int], notes: Mapping[int, list[str]]
) -> list[str]:
    """Return the lines with the notes among them; the last of them are the rows of these `plies`.

    Notes before these rows are left out.
    """
    whole, heads = list(texts), len(texts) - len(plies)
    shown = [ply for ply in notes if not plies or ply >= plies[0] - 1]
    for ply in sorted(shown, reverse=True):
        below = heads + bisect_right(plies, ply)
        whole[below:below] = [f"      {line}" for line in notes[ply]]
    return whole


def _result(match: Match, outcome: Outcome, people: People) -> str:
    """Return the result in as few words as a list has room for."""
    if not outcome.counts:
        return "no result"
    names = [userid(people, match.players[seat]) for seat in outcome.winners]
    on_time = " on time" if outcome.ending is Ending.FORFEITED else ""
    return f"{listing(names, last='and')} won{on_time}" if names else "draw"


def _notes(match: Match, people: People) -> Mapping[int, list[str]]:
    """Return the offers, by the number of plies before them: "alice: draw?  bob: no".

    What was done to the clock is included; a pause of the players is an offer. Each note is built
    from a list of parts, so that an answer can be added to its offer.
    """
    kept: list[LogEntry] = []
    notes: defaultdict[int, list[list[str]]] = defaultdict(list)
    asked: list[str] = []
    for entry in match.log:
        keep(kept, entry)
        if entry.kind is EntryKind.UNDO:
            for ply in sorted(ply for ply in notes if ply > len(kept)):
                notes[len(kept)] += notes.pop(ply)
        elif entry.kind is EntryKind.OFFER:
            asked = [_offered(match, kept, entry, people)]
            notes[len(kept)].append(asked)
        elif entry.kind in _ANSWERS:
            asked.append(f"{_name(match, kept, entry, people)}: {_ANSWERS[entry.kind]}")
        elif entry.kind in _OF_THE_CLOCK and not (entry.kind is EntryKind.PAUSE and entry.text):
            added = counted(int(entry.text), "day") if entry.text else ""
            by = "the operator" if entry.seat is None else _name(match, kept, entry, people)
            notes[len(kept)].append([_OF_THE_CLOCK[entry.kind].format(added, by)])
    return {ply: ["  ".join(parts) for parts in said] for ply, said in notes.items()}


def _offered(match: Match, kept: list[LogEntry], entry: LogEntry, people: People) -> str:
    name = _name(match, kept, entry, people)
    if entry.text != OfferKind.UNDO:
        return f"{name}: {entry.text}?"
    players = seated(match.starters, kept)
    past = replace(match, log=Log(kept), players=players)
    moves = moves_of_undo(past, entry.seat or 0)
    return f"{name}: take back {listing(moves, last='and')}?"


def _name(match: Match, kept: list[LogEntry], entry: LogEntry, people: People) -> str:
    return userid(people, seated(match.starters, kept)[entry.seat or 0])


@dataclass(slots=True)
class _Row:
    """The moves by seat from `ply` on, until a seat moves again; `at` is the time of the last."""

    ply: int
    moves: dict[int, str]
    at: datetime


def _last_rows(match: Match, last: int) -> list[_Row]:
    """Return the rows with the last so many plies, and the one before, whole."""
    log = match.log
    plies = log.last_plies(last + len(match.players))
    return _rows(plies, max(0, len(plies) - last - 1), log.ply - len(plies))


def _rows(plies: Sequence[LogEntry], first: int, before: int = 0) -> list[_Row]:
    """Return the rows from that of `plies[first]` on; `before` plies came before these."""
    seats = [entry.seat or 0 for entry in plies]
    while first > 0 and seats[first - 1] < seats[first]:
        first -= 1
    rows: list[_Row] = []
    for number in range(first, len(plies)):
        entry, seat = plies[number], seats[number]
        if number == first or seats[number - 1] >= seat:
            rows.append(_Row(before + number + 1, {}, entry.at))
        rows[-1].moves[seat] = spoken(entry.text)[0]
        rows[-1].at = entry.at
    return rows
