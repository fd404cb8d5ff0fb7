"""The laws of the boards that a game draws."""

from typing import Any

from pbm.engine.diagram import Diagram
from pbm.engine.game import AnyGame
from pbm.engine.laws import law
from pbm.engine.picture import WIDTH_LIMIT, draw
from pbm.engine.types import Viewer


def check_pictures(game: AnyGame, state: Any) -> None:
    """Raise unless every viewer and style has a well-formed board that fits a mail."""
    law(len(game.sides(state)) == len(game.info.seats), "every seat's side has a name")
    for style in game.info.styles:
        last: Diagram | None = None
        for seat in (None, *range(len(game.info.seats))):
            diagram = game.diagram(state, Viewer(seat, style))
            if diagram == last:  # most games show everybody the same
                continue
            alike = last is None or {*last.pieces} == {*diagram.pieces}
            law(alike, "all see the same pieces: no game has secrets, as each turn is told to all")
            last = diagram
            _check_diagram(diagram)
            owners = {piece.seat for piece in diagram.pieces} - {None}
            law(owners <= {*range(len(game.info.seats))}, "a piece belongs to a seat or to nobody")
            width = max(map(len, draw(diagram).split("\n")))
            law(width <= WIDTH_LIMIT, f"{style} is at most {WIDTH_LIMIT} columns wide")


def _check_diagram(diagram: Diagram) -> None:
    names = [point.name for point in diagram.points]
    law(len(set(names)) == len(names), "a diagram names each point once")
    pieces = [piece.at for piece in diagram.pieces]
    law(len(set(pieces)) == len(pieces), "a point holds one piece")
    used = {*pieces, *(mark.at for mark in diagram.marks)}
    used |= {name for line in diagram.lines for name in line.points}
    law(used <= set(names), f"{sorted(used - set(names))} are points of the diagram")
    law(all(len(p.symbol) == 1 for p in diagram.pieces), "a piece is one character")
    texts = (*diagram.above, *diagram.below, *diagram.told, diagram.empty)
    texts += tuple(piece.symbol for piece in diagram.pieces)
    odd = [text for text in texts if not (text.isascii() and text.isprintable())]
    law(not odd, f"signs, and lines above and below a board, are printable ASCII: {odd}")
    law(all(p.height >= 1 for p in diagram.pieces), "a piece is one stone high or higher")
    law(all(len(line.points) > 1 for line in diagram.lines), "a line has two points or more")
    if diagram.tally:
        figures = {len(row.values) for row in diagram.tally.rows}
        law(len(figures) == 1, "the rows of a tally are equally long")
        law(
            figures == {len(diagram.tally.heads)} or not diagram.tally.heads,
            "a tally has a heading for each figure, or none",
        )
    if diagram.plate:
        law(set(diagram.plate.places) == set(names), "the plate has a place for each point")
    else:
        cells = {(point.column, point.row) for point in diagram.points}
        grid = {(x, y) for x in range(len(diagram.columns)) for y in range(len(diagram.rows))}
        law(len(cells) == len(names) and cells <= grid, "each point has a cell of its own")
