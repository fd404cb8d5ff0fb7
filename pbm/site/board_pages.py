"""The page of a match, with its replay, and the files beside it: record, picture and feed."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import pairwise
from urllib.parse import quote

from markupsafe import Markup

from pbm.domain.description import (
    outcome_clause,
    outcome_sentence,
    places_of,
    rating_change,
    sides_of,
    terms_line,
)
from pbm.domain.player import PlayerId
from pbm.domain.record import own_file, published_record
from pbm.domain.seen import SeenBoard, example_move
from pbm.engine import SWAP, Diagram, Viewer, counted, draw, frozen, listing, spoken
from pbm.engine.diagram import MarkKind
from pbm.mail.writing.pictures import BoardPicture, RecordingViewer
from pbm.render.boards.plotted_picture import PlottedPicture, changes, position_words
from pbm.render.boards.png import PngPicture
from pbm.render.boards.replay import replay
from pbm.site.cards import Card
from pbm.site.facts import Profile, Site
from pbm.site.feeds import FeedItem
from pbm.site.lists import Lists
from pbm.site.pages import Files, Page, Source
from pbm.store.match_reading import MatchRow

Profiles = Mapping[PlayerId, Profile]

_NEWS = 50
"""The last moves of a match that are in its feed."""


def board_page(lists: Lists, row: MatchRow) -> Page:
    """Return the page of a match, which all who sit there must want to be shown."""
    profiles = {player: lists.facts.profiles[player] for player in row.players}
    make = partial(_files, lists.site, row.number, profiles)
    paths = tuple([f"b/{row.number}.{kind}" for kind in ("html", "json", "png", "xml")])
    named = [(profile.name, profile.path) for profile in profiles.values()]
    return Page(paths, (row.version, named), make)


@frozen
class _Move:
    """A ply as "Eks C4", its day, the points that it changed, and how many pieces it took."""

    text: str
    day: date
    put: str
    taken: int


def _files(site: Site, number: int, profiles: Profiles, source: Source) -> Files:
    """Return the page of a match and the files beside it, as those who only look see it."""
    past, path = source.course(number), f"b/{number}"
    board = past[-1]
    match, game = board.match, board.game
    viewer = RecordingViewer(None, game.info.styles[0])
    diagrams = [each.diagram(viewer) for each in past]
    plotted = list(map(site.pictures.plotter.plot, diagrams))
    names = [profiles[player].name for player in match.players]
    moves = list(_moves(past, plotted))
    title = f"{' - '.join(names)}, {game.info.title}, board {number}"
    mover = _mover(board, profiles)
    turns = _turns(site, board, diagrams[-1], viewer) if mover else _NO_TURNS
    png = site.pictures.painter.png(plotted[-1])
    own = own_file(match, game, names)
    page = site.page(
        "board", f"{path}.html", own=own, match=match, game=game.info, title=title, names=names,
        moves=moves,
        start="|".join(changes(None, plotted[0])), card=_card(path, png, title),
        svg=Markup(replay(plotted, taps=turns.taps, title=title)), plotted=plotted[-1],  # noqa: S704 - escaped there
        news=_news(board, tuple(names)), mover=mover, turns=turns, terms=terms_line(match, game),
        players=_players(board, profiles), position=position_words(plotted[-1]),
        text=draw(diagrams[-1]),
    )  # fmt: skip
    return {
        f"{path}.html": page,
        f"{path}.json": _record(board, profiles) + "\n",
        f"{path}.png": png.data,
        f"{path}.xml": site.feed(f"{path}.xml", title, f"{path}.html", _entries(moves, path)),
    }


def _moves(past: Sequence[SeenBoard], plotted: Sequence[PlottedPicture]) -> Iterator[_Move]:
    """Yield the moves from the positions before each of them, and the last one."""
    plies = past[-1].match.plies
    for board, entry, pair in zip(past, plies, pairwise(plotted), strict=False):
        side = "" if entry.seat is None else board.sides[entry.seat]
        taken = sum(MarkKind.CAPTURED in spot.marks for spot in pair[1].shown)
        text = f"{side} {spoken(entry.text)[0]}"
        yield _Move(text, entry.at.date(), "|".join(changes(*pair)), taken)


def _news(board: SeenBoard, names: tuple[str, ...]) -> str:
    """Return a sentence on the end of a match or on where it is."""
    if outcome := board.match.outcome:
        if outcome.winners:
            return (
                f"{outcome_clause(outcome, names, board.game)}.{places_of(outcome.places, names)}"
            )
        return outcome_sentence(outcome, names, board.game)
    movers = listing([names[seat] for seat in board.to_move], last="and")
    return f"{counted(board.ply, 'move')} so far; {movers} to move."


def _players(board: SeenBoard, profiles: Profiles) -> Iterator[tuple[str, Profile, str]]:
    """Yield the side of each seat, who sits there, and what the match did to their rating."""
    outcome, players = board.match.outcome, board.match.players
    ratings = [rating_change(change) for change in outcome.ratings] if outcome else []
    for seat, side in enumerate(sides_of(board)):
        yield side, profiles[players[seat]], ratings[seat] if ratings else ""


def _mover(board: SeenBoard, profiles: Profiles) -> str:
    """Return the people who are to move, "" if there are none."""
    movers = [profiles[board.match.players[seat]] for seat in board.to_move]
    return listing([mover.name for mover in movers if not mover.robot], last="or")


def _card(path: str, png: PngPicture, title: str) -> Card:
    return Card(f"{path}.png", png.width, png.height, f"The board of {title}")


@frozen
class _Turns:
    """Targets of links that play, by point and by the words of a turn; and a command to copy."""

    taps: Mapping[str, str]
    words: Mapping[str, str]
    example: str


_NO_TURNS = _Turns({}, {}, "")


def _turns(site: Site, board: SeenBoard, diagram: Diagram, viewer: RecordingViewer) -> _Turns:
    """Return the turns that the page offers; none where they would give away what is hidden."""
    style = board.game.info.styles[0]
    if len(board.to_move) != 1 or not viewer.saw_same(Viewer(board.to_move[0], style)):
        return _NO_TURNS

    def command(turn: str) -> str:
        return f"move {board.match.number}#{board.due} {turn}"

    def links(turns: Mapping[str, str]) -> Mapping[str, str]:
        mail = f"mailto:{site.address}?subject="
        return {name: mail + quote(command(turn)) for name, turn in turns.items()}

    turns = partial(board.turns, board.to_move[0])
    taps = BoardPicture(diagram, board.match.number, board.due, turns).taps()
    words = {turn: turn for turn in (*taps.turns, *([SWAP] if board.may_swap else []))}
    return _Turns(links(taps.points), links(words), command(example_move(board)))


def _record(board: SeenBoard, profiles: Profiles) -> str:
    userids = {player: profile.userid for player, profile in profiles.items()}
    robots = [player for player in board.match.starters if profiles[player].robot]
    return json.dumps(published_record(board.match, board.game, userids, robots))


def _entries(moves: list[_Move], path: str) -> list[FeedItem]:
    """Return the last moves as news, the newest first."""
    plies = list(enumerate(moves, 1))[-_NEWS:]
    return [
        FeedItem(f"{ply}. {move.text}", f"{path}.html#p{ply}", move.day, quote(f"-{move.text}"))
        for ply, move in reversed(plies)
    ]
