"""The laws that every game must keep, as one call: what a game author's test runs.

    from pbm.engine.conformance import check
    from mygame import game

    def test_my_game_keeps_the_laws() -> None:
        check(game)

Unlike the rest of the engine it makes random choices (from the seed it is given), needs a
third-party package, hypothesis: `pip install 'pbm-server[conformance]'`, starts a process, and
reads files, the game's playthroughs and help page, beside its rules.
"""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from importlib.resources.abc import Traversable
from typing import Any

from pbm.engine.chance_laws import drawn
from pbm.engine.elsewhere import check_elsewhere
from pbm.engine.errors import MoveError
from pbm.engine.game import AnyGame, decode, encode
from pbm.engine.hidden_laws import check_announced, check_hidden
from pbm.engine.laws import (
    ConformanceError,
    check_help,
    check_info,
    check_pictures,
    folder_of,
    is_reserved,
    law,
)
from pbm.engine.readings import Ends, check_reading, ends_within, read
from pbm.engine.replay import LEAVES, Turn, is_swap, replay
from pbm.engine.sealed_laws import check_sealed
from pbm.engine.transcript import TranscriptError, parse_transcript, play_transcript
from pbm.engine.types import Result, Seat, Setup
from pbm.system.time_limit import EndlessError

__all__ = ["ConformanceError", "check", "check_help", "check_info", "check_playthroughs"]

ELSEWHERE = 2
"""The number of matches that are replayed in another process."""

SAMPLE = 6
"""The number of moves of each position that are read back; all of them would take too long."""


def check(
    game: AnyGame, *, seed: int = 0, matches: int = 12, plies: int = 250, seconds: float = 30.0
) -> None:
    """Raise ConformanceError unless `game` keeps every law.

    Plays `matches` random matches of at most `plies` plies over the game's options, from
    `seed`; then reads arbitrary texts, and replays the playthroughs beside the rules. What is asked
    of the game at one position must not take more than so many `seconds` of a core.
    """
    ends = ends_within(seconds)
    with ends():
        check_info(game)
    chance = random.Random(seed)  # noqa: S311 - reproducible play, no secret
    played = [
        check_match(game, setup, chance, plies, ends) for setup in _setups(game, chance, matches)
    ]
    check_elsewhere(game, played[:ELSEWHERE])
    check_reading(game, ends)
    with ends():
        check_playthroughs(game)
    with ends():
        check_help(game)


def check_match(
    game: AnyGame, setup: Setup, chance: random.Random, plies: int, ends: Ends
) -> tuple[Setup, list[Turn]]:
    """Return a random match, as dealt and its turns; raise unless each position keeps every law."""
    turns: list[Turn] = []
    try:
        setup = _play_match(game, setup, chance, plies, turns, ends)
    except Exception as error:
        options = "".join(f" {name}={value}" for name, value in setup.options.items())
        told = f", with the moves {_words(turns)}" if turns else ", at the beginning"
        error.add_note(f"In a match of {game.info.key}{options}{told}")
        raise
    return setup, turns


def _play_match(
    game: AnyGame, setup: Setup, chance: random.Random, plies: int, turns: list[Turn], ends: Ends
) -> Setup:
    """Play a random match, whose turns are added to `turns`; return its setup as it was dealt."""
    with ends():
        first = game.start(setup)
        law(game.start(setup) == first, "a match with the same options begins alike")
        named = len(game.sides(first)) == game.info.players(setup)
        law(named, "the side of every seat of the match has a name")
        state, dealt = drawn(game, first, chance)
        setup = replace(setup, dealt=dealt)
        goes_on = bool(game.to_move(state))
    while goes_on and len(turns) < plies:
        with ends():
            state = _play_turn(game, state, chance, turns)
            goes_on = bool(game.to_move(state))
    with ends():
        check_end(game, state)
        *_, last = replay(game, setup, turns)
        law(last.state == state, f"a replay of {_words(turns)} gives the same position")
    return setup


def _play_turn(game: AnyGame, state: Any, chance: random.Random, turns: list[Turn]) -> Any:
    """Return the state after a random turn, which is added to `turns`."""
    before = _stored(game, state)
    seat, move = check_position(game, state, chance)
    turns.append(Turn(seat, str(move)))  # now, to be told if play fails
    after = game.play(state, seat, move)
    law(encode(game, state) == before, f"play leaves the position before {move} as it was")
    law(game.play(state, seat, move) == after, f"{move} always leads to the same position")
    after, outcomes = drawn(game, after, chance)
    if outcomes:
        turns[-1] = Turn(seat, f"{move} [{' '.join(outcomes)}]")
    return after


def check_position(game: AnyGame, state: Any, chance: random.Random) -> tuple[Seat, Any]:
    """Raise unless the laws hold in `state`; return a random seat and move to go on with."""
    check_end(game, state)
    check_codec(game, state)
    check_pictures(game, state)
    check_sealed(game, state, chance)
    check_hidden(game, state, chance)
    check_leaving(game, state)
    to_move = game.to_move(state)
    for seat in range(len(game.sides(state))):
        if seat not in to_move:
            law(not list(game.legal_moves(state, seat)), f"seat {seat}, not to move, has no move")
    choices: list[tuple[Seat, Any]] = []
    for seat in to_move:
        moves = list(game.legal_moves(state, seat))
        check_moves(game, state, seat, moves, chance)
        choices += [(seat, move) for move in moves]
    return chance.choice(choices)


def check_leaving(game: AnyGame, state: Any) -> None:
    """Raise unless a seat that has left is never to move; of two, the other wins."""
    seats = range(len(game.sides(state)))
    for seat in seats if len(seats) > 2 else ():
        after = game.leave(state, seat)
        if after is not None:
            law(seat not in game.to_move(after), f"seat {seat} has left, and is not to move")
            check_codec(game, after)


def check_moves(
    game: AnyGame, state: Any, seat: Seat, moves: list[Any], chance: random.Random
) -> None:
    """Raise unless there are legal moves, each once, in a stable order, that can be read back."""
    names = [str(move) for move in moves]
    law(names, f"seat {seat}, to move, has a legal move in {encode(game, state)}")
    law(len(set(names)) == len(names), f"each move is listed once: {names}")
    law(names == [str(m) for m in game.legal_moves(state, seat)], "the order of moves is stable")
    for name in names:
        _check_name(name, game.info.key, *game.info.aliases)
    for move in chance.sample(moves, min(SAMPLE, len(moves))):
        check_announced(game, state, seat, move)
        for text in (str(move), str(move).upper(), f" {str(move).lower()}\u00a0"):
            found = read(game, state, seat, text)
            law(found == move, f"{text!r} is read as {move}; it gives: {found}")
        made_up = read(game, state, seat, f"{move} [4]")
        law(isinstance(made_up, MoveError), f"nobody throws for themselves: {move} [4] is refused")


@lru_cache(10_000)
def _check_name(name: str, *games: str) -> None:
    """Raise unless a move may be called this; most positions have the moves of the last one."""
    law(not is_swap(name) and name != LEAVES, f"{name} is the server's word")
    law(not {*"[]{}"} & {*name}, f"brackets are for what is drawn, not for {name}")
    free = not is_reserved(name, *games)
    law(free, f"{name!r} begins with no command, no game's name and no plain number")


def check_end(game: AnyGame, state: Any) -> None:
    """Raise unless the game is over exactly when it has a result, and the result is well formed."""
    result = game.result(state)
    law(bool(game.to_move(state)) == (result is None), "nobody is to move <=> there is a result")
    if result is None:
        return
    law(result.reason in game.info.reasons, f"the reason {result.reason!r} is explained")
    seats = range(len(game.sides(state)))
    law(all(seat in seats for seat in result.winners), "winners are seats")
    law(len({*result.winners}) == len(result.winners), "each winner is named once")
    law(len(result.scores or seats) == len(seats), "each seat has a score, or none has")
    if result.places is not None:
        law(len(result.places) == len(seats), "each seat has a place, or none has")
        ranked = Result.ranked([-place for place in result.places], result.reason, result.scores)
        law(result == ranked, "a place is 1 more than the seats before it; at 1 are the winners")
    for seat in seats:
        law(not list(game.legal_moves(state, seat)), "nobody has a move once it is over")
    check_codec(game, state)
    check_pictures(game, state)


def check_codec(game: AnyGame, state: Any) -> None:
    """Raise unless a state survives being stored."""
    text = _stored(game, state)
    try:
        restored = decode(game, text)
    except EndlessError:
        raise
    except Exception as error:
        raise ConformanceError(
            f"broken law: a stored state comes back, not {error!r}: {text}; a game says what its "
            "state is, as in `class Rules(BaseGame[State, str])`, or has a `load` of its own"
        ) from error
    law(restored == state, f"a stored state comes back equal: {text}")
    law(encode(game, restored) == text, f"a stored state has one form: {text}")


def _stored(game: AnyGame, state: Any) -> str:
    try:
        return encode(game, state)
    except (TypeError, ValueError) as error:
        raise ConformanceError(f"broken law: a state can be stored: {error}") from error


def check_playthroughs(game: AnyGame) -> None:
    """Raise unless playthroughs/*.txt beside the rules replay and reach every reason to end."""
    files = {path.name: path.read_text("utf-8") for path in _playthroughs(game)}
    law(files, "a game has a playthrough, playthroughs/NAME.txt")
    reached = set()
    for name, text in files.items():
        try:
            transcript = parse_transcript(text)
            play_transcript(game, transcript)
        except TranscriptError as error:
            raise ConformanceError(f"{game.info.key}: {name}, {error}") from error
        reached.add(transcript.reason)
    missing = sorted(set(game.info.reasons) - reached)
    law(not missing, f"for every reason a playthrough ends by it; none by {', '.join(missing)}")


def _playthroughs(game: AnyGame) -> list[Traversable]:
    folder = folder_of(game) / "playthroughs"
    if not folder.is_dir():
        return []
    return sorted((p for p in folder.iterdir() if p.name.endswith(".txt")), key=lambda p: p.name)


def _setups(game: AnyGame, chance: random.Random, matches: int) -> Iterator[Setup]:
    """Yield the default setup, then others drawn from every option."""
    yield game.info.setup()
    for _ in range(matches - 1):
        options = {option.name: chance.choice(option.choices) for option in game.info.options}
        yield game.info.setup(options)


def _words(turns: list[Turn]) -> str:
    return " ".join(turn.text for turn in turns)
