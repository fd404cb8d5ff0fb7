"""A match of the small game for the domain's tests: alice (1) is Cross, bob (2) is Nought."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from pbm.domain.invitations import Terms
from pbm.domain.match import Match
from pbm.domain.play import Board, live, play
from pbm.domain.player import Player, PlayerState
from pbm.engine import any_of
from tests.engine.noughts import game

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
ALICE, BOB, CAROL = 1, 2, 3

PEOPLE = {
    number: Player(number, name, (f"{name}@example.org",), PlayerState.ACTIVE, NOW)
    for number, name in ((ALICE, "alice"), (BOB, "bob"), (CAROL, "carol"))
}


def later(hours: int) -> datetime:
    return NOW + timedelta(hours=hours)


def match() -> Match:
    return Match(
        number=104, game="noughts", rules_version=1, setup=game.info.setup(), terms=Terms(),
        starters=(ALICE, BOB), players=(ALICE, BOB), started_at=NOW, turn_since=NOW,
    )  # fmt: skip


def after(*texts: str) -> Board:
    """Return the match after these turns, each by the seat to move, an hour apart."""
    board = live(match(), game)
    for hours, text in enumerate(texts, 1):
        board = turn(board, text, hours=hours)
    return board


def turn(board: Board, text: str, *, hours: int = 50, due: int | None = None) -> Board:
    (seat,) = board.to_move
    return play(board, seat, text, due=due, comment="", now=later(hours), draw=any_of)


def stored(board: Board) -> Board:
    """Return the same match as rebuilt from its log alone."""
    return live(replace(board.match), board.game)


WON = ("b2", "a1", "c2", "c1", "a2")
"""Cross completes the middle row."""
