"""The laws of a game's help, its boards and its words, for the conformance suite.

A reply holds a move alone, and its first word decides how it is read: as a command, as the number
of a board, or as the name of a game. So no move may begin with such a word (`is_reserved`).
"""

import random
import re
import sys
from dataclasses import replace
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from pbm.engine.chance import by_weight
from pbm.engine.diagram import WIDTH_LIMIT, Diagram, draw
from pbm.engine.errors import GameError
from pbm.engine.game import AnyGame
from pbm.engine.notation import fold
from pbm.engine.replay import begin, deal
from pbm.engine.transcript import TranscriptError, parse_transcript, play_transcript
from pbm.engine.types import FAMILIES, PLAYERS, Option, Viewer

REPLIES = frozenset(
    {"all", "cancel", "end", "kibitz", "next", "no", "ok", "please", "quit", "start", "stop",
     "thanks", "yes"}
)  # fmt: skip
"""The words other than commands that can be a whole reply."""


DEALS = 100
"""So often a game with chance is begun to see the example among its first moves."""


@cache
def words() -> frozenset[str]:
    """Return the words that are no moves: the commands of the server, and REPLIES."""
    # Only the tools of game authors ask, so a game does not load the server to be played.
    from pbm.core.grammar import verbs  # noqa: PLC0415

    return REPLIES.union(*(verb.words for verb in verbs()))


_BOARD_NUMBER = re.compile(r"#?[0-9]+(?:#[0-9]+)?,?")
_PLY = re.compile(r"# ?[0-9]+$")


def is_reserved(notation: str, *game_names: str) -> bool:
    """Return whether a mail with the move `notation` would be read as something else.

    That is so if it begins with a command, with one of the `game_names` or with a plain number,
    which is a board's, or if it ends in "#7", which is the number of a move.
    """
    typed = fold(notation)
    first = typed.partition(" ")[0]
    named = first in words() or first in map(fold, game_names)
    return named or bool(_BOARD_NUMBER.fullmatch(first) or _PLY.search(typed))


class ConformanceError(AssertionError):
    """A game broke a law; the message names the law and shows where."""


def law(holds: object, law: str) -> None:
    """Raise ConformanceError unless `law` holds."""
    if not holds:
        raise ConformanceError(f"broken law: {law}")


def folder_of(game: AnyGame) -> Traversable:
    """Return the folder with the game's help.md and playthroughs/."""
    name = type(game).__module__
    package = getattr(sys.modules.get(name), "__package__", "") or name
    return resources.files(package) / getattr(game, "folder", "")


def check_pictures(game: AnyGame, state: Any) -> None:
    """Raise unless every viewer and style has a well-formed board that fits a mail."""
    seats = range(len(game.sides(state)))
    for style in game.info.styles:
        last: Diagram | None = None
        for seat in (None, *seats):
            diagram = game.diagram(state, Viewer(seat, style))
            if diagram == last:  # most games show everybody the same
                continue
            alike = game.info.hidden or last is None or _seen(last) == _seen(diagram)
            law(alike, "all read the same, unless the info says hidden=True")
            last = diagram
            _check_diagram(diagram)
            owners = {piece.seat for piece in diagram.pieces} - {None}
            law(owners <= {*seats}, "a piece belongs to a seat or to nobody")
            width = max(map(len, draw(diagram).split("\n")))
            law(width <= WIDTH_LIMIT, f"{style} is at most {WIDTH_LIMIT} columns wide")


def _seen(diagram: Diagram) -> frozenset[object]:
    """Return all that a viewer learns, in whatever order: a board may be turned."""
    rows = diagram.tally.rows if diagram.tally else ()
    return frozenset((*diagram.pieces, *diagram.above, *diagram.below, *diagram.told, *rows))


def _check_diagram(diagram: Diagram) -> None:
    names = [point.name for point in diagram.points]
    law(names, "a diagram has a point or more: each board is drawn")
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


_NAME = re.compile(r"[a-z][a-z0-9_]{1,19}")
_EXAMPLE = re.compile(r"^```transcript\n(.*?)^```", re.MULTILINE | re.DOTALL)

_NOT_SIDES = frozenset({"draw", "open", "random", "given"})
"""Words of playthroughs and challenges in the place of a side."""


def check_info(game: AnyGame) -> None:
    """Raise unless what the game says about itself is complete and well formed."""
    law(not isinstance(game, type), "the game is an object, `game = Rules()`, and no class")
    info = game.info
    law(isinstance(info.rules_version, int), "the rules_version is a number")
    for text in (info.title, info.summary, *info.reasons.values(), f"{info.credits} "):
        law(text and text.isascii() and text.isprintable(), f"{text!r} is a line of ASCII")
    for name in (info.key, *info.aliases):
        law(_NAME.fullmatch(name), f"{name!r} can be typed as a game's name")
        law(not is_reserved(name), f"no command is called {name!r}, as the game is")
    law(info.family in ("", *FAMILIES), f"a family is one of {', '.join(FAMILIES)}, or none")
    law(len(info.seats) >= 2, "a match has two seats or more")
    law(len(info.signs) == len(info.seats), "each seat has a sign")
    law(all(len(sign) <= 1 for sign in info.signs), "a sign is one character, or none")
    signs = [sign for sign in info.signs if sign]
    law(len({*signs}) == len(signs), "the sides' signs differ")
    _check_sides(info.seats)
    law(info.styles and info.reasons, "there is a style and a reason to end")
    _check_earlier(game)
    _check_options(info.options)
    law(info.setup(info.first), "a first board has options of the game")
    law(info.example in _firsts(game), f"the example {info.example!r} is a canonical first move")
    law((folder_of(game) / "help.md").is_file(), "a help page, help.md, stands beside the rules")


def _firsts(game: AnyGame) -> set[str]:
    """Return the moves that are legal at the beginning, whatever is dealt."""
    setup, draw = game.info.setup(), by_weight(random.Random(0))  # noqa: S311 - no secret
    deals = {deal(game, setup, draw).dealt for _ in range(DEALS)}
    starts = [begin(game, replace(setup, dealt=dealt)).state for dealt in deals]
    return {str(m) for s in starts for seat in game.to_move(s) for m in game.legal_moves(s, seat)}


def _check_sides(seats: tuple[str, ...]) -> None:
    law(all(" " not in name for name in seats), "a side's name is one word")
    names = {fold(name) for name in seats}
    law(len(names) == len(seats), f"the sides' names differ in any case: {', '.join(seats)}")
    law(not names & _NOT_SIDES, f"no side is called {' or '.join(sorted(names & _NOT_SIDES))}")


def _check_earlier(game: AnyGame) -> None:
    """Raise unless the game under its earlier rules is the same game, each version once."""
    earlier: tuple[AnyGame, ...] = getattr(game, "earlier", ())
    versions = [old.info.rules_version for old in (*earlier, game)]
    law(all(old.info.key == game.info.key for old in earlier), "earlier rules have the same key")
    law(len(set(versions)) == len(versions), "earlier rules have other versions")


def _check_options(options: tuple[Option, ...]) -> None:
    names = [option.name for option in options]
    law(len({*names}) == len(names), f"each option has a name of its own: {', '.join(names)}")
    for option in options:
        free = _NAME.fullmatch(option.name) and option.name != "dealt"
        law(free, f"{option.name!r} can be typed as an option, and is not dealt")
        texts = all(isinstance(choice, str) for choice in (option.default, *option.choices))
        law(texts, f"the choices of {option.name} are texts, as they are typed")
        law(option.default in option.choices, f"the default of {option.name} is a choice")
        folded = {fold(choice) for choice in option.choices}
        law(len(folded) == len(option.choices), f"the choices of {option.name} differ in any case")
        law(not any(" " in each for each in folded), f"a choice of {option.name} is one word")
        numbers = option.name != PLAYERS or all(map(str.isdigit, option.choices))
        law(numbers, f"the choices of {PLAYERS} are numbers")
        law(option.help, f"{option.name} is explained")


def check_help(game: AnyGame) -> None:
    """Raise unless help.md can be mailed and the examples in it play as they say."""
    page = (folder_of(game) / "help.md").read_text("utf-8")
    for number, line in enumerate(page.split("\n"), start=1):
        fits = len(line) <= WIDTH_LIMIT and line.isascii() and line.isprintable()
        law(fits, f"help.md is ASCII, {WIDTH_LIMIT} columns, no tabs; line {number} is {line!r}")
    for example in _EXAMPLE.finditer(page):
        first = page.count("\n", 0, example.start()) + 1
        try:
            play_transcript(game, parse_transcript(example[1]))
        except (TranscriptError, GameError) as error:
            raise ConformanceError(
                f"{game.info.key}: help.md, the example below line {first}, {error}"
            ) from error
