"""Readers share a view as far as their game lets all see the same."""

from dataclasses import replace

from pbm.engine import Diagram, Viewer, draw
from pbm.mail.writing.views import Attentive, Views
from tests.domain.matches import after
from tests.engine.noughts import Noughts, State
from tests.tables import each

BOARD = after("b2")
EVERYBODY = [Viewer(seat, style) for seat in (None, 0, 1) for style in ("large", "small")]


class Telling(Noughts):
    """A game that shows its viewers some of what they are."""

    def __init__(self, *shows: str) -> None:
        self.shows = shows

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        told = tuple(f"{name} {getattr(viewer, name)}" for name in self.shows)
        return replace(super().diagram(state, Viewer()), below=told)


@each(("shows", "views"), [((), 1), (("seat",), 3), (("style",), 2), (("seat", "style"), 6)])
def test_there_are_as_many_views_as_there_is_to_see(shows: tuple[str, ...], views: int) -> None:
    game = Telling(*shows)
    shared = Views(replace(BOARD, game=game))
    seen = [shared.of(viewer) for viewer in (*EVERYBODY, *EVERYBODY)]
    for viewer, view in zip(EVERYBODY * 2, seen, strict=True):
        assert view.diagram == game.diagram(BOARD.position.state, viewer)
        assert view.text == draw(view.diagram)
    assert len({id(view) for view in seen}) == views


def test_a_game_may_ask_whether_a_viewer_is_another_one() -> None:
    asked = Attentive(1, "large")
    assert asked == Viewer(1, "large")
    assert Viewer(1, "large") == asked
    assert asked != Viewer(0, "large")
    assert hash(asked) == hash(Viewer(1, "large"))
    assert not asked.saw_same(Viewer(0, "large"))
    assert replace(asked, seat=None) == Viewer(None, "large")
