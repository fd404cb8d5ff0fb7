"""The small game with what differs from process to process; other processes can import it."""

from collections.abc import Iterator
from dataclasses import replace

from pbm.engine import Diagram, Seat, Viewer
from tests.engine.noughts import Noughts, State


class Unordered(Noughts):
    """Lists its moves in the order of a set."""

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        yield from {*super().legal_moves(state, seat)}


class Hashing(Noughts):
    """Keeps a hash in its state."""

    def play(self, state: State, seat: Seat, move: str) -> State:
        after = super().play(state, seat, move)
        return replace(after, last=str(hash(move)) if seat else move)

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        return super().diagram(replace(state, last=None), viewer)
