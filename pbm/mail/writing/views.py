"""A position as its readers see it: one diagram and one picture for all who see the same."""

from dataclasses import dataclass, field

from pbm.domain.play import LiveMatch
from pbm.engine import Diagram, Seat, Viewer, draw
from pbm.service.board_messages import Common


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What some viewers see. `drawn` has what was made of the diagram beside its text."""

    diagram: Diagram
    text: str
    drawn: Common = field(default_factory=Common)


class Views:
    """The views of one position."""

    def __init__(self, board: LiveMatch) -> None:
        self._board = board
        self._made: list[tuple[Attentive, View]] = []

    def of(self, viewer: Viewer) -> View:
        """Return what `viewer` sees, made anew only if the game has looked at what differs."""
        for asked, view in self._made:
            if asked.saw_same(viewer):
                return view
        asking = Attentive(viewer.seat, viewer.style)
        diagram = self._board.game.diagram(self._board.position.state, asking)
        view = View(diagram, draw(diagram))
        self._made.append((asking, view))
        return view


class Attentive(Viewer):
    """A viewer who notes what a game asks of them.

    Most games show everybody the same and ask nothing; one that hides something asks for the seat.
    """

    __slots__ = ("_asked", "_own")
    _asked: set[str]
    _own: Viewer

    def __init__(self, seat: Seat | None, style: str) -> None:
        object.__setattr__(self, "_asked", set())
        object.__setattr__(self, "_own", Viewer(seat, style))

    @property
    def seat(self) -> Seat | None:
        """The seat, which counts from now on."""
        self._asked.add("seat")
        return self._own.seat

    @property
    def style(self) -> str:
        """The style, which counts from now on."""
        self._asked.add("style")
        return self._own.style

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Viewer) and (self.seat, self.style) == (other.seat, other.style)

    def __hash__(self) -> int:
        return hash((self.seat, self.style))

    def saw_same(self, other: Viewer) -> bool:
        """Return whether the game has asked for nothing in which `other` differs."""
        own, asked = self._own, self._asked
        return not asked or all(getattr(other, name) == getattr(own, name) for name in asked)
