"""Boards in mails: every turn is two taps away, and readers share what they may see alike."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from itertools import permutations
from typing import Any

import pytest

from gallery.boards import all_games, played, playthroughs, positions
from pbm.domain.logs import EntryKind, LogEntry
from pbm.domain.offers import OfferKind
from pbm.domain.pauses import Pause, PauseKind
from pbm.domain.play import Board, with_entry
from pbm.domain.seen import seen
from pbm.engine import (
    AnyGame,
    Diagram,
    IllegalMoveError,
    Position,
    UnfinishedMoveError,
    Viewer,
    draw,
)
from pbm.mail.writing.pictures import (
    RecordingViewer,
    SharedPictures,
    Taps,
    first_taps,
    listed,
    next_taps,
)
from tests.domain.matches import ALICE, BOB, NOW, PEOPLE, after
from tests.engine.noughts import Noughts, State
from tests.mail.writing.samples import (
    COMPOSER,
    ENDED,
    MOVED,
    NOTICES,
    OPENED,
    BoardMessage,
    Common,
    Followers,
)

MOST_TURNS = 30
"""Legal turns of a position that are looked for."""


def test_a_first_tap_is_a_whole_turn_or_leads_to_a_few_that_are_listed() -> None:
    assert first_taps(["a1", "b2"], frozenset({"a1", "b2"})) == Taps({"a1": "a1", "b2": "b2"})
    points = [f"a{n}" for n in range(1, 20)]
    taps = first_taps([*points, "count"], frozenset(points))
    assert (taps.turns, set(taps.points)) == (("count",), set(points))
    taps = first_taps(["d1xg7", "d1xa4", "d2"], frozenset({"d1", "d2", "g7", "a4"}))
    assert taps == Taps({"d1": "d1", "d2": "d2"}, ("d1xg7", "d1xa4", "d2"))
    corners = ["a1", "a8", "h1", "h8"]
    pairs = [f"{one},{other}" for one in corners for other in corners if one < other]
    assert first_taps(pairs, frozenset(corners)).points == {name: name for name in corners}


@pytest.mark.parametrize(
    ("turns", "points", "ways"),
    [
        # The points named before are not asked for again.
        ("a1,b2 a1,c3", "a1 b2 c3 c4", {"b2": "a1,b2", "c3": "a1,c3"}),
        ("a1,b2 b2,c3", "a1 b2 c3 c4", {"a1": "a1,b2", "c3": "b2,c3"}),
        ("a1-b2:c3 a1-b2:c4 a1-c4", "a1 b2 c3 c4", {"b2": "a1-b2", "c4": "a1-c4"}),
        # One whole way to go on has its own point.
        ("a1", "a1", {}),
        ("", "", {}),
        # A point whose name begins that of another.
        ("d10-d1/a1 d10-d1/b1 d10-d2/a1", "a1 b1 d1 d2 d10", {"d1": "d10-d1", "d2": "d10-d2/a1"}),
    ],
)
def test_a_next_tap_leads_on(turns: str, points: str, ways: dict[str, str]) -> None:
    assert next_taps(turns.split(), frozenset(points.split())) == ways


MANY = 9


def taps_to(game: AnyGame, state: Any, seat: int, turn: str, first: Taps) -> int:
    """Return how many taps lead to a turn, MANY if none do."""
    if turn in (*first.turns, *first.points.values()):
        return 1
    return min(
        taps_after(game, state, seat, turn, text) for text in first.points.values() if text in turn
    )


def taps_after(game: AnyGame, state: Any, seat: int, turn: str, text: str) -> int:
    """Return how many taps lead to a turn whose part `text` has been tapped."""
    try:
        game.parse(state, seat, text)
    except UnfinishedMoveError as unfinished:
        ways = next_taps(unfinished.candidates, names_of(game, state))
        if turn in (*listed(unfinished.candidates, ways), *ways.values()):
            return 2
        parts = [part for part in ways.values() if turn.startswith(part) and len(part) > len(text)]
        return min((1 + taps_after(game, state, seat, turn, part) for part in parts), default=MANY)
    except IllegalMoveError:
        pass
    return MANY


def names_of(game: AnyGame, state: Any) -> frozenset[str]:
    return frozenset(point.name for point in game.diagram(state, Viewer()).points)


def states(game: AnyGame) -> Iterator[Any]:
    """Yield the positions of all playthroughs, and of random play."""
    for _, transcript in playthroughs(game):
        yield from (position.state for position in positions(game, transcript))
    yield from (played(game, plies) for plies in (0, 1, 2, 12, 24, 40))


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.info.key)
def test_every_legal_turn_can_be_tapped(game: AnyGame) -> None:
    found = set()
    for state in states(game):
        for seat in game.to_move(state):
            turns = [str(turn) for turn in game.legal_moves(state, seat)]
            first = first_taps(turns, names_of(game, state))
            for turn in turns[:: 1 + len(turns) // MOST_TURNS]:
                found.add(taps_to(game, state, seat, turn, first))
    # A turn of Amazons has three parts, and none can be left out.
    parts = 3 if game.info.key == "amazons" else 2
    assert {parts - 1} <= found
    assert max(found) <= parts


EVERYBODY = [Viewer(seat, style) for seat in (None, 0, 1) for style in ("large", "small")]


class Telling(Noughts):
    """A game that shows its viewers some of what they are."""

    def __init__(self, *shows: str) -> None:
        self.shows = shows

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        told = tuple(f"{name} {getattr(viewer, name)}" for name in self.shows)
        return replace(super().diagram(state, Viewer()), below=told)


@pytest.mark.parametrize(
    ("shows", "views"), [((), 1), (("seat",), 3), (("style",), 2), (("seat", "style"), 6)]
)
def test_there_are_as_many_views_as_there_is_to_see(shows: tuple[str, ...], views: int) -> None:
    game = Telling(*shows)
    shared = SharedPictures(seen(replace(OPENED, game=game), None))
    found = [shared.of(viewer) for viewer in (*EVERYBODY, *EVERYBODY)]
    for viewer, view in zip(EVERYBODY * 2, found, strict=True):
        assert view.diagram == game.diagram(OPENED.position.state, viewer)
        assert view.text == draw(view.diagram)
    assert len({id(view) for view in found}) == views


def test_a_game_may_ask_whether_a_viewer_is_another_one() -> None:
    asked = RecordingViewer(1, "large")
    assert asked == Viewer(1, "large")
    assert Viewer(1, "large") == asked
    assert asked != Viewer(0, "large")
    assert hash(asked) == hash(Viewer(1, "large"))
    assert not asked.saw_same(Viewer(0, "large"))
    assert replace(asked, seat=None) == Viewer(None, "large")


def away() -> Board:
    """Return the board while the player to move is on vacation."""
    mover = OPENED.match.players[OPENED.to_move[0]]
    pause = Pause(PauseKind.VACATION, NOW, NOW.replace(year=NOW.year + 1), mover)
    return replace(OPENED, match=replace(OPENED.match, pauses=(pause,)))


OFFERED = with_entry(OPENED, LogEntry(EntryKind.OFFER, 0, OfferKind.DRAW, NOW, ""))
CAROL = replace(PEOPLE[ALICE], id=77, userid="carol")
READERS = [
    replace(PEOPLE[ALICE], settings={"format": "text", "zone": "Europe/Berlin"}),
    replace(PEOPLE[BOB], settings={"zone": "Asia/Kolkata", "style.noughts": "small"}),
    replace(CAROL, settings={"picture": "no"}),
    replace(PEOPLE[ALICE], settings={"picture": "only", "style.noughts": "small"}),
]


def parts(value: object) -> Iterator[object]:
    """Yield a value and all that it is made of."""
    yield value
    if is_dataclass(value):
        value = [getattr(value, part.name) for part in fields(value)]
    for part in value if isinstance(value, tuple | list) else ():
        yield from parts(part)


def test_no_template_gets_the_state_of_a_game() -> None:
    for notice in NOTICES:
        facts = COMPOSER.writer.facts(COMPOSER.writer.letter(notice))
        found = {type(part) for part in parts(list(facts.values()))}
        assert not found & {Board, Position, State}, notice


def content(notice: BoardMessage) -> bytes:
    return COMPOSER.compose(notice, "uid", "returns", NOW).content


@pytest.mark.parametrize("board", [OPENED, OFFERED, away(), ENDED, after()])
def test_what_readers_share_changes_no_mail_whoever_is_the_first(board: Board) -> None:
    followers = Followers((CAROL.id,), 2)
    people = {**PEOPLE, CAROL.id: CAROL}
    told = replace(MOVED, board=seen(board, None), people=people, followers=followers)
    alone = {id(to): content(replace(told, to=to, common=Common())) for to in READERS}
    for first, second in permutations(READERS, 2):
        common = Common()
        for to in (first, second):
            assert content(replace(told, to=to, common=common)) == alone[id(to)]
