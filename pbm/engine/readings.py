"""The laws of reading and of ending: any text is read, and each call ends soon."""

import contextlib
import random
import re
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbm.engine.chance import after_chance, by_weight
from pbm.engine.errors import MoveError
from pbm.engine.game import AnyGame
from pbm.engine.laws import ConformanceError, law
from pbm.engine.types import Seat
from pbm.system import time_limit
from pbm.system.time_limit import EndlessError, TimeLimit

Ends = Callable[[], AbstractContextManager[None]]
"""Returns a context that raises ConformanceError if the calls inside do not end."""

_NOT_THE_GAME = (Path(__file__).parent, Path(time_limit.__file__), Path(contextlib.__file__))


def ends_within(seconds: float) -> Ends:
    """Return a context that raises ConformanceError after so many seconds of a core."""
    limit = TimeLimit(seconds, look=min(1.0, seconds / 10))

    @contextmanager
    def ends() -> Iterator[None]:
        try:
            with limit():
                yield
        except EndlessError as error:
            told = f"{_call_of(error)} has not ended after {seconds:g} seconds of a core"
            raise ConformanceError(f"broken law: each call of a game ends soon: {told}") from error

    return ends


def _call_of(error: EndlessError) -> str:
    """Return which function of the game was called, and where it was."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if not any(map(Path(f.filename).is_relative_to, _NOT_THE_GAME))]
    if not own:
        return "a call"
    called, last = own[0], own[-1]
    return f"{called.name} (line {last.lineno} of {Path(last.filename).name}, in {last.name})"


OF_OTHERS = 3
"""The number of moves of other positions that are read in each position."""


class _NoEndError(BaseException):
    """A text is read for ever. Hypothesis hands this on at once; it would read others first."""


def check_reading(game: AnyGame, ends: Ends, examples: int = 120) -> None:
    """Raise unless any text at all gives a legal move or a MoveError with a sentence."""
    with ends():
        states = list(_some_states(game))
        moves = [str(m) for s in states for m in game.legal_moves(s, game.to_move(s)[0])]
        chance = random.Random(2)  # noqa: S311 - reproducible play, no secret
        for state in states:
            _check_quoting(read(game, state, game.to_move(state)[0], _NO_MOVE))
            for text in chance.choices(moves, k=OF_OTHERS):
                _check_text(game, state, text)

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        report_multiple_bugs=False,  # one broken law, not a group of them
        suppress_health_check=list(HealthCheck),
    )
    @given(st.sampled_from(range(len(states))), _texts(moves))
    def any_text(index: int, text: str) -> None:
        try:
            with ends():
                _check_text(game, states[index], text)
        except ConformanceError as error:
            if isinstance(error.__cause__, EndlessError):
                raise _NoEndError(f"{error}, reading {text!r}") from error
            raise

    try:
        any_text()
    except _NoEndError as error:
        raise ConformanceError(str(error)) from error


def _check_text(game: AnyGame, state: Any, text: str) -> None:
    seat = game.to_move(state)[0]
    found = read(game, state, seat, text)
    if isinstance(found, MoveError):
        _check_error(found)
    else:
        law(found in list(game.legal_moves(state, seat)), f"{text!r} gives a legal move")


def read(game: AnyGame, state: Any, seat: Seat, text: str) -> Any:
    """Return the move that `text` is read as, or the MoveError that it raises."""
    try:
        return game.parse(state, seat, text)
    except MoveError as error:
        return error
    except EndlessError:
        raise
    except Exception as error:
        raise ConformanceError(
            f"broken law: {text!r} gives a legal move or a MoveError, not {error!r}"
        ) from error


_NO_MOVE = "wrzlbrmft QOXUZYP"


def _check_quoting(found: Any) -> None:
    """Raise unless what is no move is repeated by `quote` only: it may be somebody's password."""
    unquoted = re.sub('"[^"]*"', "", str(found)).lower()
    repeated = [word for word in _NO_MOVE.lower().split() if word in unquoted]
    law(not repeated, f"words that were typed stand in quotation marks only: {found}")


def _check_error(error: MoveError) -> None:
    law(re.fullmatch(r"[^\n]*[.?]", str(error)), f"{str(error)!r} is a sentence")
    law(len(str(error)) < 2000, "a sentence is short")
    kind = getattr(error, "kind", None)
    law(kind, "an error has a kind: one of the subclasses of MoveError is raised")


def _texts(moves: list[str]) -> st.SearchStrategy[str]:
    """Return texts of every kind: noise, and legal moves with something wrong about them."""
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
        state, _ = after_chance(game, game.start(game.info.setup()), by_weight(chance))
        for _ in range(chance.randrange(40)):
            yield state
            seat = game.to_move(state)[0]
            state = game.play(state, seat, chance.choice(list(game.legal_moves(state, seat))))
            state, _ = after_chance(game, state, by_weight(chance))
            if not game.to_move(state):
                break
