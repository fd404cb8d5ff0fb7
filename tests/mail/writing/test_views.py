"""Readers share a view as far as their game lets all see the same."""

from dataclasses import replace
from itertools import permutations

from pbm.domain.logs import Entry, EntryKind
from pbm.domain.offers import OfferKind
from pbm.domain.pauses import Pause, PauseKind
from pbm.domain.play import LiveMatch, with_entry
from pbm.engine import Diagram, Viewer, draw
from pbm.mail.writing.pictures import Attentive, Views
from pbm.service.board_messages import BoardMessage, Common, Followers
from tests.domain.matches import ALICE, BOB, NOW, PEOPLE, after
from tests.engine.noughts import Noughts, State
from tests.mail.writing.notices import COMPOSER, ENDED, MOVED
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


def away() -> LiveMatch:
    """Return the board while the player to move is on vacation."""
    pause = Pause(PauseKind.VACATION, NOW, LATER, BOARD.match.players[BOARD.to_move[0]])
    return replace(BOARD, match=replace(BOARD.match, pauses=(pause,)))


LATER = NOW.replace(year=NOW.year + 1)
OFFERED = with_entry(BOARD, Entry(EntryKind.OFFER, 0, OfferKind.DRAW, NOW, ""))
CAROL = replace(PEOPLE[ALICE], id=77, userid="carol")
READERS = [
    replace(player, settings=settings)
    for player, settings in zip(
        (PEOPLE[ALICE], PEOPLE[BOB], CAROL, PEOPLE[ALICE]),
        (
            {"format": "text", "zone": "Europe/Berlin"},
            {"zone": "Asia/Kolkata", "style.noughts": "small"},
            {"picture": "no"},
            {"picture": "only", "style.noughts": "small"},
        ),
        strict=True,
    )
]


def content(notice: BoardMessage) -> bytes:
    return COMPOSER.compose(notice, "uid", "returns", NOW).content


@each("board", [BOARD, OFFERED, away(), ENDED, after()])
def test_what_readers_share_changes_no_mail_whoever_is_the_first(board: LiveMatch) -> None:
    followers = Followers((CAROL.id,), 2)
    people = {**PEOPLE, CAROL.id: CAROL}
    told = replace(MOVED, board=board, people=people, followers=followers)
    alone = {id(to): content(replace(told, to=to, common=Common())) for to in READERS}
    for first, second in permutations(READERS, 2):
        common = Common()
        for to in (first, second):
            assert content(replace(told, to=to, common=common)) == alone[id(to)]
