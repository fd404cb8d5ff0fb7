"""A game's help page as it is mailed: plain text, made from the Markdown that its author wrote.

The tested examples of a page are playthroughs, written for the tests. Here they are written as a
person would: the moves in a row, the sentence that refuses one, the board, and the result.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from pbm.engine import (
    AnyGame,
    Diagram,
    GameError,
    MoveError,
    Position,
    Result,
    Transcript,
    TranscriptError,
    Turn,
    Viewer,
    begin,
    frozen,
    listing,
    parse_transcript,
    repeat,
)
from pbm.engine.transcript import BoardStep, RemarkStep, Step, TurnStep
from pbm.render.marks import LINE, board

_INDENT = "    "
_UNBROKEN = "\u00a0"
_SECTION = "\f"
"""A mark before a heading until the page is put together."""

_FENCE = re.compile(r"^```(?P<kind>[^\n]*)\n(?P<inside>.*?)^```[^\n]*\n?", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"#{1,6} +")
_LINK = re.compile(r"\[([^\]\n]{1,200})\]\(([^)\s]{1,200})\)")
_CODE = re.compile("`++")
_STRONG = re.compile(r"\*\*")


@frozen
class PrintedPage:
    """The text of a help page, and the diagrams of the boards that are marked in it, in order."""

    text: str
    diagrams: tuple[Diagram, ...]


def printed(page: str, game: AnyGame) -> PrintedPage:
    """Return the help page of `game`, its help.md, without marks of Markdown.

    Headings have more space above them. What players type is in quotation marks or indented.
    """
    parts, diagrams = list[str](), list[Diagram]()
    end = 0
    for fence in _FENCE.finditer(page):
        parts += [_plain(page[end : fence.start()]), _block(fence, game, diagrams)]
        end = fence.end()
    parts.append(_plain(page[end:]))
    text = "\n\n".join(filter(None, (part.strip("\n") for part in parts)))
    return PrintedPage(text.replace(_SECTION, "\n").lstrip("\n") + "\n", tuple(diagrams))


def _plain(text: str) -> str:
    return "\n".join(map(_line, text.split("\n")))


def _line(line: str) -> str:
    """Return a line of a paragraph or a heading; indented lines stay as they are."""
    if line.startswith(_INDENT):
        return line
    plain = _CODE.sub('"', _STRONG.sub("", _LINK.sub(r"\1 (\2)", line)))
    return _HEADING.sub(_SECTION, plain, count=1) if _HEADING.match(line) else plain


def _block(fence: re.Match[str], game: AnyGame, diagrams: list[Diagram]) -> str:
    """Return an example in words; other blocks, and one that is wrong, are only indented."""
    if fence["kind"].strip() == EXAMPLE and (found := example(fence["inside"], game)):
        text, drawn = _printed(found, game)
        diagrams += drawn
        return text
    return textwrap.indent(fence["inside"].rstrip(), _INDENT)


EXAMPLE = "transcript"
"""The kind of the blocks with examples."""


@frozen
class PlayedStep:
    """A step of an example, the position after it, and why it was refused, "" if it was not."""

    step: Step
    position: Position[Any]
    refused: str = ""

    @property
    def turn(self) -> str:
        """The turn as "5. White d3", "" if the step is none."""
        step = self.step
        return f"{step.ply}. {step.side} {step.text}" if isinstance(step, TurnStep) else ""


@frozen
class Example:
    """An example, played; `ended` is a sentence on its result, "" if it is left open."""

    story: str
    start: Position[Any]
    steps: tuple[PlayedStep, ...]
    ended: str


def example(text: str, game: AnyGame) -> Example | None:
    """Return the example in a block, or None if it cannot be played."""
    try:
        transcript = parse_transcript(text)
        start = begin(game, game.info.setup(transcript.options, transcript.dealt))
        steps = tuple(_played(transcript, game, start))
    except (TranscriptError, GameError):
        return None  # The author's tests report it; a player gets the text as it is.
    result = game.result(steps[-1].position.state)
    return Example(transcript.story, start, steps, _ended(result, game) if result else "")


def _played(transcript: Transcript, game: AnyGame, position: Position[Any]) -> Iterator[PlayedStep]:
    for step in transcript.steps:
        refused = ""
        if isinstance(step, TurnStep):
            if step.side not in game.info.seats:
                raise TranscriptError(f"line {step.line}: there is no side {step.side}")
            seat = game.info.seats.index(step.side)
            try:
                position, _ = repeat(game, position, Turn(seat, step.text))
            except MoveError as error:
                refused = str(error)
        yield PlayedStep(step, position, refused)


def _printed(shown: Example, game: AnyGame) -> tuple[str, list[Diagram]]:
    """Return an example in words, and its boards."""
    parts, turns, diagrams = [_plain(shown.story)], list[PlayedStep](), list[Diagram]()
    for played in shown.steps:
        step = played.step
        if isinstance(step, TurnStep):
            turns.append(played)
            continue
        parts.append("\n".join(_lines(turns)))
        turns = []
        if isinstance(step, BoardStep):
            diagrams.append(game.diagram(played.position.state, Viewer(None, step.style)))
            # No line is empty, which would end a block.
            parts.append(board(textwrap.indent(step.picture, _INDENT, lambda _: True)))
        elif isinstance(step, RemarkStep):
            parts.append(textwrap.fill(step.words, LINE))
    parts.append(textwrap.fill(shown.ended, LINE))
    return "\n\n".join(filter(None, parts)), diagrams


def _lines(turns: Iterable[PlayedStep]) -> Iterator[str]:
    """Yield the turns, those that were played one after another on the same lines."""
    for refused, group in groupby(turns, key=lambda played: bool(played.refused)):
        if refused:
            for played in group:
                yield _filled(f"{played.turn} is refused: {played.refused}", f"{_INDENT}  ")
        else:
            row = "  ".join(played.turn.replace(" ", _UNBROKEN) for played in group)
            yield _filled(row, _INDENT)


def _filled(text: str, further: str) -> str:
    """Return `text` in indented lines, those after the first one behind `further`."""
    return textwrap.fill(
        text, LINE, initial_indent=_INDENT, subsequent_indent=further,
        break_long_words=False, break_on_hyphens=False,
    ).replace(_UNBROKEN, " ")  # fmt: skip


def _ended(result: Result, game: AnyGame) -> str:
    """Return the result of an example in a sentence."""
    winners = listing((game.info.seats[seat] for seat in result.winners), last="and")
    ended = f"{winners} has won" if winners else "The game is a draw"
    points = f" Points: {listing(map(str, result.scores), last='and')}." if result.scores else ""
    return f"{ended}: {game.info.reasons[result.reason]}.{points}"
