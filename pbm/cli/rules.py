"""`pbm games`, `rules`, `commands` and `new-game`: the games that are installed, and new ones."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbm.cli.completion import complete_game
from pbm.cli.options import json_option, setting, with_settings
from pbm.cli.printing import Noun, as_json, echo, echo_json
from pbm.config import Settings
from pbm.engine import (
    SWAP,
    AnyGame,
    Draw,
    MoveError,
    Position,
    Setup,
    Turn,
    Viewer,
    advance,
    begin,
    by_weight,
    deal,
    may_swap,
    parse_transcript,
    repeat,
)
from pbm.engine import draw as picture_of
from pbm.engine.transcript import TurnStep
from pbm.system import folder

if TYPE_CHECKING:
    from pbm.domain.catalogue import Catalogue


@click.command()
@json_option
def games(as_json: bool) -> None:
    """List the installed games with their options."""
    from pbm.plugins import GameLoadError, installed_games

    catalogue = installed_games()
    if as_json:
        echo_json([_plain(game) for game in catalogue])
    else:
        _list(catalogue)
        for each in catalogue.broken:
            if each.can_wait:
                echo(each.why)
    if wrong := [each.why for each in catalogue.broken if not each.can_wait]:
        raise GameLoadError(" ".join(wrong))


def _list(catalogue: Catalogue) -> None:
    from pbm.domain.catalogue import by_family

    for family, members in by_family(catalogue):
        echo(f"{family.capitalize()}:")
        for game in members:
            info = game.info
            names = ", ".join(info.aliases)
            echo(f"{info.key:<10} {info.title}" + (f" (also {names})" if names else ""))
            echo(f"{'':<10}   {info.summary}")
            for option in info.options:
                echo(f"{'':<10}   {option.name}={option.default}  {option.help}")


def _plain(game: AnyGame) -> dict[str, Any]:
    info = game.info
    return {
        "key": info.key,
        "title": info.title,
        "family": info.family,
        "summary": info.summary,
        "aliases": info.aliases,
        "seats": info.seats,
        "rules_version": info.rules_version,
        "swap_after": info.swap_after,
        "styles": info.styles,
        "reasons": dict(info.reasons),
        "options": [
            {"name": o.name, "default": o.default, "choices": o.choices, "help": o.help}
            for o in info.options
        ],
    }


@click.command()
@with_settings
def commands(settings: Settings) -> None:
    """Print the reference of all commands that players can write."""
    from pbm.features.help import page
    from pbm.mail.writing.letters import LetterWriter
    from pbm.plugins import installed_games
    from pbm.render.templates import Templates

    reference = page("nobody@example.org", "reference", installed_games())
    writer = LetterWriter(Templates(folder("templates")), settings.address)
    echo(writer.written(reference).text)


@click.group(cls=Noun)
def rules() -> None:
    """Try the rules of a game."""


@rules.command()
@click.argument("game", shell_complete=complete_game)
@setting("--option", "options", multiple=True, metavar="NAME=VALUE", help="A game option.")
@setting("--seed", default=0, type=int, help="The same seed gives the same draws.")
@setting("--no-legal", is_flag=True, help="Leave out the legal moves.")
@setting(
    "--playthrough", is_flag=True, help="Read a playthrough, as pbm game record --text prints."
)
def trace(
    game: str, options: tuple[str, ...], seed: int, no_legal: bool, playthrough: bool
) -> None:
    """Play moves from standard input and print the positions as JSON.

    The input has one move per line. The output has one line of JSON for the start and one after
    each move. Where the pie rule applies, `swap` is the last legal move. An illegal move prints
    an error and does not change the position. In a game of chance a move may say what comes after
    it, as in `b5-c5 [4]`; otherwise that is drawn. A playthrough sets its own options.
    """
    from pbm.plugins import installed_game

    engine = installed_game(game)
    turns: Iterable[str] = sys.stdin
    draw = by_weight(random.Random(seed))  # noqa: S311 - reproducible play, no secret
    setup = deal(engine, engine.info.setup(read_pairs(options)), draw)
    if playthrough:
        played = parse_transcript(sys.stdin.read())
        setup = engine.info.setup(played.options, played.dealt)
        turns = [step.text for step in played.steps if isinstance(step, TurnStep)]
    for line in _trace(engine, setup, turns, draw, legal=not no_legal):
        echo(as_json(line, indent=None))


def read_pairs(options: tuple[str, ...]) -> dict[str, str]:
    """Return NAME=VALUE words as a mapping; raise a usage error for anything else."""
    pairs = [option.partition("=") for option in options]
    for name, sign, _ in pairs:
        if not (name and sign):
            raise click.BadParameter(f"{name!r} is not NAME=VALUE")
    return {name: value for name, _, value in pairs}


def _trace(game: AnyGame, setup: Setup, turns: Iterable[str], draw: Draw, *, legal: bool) -> Any:
    position = begin(game, setup)
    yield _position(game, position, legal=legal)
    for line in turns:
        text = line.strip()
        if not text:
            continue
        seat = next(iter(game.to_move(position.state)), 0)
        try:
            if text.endswith("]"):
                position, _ = repeat(game, position, Turn(seat, text))
            else:
                position, _ = advance(game, position, seat, text, draw)
        except MoveError as error:
            yield {
                "ply": position.ply,
                "error": error.kind,
                "message": str(error),
                "candidates": list(error.candidates),
            }
        else:
            yield _position(game, position, legal=legal)


def _position(game: AnyGame, position: Position[Any], *, legal: bool) -> dict[str, Any]:
    state = position.state
    seats = game.to_move(state)
    result = game.result(state)
    line: dict[str, Any] = {"ply": position.ply, "to_move": list(seats)}
    if legal:
        moves = (move for seat in seats for move in game.legal_moves(state, seat))
        swap = [SWAP] if may_swap(game, position) else []
        line["legal"] = [str(move) for move in moves] + swap
    line["result"] = result and {
        "winners": list(result.winners),
        "reason": result.reason,
        "scores": None if result.scores is None else list(result.scores),
    }
    line["board"] = picture_of(game.diagram(state, Viewer()))
    return line


_NEXT_IN_PACKAGE = """
It is a small game that works. In the environment that pbm is installed in:

  pip install -e 'pbm-{key}[test]'
  pytest pbm-{key}
  pbm dev rules trace {key}"""

_NEXT_IN_TREE = """
It is a small game that works:

  pytest tests/games/test_games.py -k {key}
  pbm dev rules trace {key}"""


@click.command("new-game")
@click.argument("key")
@setting("--in-tree", is_flag=True, help="Write games/KEY into the source tree of pbm instead.")
def new_game(key: str, in_tree: bool) -> None:
    """Write the skeleton of a game: a package in ./pbm-KEY.

    KEY is the name that players type. The skeleton is a small game that can be played at once and
    passes its tests. Replace it rule by rule with your own game.
    """
    from pbm.cli.scaffold import write_in_tree, write_package
    from pbm.plugins import installed_games

    taken = installed_games().names
    here = Path()
    written = write_in_tree(key, here, taken) if in_tree else write_package(key, here, taken)
    for path in written:
        echo(path)
    echo((_NEXT_IN_TREE if in_tree else _NEXT_IN_PACKAGE).format(key=key))
