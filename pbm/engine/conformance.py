"""The laws that every game must keep, as one call: what a game author's test runs.

    from pbm.engine.conformance import check
    from mygame import game

    def test_my_game_keeps_the_laws() -> None:
        check(game)

This is the one module of the engine that reads files (the game's playthroughs and help
page, beside its rules), makes random choices (from the seed it is given) and needs a
third-party package, hypothesis: `pip install 'pbm-server[conformance]'`.
"""

import inspect
import random
import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbm.engine.diagram import Diagram
from pbm.engine.errors import MoveError
from pbm.engine.game import AnyGame, decode, encode
from pbm.engine.picture import WIDTH_LIMIT, draw
from pbm.engine.replay import Turn, is_swap, replay
from pbm.engine.reserved import is_reserved
from pbm.engine.transcript import TranscriptError, parse_transcript, play_transcript
from pbm.engine.types import Seat, Setup, Viewer

SAMPLE = 6
"""How many moves of each position are read back; all of them would take too long."""


class ConformanceError(AssertionError):
    """A game broke a law; the message names the law and shows where."""


def check(game: AnyGame, *, seed: int = 0, matches: int = 12, plies: int = 250) -> None:
    """Raise ConformanceError unless `game` keeps every law.

    Plays `matches` random matches of at most `plies` plies over the game's options, from
    `seed`; then reads arbitrary texts, and replays the playthroughs beside the rules.
    """
    check_info(game)
    chance = random.Random(seed)  # noqa: S311 - reproducible play, no secret
    for setup in _setups(game, chance, matches):
        check_match(game, setup, chance, plies)
    check_reading(game)
    check_playthroughs(game)


def check_info(game: AnyGame) -> None:
    """Raise unless what the game says about itself is complete and well formed."""
    info = game.info
    for name in (info.key, *info.aliases):
        _law(re.fullmatch(r"[a-z][a-z0-9_]{1,19}", name), f"{name!r} can be typed as a game's name")
    _law(len(info.seats) >= 2, "a match has two seats or more")
    _law(len(info.signs) == len(info.seats), "each seat has a sign")
    _law(all(len(sign) <= 1 for sign in info.signs), "a sign is one character, or none")
    _law(all(" " not in name for name in info.seats), "a side's name is one word")
    _law(info.styles and info.reasons, "there is a style and a reason to end")
    _check_earlier(game)
    for option in info.options:
        _law(option.default in option.choices, f"the default of {option.name} is a choice")
        _law(option.help, f"{option.name} is explained")
    start = game.start(info.setup())
    firsts = [str(move) for seat in game.to_move(start) for move in game.legal_moves(start, seat)]
    _law(info.example in firsts, f"the example {info.example!r} is a canonical first move")
    help_page = _folder(game) / "help.md"
    _law(help_page.is_file(), "a help page, help.md, stands beside the rules")


def _check_earlier(game: AnyGame) -> None:
    """Raise unless the game under its earlier rules is the same game, each version once."""
    earlier: tuple[AnyGame, ...] = getattr(game, "earlier", ())
    versions = [old.info.rules_version for old in (*earlier, game)]
    _law(all(old.info.key == game.info.key for old in earlier), "earlier rules have the same key")
    _law(len(set(versions)) == len(versions), "earlier rules have other versions")


def check_match(game: AnyGame, setup: Setup, chance: random.Random, plies: int) -> None:
    """Raise unless every law holds at each position of one random match."""
    state = game.start(setup)
    turns: list[Turn] = []
    while game.to_move(state) and len(turns) < plies:
        before = _stored(game, state)
        seat, move = check_position(game, state, chance)
        after = game.play(state, seat, move)
        _law(encode(game, state) == before, f"play leaves the position before {move} as it was")
        _law(game.play(state, seat, move) == after, f"{move} always leads to the same position")
        turns.append(Turn(seat, str(move)))
        state = after
    check_end(game, state)
    *_, last = replay(game, setup, turns)
    _law(last.state == state, f"a replay of {_words(turns)} gives the same position")


def check_position(game: AnyGame, state: Any, chance: random.Random) -> tuple[Seat, Any]:
    """Raise unless the laws hold in `state`; return a random seat and move to go on with."""
    check_end(game, state)
    check_codec(game, state)
    check_pictures(game, state)
    to_move = game.to_move(state)
    for seat in range(len(game.info.seats)):
        if seat not in to_move:
            _law(not list(game.legal_moves(state, seat)), f"seat {seat}, not to move, has no move")
    choices: list[tuple[Seat, Any]] = []
    for seat in to_move:
        moves = list(game.legal_moves(state, seat))
        check_moves(game, state, seat, moves, chance)
        choices += [(seat, move) for move in moves]
    return chance.choice(choices)


def check_moves(
    game: AnyGame, state: Any, seat: Seat, moves: list[Any], chance: random.Random
) -> None:
    """Raise unless there are legal moves, each once, in a stable order, that can be read back."""
    names = [str(move) for move in moves]
    _law(names, f"seat {seat}, to move, has a legal move in {encode(game, state)}")
    _law(len(set(names)) == len(names), f"each move is listed once: {names}")
    _law(names == [str(m) for m in game.legal_moves(state, seat)], "the order of moves is stable")
    for name in names:
        _check_name(name, game.info.key, *game.info.aliases)
    for move in chance.sample(moves, min(SAMPLE, len(moves))):
        for text in (str(move), str(move).upper(), f" {str(move).lower()}\u00a0"):
            _law(_read(game, state, seat, text) == move, f"{text!r} is read as {move}")


@lru_cache(10_000)
def _check_name(name: str, *games: str) -> None:
    """Raise unless a move may be called this; most positions have the moves of the last one."""
    _law(not is_swap(name), "swap is the server's word")
    free = not is_reserved(name, *games)
    _law(free, f"{name!r} begins with no command, no game's name and no plain number")


def check_end(game: AnyGame, state: Any) -> None:
    """Raise unless the game is over exactly when it has a result, and the result is well formed."""
    result = game.result(state)
    _law(bool(game.to_move(state)) == (result is None), "nobody is to move <=> there is a result")
    if result is None:
        return
    _law(result.reason in game.info.reasons, f"the reason {result.reason!r} is explained")
    seats = range(len(game.info.seats))
    _law(all(seat in seats for seat in result.winners), "winners are seats")
    for seat in seats:
        _law(not list(game.legal_moves(state, seat)), "nobody has a move once it is over")
    check_codec(game, state)
    check_pictures(game, state)


def check_codec(game: AnyGame, state: Any) -> None:
    """Raise unless a state survives being stored."""
    text = _stored(game, state)
    restored = decode(game, text)
    _law(restored == state, f"a stored state comes back equal: {text}")
    _law(encode(game, restored) == text, f"a stored state has one form: {text}")


def _stored(game: AnyGame, state: Any) -> str:
    try:
        return encode(game, state)
    except (TypeError, ValueError) as error:
        raise ConformanceError(f"broken law: a state can be stored: {error}") from error


def check_pictures(game: AnyGame, state: Any) -> None:
    """Raise unless every viewer and style has a well-formed board that fits a mail."""
    _law(len(game.sides(state)) == len(game.info.seats), "every seat's side has a name")
    for style in game.info.styles:
        last = None
        for seat in (None, *range(len(game.info.seats))):
            diagram = game.diagram(state, Viewer(seat, style))
            if diagram == last:  # most games show everybody the same
                continue
            last = diagram
            _check_diagram(diagram)
            width = max(map(len, draw(diagram).split("\n")))
            _law(width <= WIDTH_LIMIT, f"{style} is at most {WIDTH_LIMIT} columns wide")


def _check_diagram(diagram: Diagram) -> None:
    names = [point.name for point in diagram.points]
    _law(len(set(names)) == len(names), "a diagram names each point once")
    pieces = [piece.at for piece in diagram.pieces]
    _law(len(set(pieces)) == len(pieces), "a point holds one piece")
    used = {*pieces, *(mark.at for mark in diagram.marks)}
    used |= {name for line in diagram.lines for name in line.points}
    _law(used <= set(names), f"{sorted(used - set(names))} are points of the diagram")
    _law(all(len(p.symbol) == 1 for p in diagram.pieces), "a piece is one character")
    _law(all(p.height >= 1 for p in diagram.pieces), "a piece is one stone high or higher")
    _law(all(len(line.points) > 1 for line in diagram.lines), "a line has two points or more")
    if diagram.tally:
        figures = {len(row.values) for row in diagram.tally.rows}
        _law(len(figures) == 1, "the rows of a tally are equally long")
        _law(
            figures == {len(diagram.tally.heads)} or not diagram.tally.heads,
            "a tally has a heading for each figure, or none",
        )
    if diagram.plate:
        _law(set(diagram.plate.places) == set(names), "the plate has a place for each point")
    else:
        cells = {(point.column, point.row) for point in diagram.points}
        grid = {(x, y) for x in range(len(diagram.columns)) for y in range(len(diagram.rows))}
        _law(len(cells) == len(names) and cells <= grid, "each point has a cell of its own")


def check_reading(game: AnyGame, examples: int = 120) -> None:
    """Raise unless any text at all gives a legal move or a MoveError with a sentence."""
    states = list(_some_states(game))
    for state in states:
        _check_quoting(_read(game, state, game.to_move(state)[0], _NO_MOVE))

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        report_multiple_bugs=False,  # one broken law, not a group of them
        suppress_health_check=list(HealthCheck),
    )
    @given(st.sampled_from(range(len(states))), _texts(game, states))
    def read(index: int, text: str) -> None:
        state = states[index]
        seat = game.to_move(state)[0]
        found = _read(game, state, seat, text)
        if isinstance(found, MoveError):
            _check_error(found)
        else:
            _law(found in list(game.legal_moves(state, seat)), f"{text!r} gives a legal move")

    read()


def _read(game: AnyGame, state: Any, seat: Seat, text: str) -> Any:
    """Return the move that `text` is read as, or the MoveError that it raises."""
    try:
        return game.parse(state, seat, text)
    except MoveError as error:
        return error
    except Exception as error:
        raise ConformanceError(
            f"broken law: {text!r} gives a legal move or a MoveError, not {error!r}"
        ) from error


_NO_MOVE = "wrzlbrmft QOXUZYP"


def _check_quoting(found: Any) -> None:
    """Raise unless what is no move is repeated by `quote` only: it may be somebody's password."""
    unquoted = re.sub('"[^"]*"', "", str(found)).lower()
    repeated = [word for word in _NO_MOVE.lower().split() if word in unquoted]
    _law(not repeated, f"words that were typed stand in quotation marks only: {found}")


def _check_error(error: MoveError) -> None:
    _law(re.fullmatch(r"[^\n]*[.?]", str(error)), f"{str(error)!r} is a sentence")
    _law(len(str(error)) < 2000, "a sentence is short")
    kind = getattr(error, "kind", None)
    _law(kind, "an error has a kind: one of the subclasses of MoveError is raised")


def _texts(game: AnyGame, states: list[Any]) -> st.SearchStrategy[str]:
    """Return texts of every kind: noise, and legal moves with something wrong about them."""
    moves = [str(m) for s in states for m in game.legal_moves(s, game.to_move(s)[0])]
    notation = "".join(sorted(set("".join(moves)))) + " ,;:-x>?\u2013\u200b\u00a0"
    move = st.sampled_from(moves)
    return st.one_of(
        st.text(max_size=30),
        st.text(alphabet=notation, max_size=24),
        move,
        st.builds(lambda m, n: m[: n % (len(m) + 1)], move, st.integers(0, 40)),
        st.builds(lambda a, b: f"{a}{b}", move, move),
        st.builds(lambda m, junk: f"{m}{junk}", move, st.text(alphabet=notation, max_size=4)),
        st.builds(lambda m, n: m * n, move, st.sampled_from([2, 50, 2000])),
    )


def _some_states(game: AnyGame) -> Iterator[Any]:
    chance = random.Random(1)  # noqa: S311 - reproducible play, no secret
    for _ in range(3):
        state = game.start(game.info.setup())
        for _ in range(chance.randrange(40)):
            yield state
            seat = game.to_move(state)[0]
            state = game.play(state, seat, chance.choice(list(game.legal_moves(state, seat))))
            if not game.to_move(state):
                break


def check_playthroughs(game: AnyGame) -> None:
    """Raise unless playthroughs/*.txt beside the rules replay and reach every reason to end."""
    files = {path.name: path.read_text("utf-8") for path in _playthroughs(game)}
    _law(files, "a game has a playthrough, playthroughs/NAME.txt")
    reached = set()
    for name, text in files.items():
        try:
            transcript = parse_transcript(text)
            play_transcript(game, transcript)
        except TranscriptError as error:
            raise ConformanceError(f"{game.info.key}: {name}, {error}") from error
        reached.add(transcript.reason)
    missing = sorted(set(game.info.reasons) - reached)
    _law(not missing, f"for every reason a playthrough ends by it; none by {', '.join(missing)}")


def _playthroughs(game: AnyGame) -> list[Traversable]:
    folder = _folder(game) / "playthroughs"
    if not folder.is_dir():
        return []
    return sorted((p for p in folder.iterdir() if p.name.endswith(".txt")), key=lambda p: p.name)


def _folder(game: AnyGame) -> Traversable:
    module = inspect.getmodule(type(game)) or sys.modules[type(game).__module__]
    return resources.files(module.__package__ or module.__name__)


def _setups(game: AnyGame, chance: random.Random, matches: int) -> Iterator[Setup]:
    """Yield the default setup, then others drawn from every option."""
    yield game.info.setup()
    for n in range(matches - 1):
        drawn = {option.name: chance.choice(option.choices) for option in game.info.options}
        yield game.info.setup(drawn, seed=n)


def _words(turns: list[Turn]) -> str:
    return " ".join(turn.text for turn in turns)


def _law(holds: object, law: str) -> None:
    if not holds:
        raise ConformanceError(f"broken law: {law}")
