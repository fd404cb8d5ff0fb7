r"""Playthroughs: recorded games that a person can read and the tests replay.

    Eks takes a stone and joins west and east with the same move.

    game gonnect size=5
    1 Eks C3
    2 Ohs C3 ! illegal: already
    2 Ohs swap
    # a line that begins with a hash sign is a remark; so is what follows one after a space
    board
              A B C D E
           5  . . . . .  5
           ...
    result Eks connection

Everything before the line `game` is the story; `dealt=3,1` on it is what was drawn before the first
turn. A turn is ply, side, move, and what was drawn then: `1 Red b5-c5 [4]`. A refused turn
ends in `! kind: words`, and the message contains the words; the position stays. A side is
named as in `info.seats`. `board`, or `board STYLE`, is followed by the indented picture as
a spectator sees it. The last line is `result` with the winner's side (or `draw`), the
reason, and the scores if there are any; `result open` says that the game goes on.
"""

import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pbm.engine.chance import by_weight
from pbm.engine.diagram import draw as picture_of
from pbm.engine.errors import MoveError, OptionError
from pbm.engine.game import AnyGame
from pbm.engine.optional import Chance
from pbm.engine.replay import Position, Turn, advance, begin, deal, repeat
from pbm.engine.types import Result, Setup, Viewer
from pbm.errors import PlainError


class TranscriptError(PlainError, AssertionError):
    """A playthrough cannot be read, or the game does not play as it says."""


@dataclass(frozen=True, slots=True)
class TurnStep:
    """`ply` is the number of this turn, counted from 1; `refusal` the kind and words expected."""

    line: int
    ply: int
    side: str
    text: str
    refusal: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class BoardStep:
    """The picture that must be drawn here, common indentation removed."""

    line: int
    style: str
    picture: str


@dataclass(frozen=True, slots=True)
class ResultStep:
    """The words after `result`."""

    line: int
    words: str


@dataclass(frozen=True, slots=True)
class RemarkStep:
    """A remark of the author; it changes nothing."""

    line: int
    words: str


Step = TurnStep | BoardStep | ResultStep | RemarkStep


@dataclass(frozen=True, slots=True)
class Transcript:
    """A playthrough as read: its story, its game and options, its steps."""

    story: str
    key: str
    options: dict[str, str]
    dealt: tuple[str, ...]
    steps: tuple[Step, ...]

    @property
    def reason(self) -> str | None:
        """The reason slug of the result, or None if the game is left open."""
        words = next(s for s in reversed(self.steps) if isinstance(s, ResultStep)).words.split()
        return None if words[0] == "open" else words[1]


_TURN = re.compile(r"(\d+) +(\S+) +(.*?)(?: +! *(\w+): *(.*))?")


def parse_transcript(text: str) -> Transcript:
    """Return the playthrough written in `text`; raise TranscriptError, naming the line."""
    lines = [line.rstrip() for line in text.splitlines()]
    starts = [n for n, line in enumerate(lines) if line.startswith("game ")]
    if not starts:
        raise TranscriptError("a playthrough has a line that begins with `game`")
    head = starts[0]
    key, options, dealt = _read_head(_split_remark(lines[head])[0], head + 1)
    steps = tuple(_read_steps(lines, head + 1))
    played = [step for step in steps if not isinstance(step, RemarkStep)]
    if not played or not isinstance(played[-1], ResultStep):
        raise TranscriptError("a playthrough ends with a line that begins with `result`")
    return Transcript("\n".join(lines[:head]).strip(), key, options, dealt, steps)


_HEAD = re.compile(r"game +(?P<key>\S+)(?P<options>( +[^\s=]+=\S*)*) *")


def _read_head(line: str, number: int) -> tuple[str, dict[str, str], tuple[str, ...]]:
    found = _HEAD.fullmatch(line)
    options = dict(word.split("=", 1) for word in found["options"].split()) if found else {}
    dealt = tuple(filter(None, options.pop("dealt", "").split(",")))
    if not found:
        raise TranscriptError(f"line {number}: {line!r} is not `game KEY name=value ...`")
    return found["key"], options, dealt


def _read_steps(lines: list[str], first: int) -> Iterable[Step]:
    n = first
    while n < len(lines):
        line, remark = _split_remark(lines[n])
        word, _, rest = line.partition(" ")
        n += 1
        if remark:
            yield RemarkStep(n, remark)
        if word == "board":
            end = n
            while end < len(lines) and (not lines[end] or lines[end].startswith(" ")):
                end += 1
            yield BoardStep(n, rest.strip() or "default", _dedent(lines[n:end]))
            n = end
        elif word == "result":
            yield _read_result(rest.strip(), n)
        elif line:
            yield _read_turn(line, n)


def _split_remark(line: str) -> tuple[str, str]:
    """Return what `line` says and its remark; a hash sign within a word, as in Qh7#, is neither."""
    said, _, remark = f" {line}".partition(" #")
    return said.strip(), remark.strip()


def _read_turn(line: str, number: int) -> TurnStep:
    found = _TURN.fullmatch(line)
    if not found:
        raise TranscriptError(f"line {number}: {line!r} is no turn, board or result")
    ply, side, text, kind, words = found.groups()
    return TurnStep(number, int(ply), side, text, (kind, words) if kind else None)


def _read_result(words: str, number: int) -> ResultStep:
    if words != "open" and len(words.split()) < 2:
        raise TranscriptError(f"line {number}: a result is `open`, or who has won and the reason")
    return ResultStep(number, words)


def _dedent(lines: list[str]) -> str:
    return textwrap.dedent("\n".join(lines)).strip("\n")


def play_transcript(game: AnyGame, transcript: Transcript) -> Position[Any]:
    """Replay `transcript` and return its last position; raise TranscriptError on a difference."""
    if transcript.key != game.info.key:
        raise TranscriptError(f"this is a playthrough of {transcript.key}")
    try:
        position = begin(game, game.info.setup(transcript.options, transcript.dealt))
    except (MoveError, OptionError) as error:
        raise TranscriptError(str(error)) from error
    for step in transcript.steps:
        if isinstance(step, TurnStep):
            position = _play_turn(game, position, step)
        elif isinstance(step, BoardStep):
            _compare_board(game, position, step)
        elif isinstance(step, ResultStep):
            _compare_result(game, position, step)
    return position


def _play_turn(game: AnyGame, position: Position[Any], step: TurnStep) -> Position[Any]:
    if step.side not in game.info.seats:
        raise TranscriptError(f"line {step.line}: the sides are {', '.join(game.info.seats)}")
    if step.ply != position.ply + 1:
        raise TranscriptError(f"line {step.line}: ply {position.ply + 1} is due")
    seat = game.info.seats.index(step.side)
    try:
        after, turn = repeat(game, position, Turn(seat, step.text))
    except MoveError as error:
        _compare_refusal(step, error)
        return position
    if step.refusal:
        raise TranscriptError(f"line {step.line}: {step.text} was played, not refused")
    if turn.text != step.text:
        raise TranscriptError(f"line {step.line}: the canonical notation is {turn.text}")
    return after


def _compare_refusal(step: TurnStep, error: MoveError) -> None:
    if step.refusal is None:
        raise TranscriptError(f"line {step.line}: refused, {error.kind}: {error}") from error
    kind, words = step.refusal
    if error.kind != kind or words not in str(error):
        raise TranscriptError(f"line {step.line}: refused, but {error.kind}: {error}") from error


def _compare_board(game: AnyGame, position: Position[Any], step: BoardStep) -> None:
    drawn = picture_of(game.diagram(position.state, Viewer(None, step.style)))
    if _dedent(drawn.split("\n")) != step.picture:
        raise TranscriptError(
            f"line {step.line}: the board at ply {position.ply} is\n{_set_off(drawn)}"
        )


def _set_off(picture: str) -> str:
    """Return the picture as it can stand in a playthrough, where each of its lines is indented."""
    indented = all(line.startswith(" ") for line in picture.split("\n") if line)
    return picture if indented else textwrap.indent(picture, "  ")


def _compare_result(game: AnyGame, position: Position[Any], step: ResultStep) -> None:
    words = _result_words(game, game.result(position.state))
    if words != " ".join(step.words.split()):
        raise TranscriptError(f"line {step.line}: the result is: {words}")


def _result_words(game: AnyGame, result: Result | None) -> str:
    if result is None:
        return "open"
    winners = ",".join(game.info.seats[seat] for seat in result.winners) or "draw"
    scores = [] if result.scores is None else [" ".join(map(str, result.scores))]
    return " ".join([winners, result.reason, *scores])


def write_transcript(game: AnyGame, setup: Setup, turns: Iterable[Turn], story: str) -> str:
    """Return a playthrough of `turns` with the last board and the result, ready to be read."""
    position = begin(game, setup)
    options = [f"{o.name}={setup[o.name]}" for o in game.info.options]
    dealt = [f"dealt={','.join(setup.dealt)}"] if setup.dealt else []
    lines = [story, "", " ".join(["game", game.info.key, *options, *dealt])]
    for turn in turns:
        position, played = repeat(game, position, turn)
        lines.append(f"{position.ply} {game.info.seats[turn.seat]} {played.text}")
    board = picture_of(game.diagram(position.state, Viewer()))
    result = _result_words(game, game.result(position.state))
    return "\n".join([*lines, "board", _set_off(board), f"result {result}"]) + "\n"


LONGEST_FOUND = 1000
"""Plies after which a random game is given up."""


def find_transcripts(game: AnyGame, chance: Chance, games: int) -> dict[str, str]:
    """Return a playthrough for each reason to end, from at most so many random games.

    Options are drawn as well. A reason that no game ends by is left out.
    """
    found: dict[str, str] = {}
    draw = by_weight(chance)
    for _ in range(games):
        drawn = {option.name: chance.choice(option.choices) for option in game.info.options}
        setup = deal(game, game.info.setup(drawn), draw)
        position, turns = begin(game, setup), list[Turn]()
        while (seats := game.to_move(position.state)) and len(turns) < LONGEST_FOUND:
            moves = tuple(game.legal_moves(position.state, seats[0]))
            position, turn = advance(game, position, seats[0], str(chance.choice(moves)), draw)
            turns.append(turn)
        result = game.result(position.state)
        if result and result.reason not in found:
            story = f"Random play: {game.info.reasons[result.reason]}."
            found[result.reason] = write_transcript(game, setup, turns, story)
        if len(found) == len(game.info.reasons):
            break
    return found
