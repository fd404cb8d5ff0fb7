"""Plans of players: variations that are only tried, and moves queued for their turns.

A queue is moves in order, for a player's next turns, and conditional ones, each with the moves that
must come first. Several make a tree. A move whose condition has come true goes before the others.
"""

import re
from collections.abc import Callable, Iterator
from itertools import groupby, islice

from pbm.domain.errors import NotNow, NotUnderstood
from pbm.domain.match import Match
from pbm.domain.play import Board, check_open, look
from pbm.domain.player import PlayerId
from pbm.engine import SWAP, MoveError, MoveSyntaxError, fold, frozen

MOST_MOVES = 40
"""The most moves of one variation."""

LONGEST_MOVE = 6
"""The most words of one move; `a13 c11` has two."""

_GAP = re.compile(r"[\s,;]+")

_THEN = re.compile(r"[\s,;]+(?:and\s+)?then[\s,;]+", re.IGNORECASE)


def try_turn(board: Board, text: str) -> Board:
    """Return the match as it would be if the player to move played `text`.

    Raises MoveError, and NotNow once it is over or where nobody can look ahead.
    """
    check_open(board)
    return look(board, board.to_move[0], text)


def play_variation(board: Board, text: str) -> tuple[tuple[str, ...], Board]:
    """Return the moves of `text` in canonical notation, and the match as they would leave it.

    The sides move in turn; blanks, commas, semicolons or "then" separate the moves. A move may
    itself have blanks and commas: the longest run of words that is a legal move is one move.
    Raises MoveError, NotNow if the match ends on the way, NotUnderstood if there are too many.
    """
    moves: list[str] = []
    for part in _THEN.split(text):
        rest = part.strip(" ,;")
        while rest:
            if len(moves) == MOST_MOVES:
                raise NotUnderstood(f"A variation can have {MOST_MOVES} moves at most.")
            board, rest = _play_longest(board, rest)
            moves.append(board.match.plies[-1].text)
    return tuple(moves), board


def _play_longest(board: Board, text: str) -> tuple[Board, str]:
    """Return the match after the longest move that `text` begins with, and the text after it."""
    gaps = [(gap.start(), gap.end()) for gap in islice(_GAP.finditer(text), LONGEST_MOVE)]
    runs = [*gaps, (len(text), len(text))][:LONGEST_MOVE]
    for stop, next_word in reversed(runs[1:]):
        try:
            return try_turn(board, text[:stop]), text[next_word:]
        except MoveError:
            continue
    stop, next_word = runs[0]
    return try_turn(board, text[:stop]), text[next_word:]


MOST_QUEUED = 40
"""The most moves that one player may keep for one board."""

_REPLIES_TRIED = 500
"""The most replies of the opponent that are tried to find one after which a move is legal."""


@frozen
class QueuedMove:
    """A move to be played at the player's turn.

    Without `condition` the move is unconditional. With it, the move is played once the plies
    after the first `base` of the match have been exactly `condition`, in canonical notation.
    """

    text: str
    base: int = 0
    condition: tuple[str, ...] = ()


@frozen
class PrivateNotes:
    """The queued moves of a player for one board, and their note; nobody else sees them."""

    moves: tuple[QueuedMove, ...] = ()
    note: str = ""


_TALK = frozenset(
    {"", "and", "answer", "answers", "go", "goes", "he", "i", "i'd", "i'll", "if", "ill", "is",
     "mine", "move", "moves", "play", "plays", "replies", "reply", "respond", "responds", "she",
     "then", "they", "will", "with", "would", "you"}
)  # fmt: skip
"""Words around the moves in a plan that is written as a sentence."""

RESIGN = "resign"
"""The answer of a plan that ends the match, in place of a move."""

_RESIGNS = re.compile(r"(.+?)[\s,;]+(?:then[\s,;]+)?resign", re.IGNORECASE)

_OTHERWISE = re.compile(r"(?:[.;]\s*|\s(?:or|and also)\s+)(?=if\b)", re.IGNORECASE)


def spoken_lines(text: str) -> tuple[str, ...]:
    """Return the lines of play in a plan, with "then" in place of the words around their moves.

    "If you play E5, I play F6, if you then play G7, I play H8. If you play D4, I play C3" has two.
    """
    lines = (each.rstrip(" .!").split() for each in _OTHERWISE.split(text))
    return tuple(
        " then ".join(" ".join(moves) for said, moves in groupby(line, _is_said) if said)
        for line in lines
    )


def _is_said(word: str) -> bool:
    return fold(word).strip(".,:!") not in _TALK


def conditional(board: Board, player: PlayerId, text: str, variation: str) -> QueuedMove:
    """Return `text` to be played by `player` after `variation`, the moves from now on.

    The variation is replayed from the present position, and the move must be legal at its end.
    Raises MoveError, NotUnderstood if the variation is empty or too long, and NotNow if it does
    not lead to the player's turn.
    """
    check_open(board)
    moves, reached = play_variation(board, variation)
    if not moves:
        raise NotUnderstood("Write the moves that lead to yours after the word if.")
    if player not in {reached.match.players[seat] for seat in reached.to_move}:
        raise NotNow(
            "After these moves it is not your turn. Write all moves from now on after the word if: "
            "your opponent's; or theirs, yours and theirs again."
        )
    answer = RESIGN if fold(text) == RESIGN else try_turn(reached, text).match.plies[-1].text
    return QueuedMove(answer, board.position.ply, moves)


def conditionals_in(board: Board, player: PlayerId, variation: str) -> tuple[QueuedMove, ...]:
    """Return each move of `player` in `variation`, on the condition of the moves before it.

    The variation begins now, and ends with a move of the player, or "resign": "D4 then G4" is G4 if
    D4. Moves before the opponent's first one are part of the conditions only. Raises as
    `conditional` does.
    """
    check_open(board)
    resigns = _RESIGNS.fullmatch(variation)
    moves, reached = play_variation(board, resigns[1] if resigns else variation)
    base = board.position.ply
    played = reached.match.plies[base:]
    mine = [
        entry.seat is not None and reached.match.seating(base + n)[entry.seat] == player
        for n, entry in enumerate(played)
    ]
    if resigns:
        moves = (*moves, RESIGN)
        mine.append(player in {reached.match.players[seat] for seat in reached.to_move})
    if not mine or not mine[-1] or all(mine):
        if mine and mine[0]:
            raise NotNow("It is your turn: play your move first, and plan ahead below it.")
        raise NotNow(
            "After if, write your opponent's move, then yours: if D4 then G4. A longer line goes "
            "on in turn, and ends with a move of yours."
        )
    first = mine.index(False)
    return tuple(
        QueuedMove(move, base, moves[:n]) for n, move in enumerate(moves) if mine[n] and n > first
    )


def unconditional(
    board: Board,
    player: PlayerId,
    queue: tuple[QueuedMove, ...],
    text: str,
    trying: Callable[[], None] = lambda: None,
) -> QueuedMove:
    """Return `text` to be played by `player` at the first turn for which nothing is queued.

    It is the opponent's turn now. The first unconditional move of the queue must be legal after at
    least one of their replies; those behind it need only be moves that the game can read.
    `trying` is called before each reply that is tried. Raises the first MoveError met, or NotNow
    if no reply gives the player a turn.
    """
    check_open(board)
    first = all(move.condition for move in queue)
    refused: MoveError | None = None
    for reached in _replies(board, player, trying):
        try:
            after = try_turn(reached, text)
        except MoveSyntaxError:
            raise
        except MoveError as error:
            refused = refused or error
            if not first:
                return QueuedMove(text)
        else:
            return QueuedMove(after.match.plies[-1].text if first else text)
    if refused:
        raise refused
    raise NotNow("You will not get a turn to play it.")


def _replies(board: Board, player: PlayerId, trying: Callable[[], None]) -> Iterator[Board]:
    """Yield the match after each of the opponent's replies that leaves the turn to `player`."""
    for seat in board.to_move:
        legal = board.game.legal_moves(board.position.state, seat)
        texts = [*map(str, islice(legal, _REPLIES_TRIED)), *([SWAP] if board.may_swap else [])]
        for text in texts:
            trying()
            reached = try_turn(board, text)
            if player in {reached.match.players[mover] for mover in reached.to_move}:
                yield reached


def still_possible(match: Match, queue: tuple[QueuedMove, ...]) -> tuple[QueuedMove, ...]:
    """Return the queue without the conditional moves whose condition can no longer come true."""
    return tuple(move for move in queue if _waits(match, move) is not None)


def due_move(match: Match, queue: tuple[QueuedMove, ...]) -> QueuedMove | None:
    """Return the move to play now that it is the player's turn, or None."""
    ready = [move for move in queue if move.condition and _waits(match, move) == ()]
    return next(iter(ready or [move for move in queue if not move.condition]), None)


def without(queue: tuple[QueuedMove, ...], gone: QueuedMove) -> tuple[QueuedMove, ...]:
    """Return the queue without `gone`, which was played; equal moves stay."""
    at = queue.index(gone)
    return (*queue[:at], *queue[at + 1 :])


def without_illegal(queue: tuple[QueuedMove, ...], gone: QueuedMove) -> tuple[QueuedMove, ...]:
    """Return the queue without `gone`, which is illegal, and without the moves that build on it."""
    return (
        tuple(move for move in queue if move.condition)
        if not gone.condition
        else without(queue, gone)
    )


def with_move(
    match: Match, queue: tuple[QueuedMove, ...], move: QueuedMove
) -> tuple[QueuedMove, ...]:
    """Return the queue with `move`, which replaces a move that has the same condition.

    Raises NotNow if the queue is full.
    """
    kept = tuple(
        other for other in queue if not move.condition or _path(match, other) != _path(match, move)
    )
    if len(kept) >= MOST_QUEUED:
        raise NotNow(f"Your queue holds {MOST_QUEUED} moves; no more can be kept.")
    return (*kept, move)


def remaining(match: Match, move: QueuedMove) -> tuple[str, ...]:
    """Return the part of a conditional move's condition that is still to come."""
    return _waits(match, move) or ()


def outline(match: Match, queue: tuple[QueuedMove, ...]) -> str:
    """Return the queued moves as a tree, a line for each but the unconditional ones, or ""."""
    if not queue:
        return ""
    lines = [
        f"{'  ' * depth}  If {' then '.join(awaited)}, you {verb}{move}"
        for depth, awaited, move in _tree(match, queue)
        for verb in ["" if move == RESIGN else "play "]
    ]
    if others := " then ".join(move.text for move in queue if not move.condition):
        lines.append(f"  {'Otherwise' if lines else 'Next'} you play {others}")
    return "\n".join(lines)


def _tree(match: Match, queue: tuple[QueuedMove, ...]) -> Iterator[tuple[int, list[str], str]]:
    """Yield each conditional move with its depth, and the moves that it still waits for.

    A move that builds on another one of the queue comes below it, and does not repeat its line.
    """
    paths = [(*remaining(match, move), move.text) for move in queue if move.condition]

    def below(stem: tuple[str, ...], depth: int) -> Iterator[tuple[int, list[str], str]]:
        for path in paths:
            shorter = (other for other in paths if other == path[: len(other)] != path)
            if max(shorter, key=len, default=()) == stem:
                yield depth, list(path[len(stem) : -1]), path[-1]
                yield from below(path, depth + 1)

    return below((), 0)


def _waits(match: Match, move: QueuedMove) -> tuple[str, ...] | None:
    """Return the rest of the move's condition, or None if it can no longer come true."""
    if not move.condition:
        return ()
    played = tuple(entry.text for entry in match.plies[move.base :])
    true_so_far = move.condition[: len(played)] == played
    return move.condition[len(played) :] if true_so_far else None


def _path(match: Match, move: QueuedMove) -> tuple[str, ...]:
    before = tuple(entry.text for entry in match.plies[: move.base]) if move.condition else ()
    return (*before, *move.condition)
