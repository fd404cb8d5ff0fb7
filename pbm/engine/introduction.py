"""The laws of how a game introduces itself: its GameInfo, and its help page."""

import re

from pbm.engine.errors import GameError
from pbm.engine.game import AnyGame
from pbm.engine.laws import ConformanceError, folder_of, law
from pbm.engine.notation import fold
from pbm.engine.picture import WIDTH_LIMIT
from pbm.engine.reserved import is_reserved
from pbm.engine.transcript import TranscriptError, parse_transcript, play_transcript
from pbm.engine.types import Option

_NAME = re.compile(r"[a-z][a-z0-9_]{1,19}")
_EXAMPLE = re.compile(r"^```transcript\n(.*?)^```", re.MULTILINE | re.DOTALL)

_NOT_SIDES = frozenset({"draw", "open", "random", "given"})
"""Words of playthroughs and challenges that stand where a side can."""


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
    law(len(info.seats) >= 2, "a match has two seats or more")
    law(len(info.signs) == len(info.seats), "each seat has a sign")
    law(all(len(sign) <= 1 for sign in info.signs), "a sign is one character, or none")
    signs = [sign for sign in info.signs if sign]
    law(len({*signs}) == len(signs), "the sides' signs differ")
    _check_sides(info.seats)
    law(info.styles and info.reasons, "there is a style and a reason to end")
    _check_earlier(game)
    _check_options(info.options)
    start = game.start(info.setup())
    firsts = [str(move) for seat in game.to_move(start) for move in game.legal_moves(start, seat)]
    law(info.example in firsts, f"the example {info.example!r} is a canonical first move")
    law((folder_of(game) / "help.md").is_file(), "a help page, help.md, stands beside the rules")


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
        free = _NAME.fullmatch(option.name) and option.name != "seed"
        law(free, f"{option.name!r} can be typed as an option, and is not seed")
        texts = all(isinstance(choice, str) for choice in (option.default, *option.choices))
        law(texts, f"the choices of {option.name} are texts, as they are typed")
        law(option.default in option.choices, f"the default of {option.name} is a choice")
        folded = {fold(choice) for choice in option.choices}
        law(len(folded) == len(option.choices), f"the choices of {option.name} differ in any case")
        law(not any(" " in each for each in folded), f"a choice of {option.name} is one word")
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
