"""Checks of other files on the disk: the key of the tokens, the program's own parts."""

from pathlib import Path

from pbm.diagnosis.verdict import Verdict, fail, mode_of, ok
from pbm.domain.catalogue import Catalogue
from pbm.engine import AnyGame, Viewer, begin, listing
from pbm.mail.writing.vocabulary import contexts
from pbm.token_keys import KeyFileError, load_keys, stranger


def key_file(path: Path) -> Verdict:
    """Check that the key of the reply tokens exists, is whole, and only its owner can read it."""
    if not path.exists():
        return fail(
            f"there is no {path}; pbm serve creates one at its first start. On a server that has "
            "run before, restore it from the backup, or mails sent until now cannot be answered"
        )
    try:
        load_keys(path)
    except KeyFileError as error:
        return fail(str(error).rstrip("."))
    if mode_of(path) & 0o077:
        return fail(f"others can read {path}, and answer for the players: chmod 600 {path}")
    return ok(f"{path} is whole, and open to its owner only")


def key_of_mails(path: Path, known: tuple[str, ...]) -> Verdict:
    """Check that the latest of the keys `known` to have signed is in the key file."""
    if not known:
        return ok("nothing has been signed yet")
    if not path.exists():
        return fail(f"the key {known[-1][:8]} has signed mails that are out, and {path} is gone")
    if reason := stranger(load_keys(path), known, path):
        return fail(reason.rstrip("."))
    return ok(f"the key {known[-1][:8]}, by which mails were signed, is in {path}")


def games_start(catalogue: Catalogue) -> Verdict:
    """Check that each of the installed games can begin a match."""
    games = list(catalogue)
    broken = [each.why for each in catalogue.broken]
    broken += [text for game in games if (text := _broken(game))]
    if broken:
        return fail("; ".join(broken))
    keys = listing((game.info.key for game in games), last="and")
    return ok(f"{keys} can begin") if games else fail("no game is installed")


def templates_there(folder: Path) -> Verdict:
    """Check that the templates are there, by those of the mails that draw boards or charts."""
    names = [context.template for context in contexts()]
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        return fail(f"install pbm again; {folder} lacks {listing(missing, last='and')}")
    return ok(f"{len(names)} are in {folder}")


def _broken(game: AnyGame) -> str | None:
    """Return what is wrong with a game at its first position; None if nothing is."""
    try:
        position = begin(game, game.info.setup())
        game.diagram(position.state, Viewer())
    except Exception as error:  # noqa: BLE001 - whatever a third-party game does
        return f"{game.info.key} cannot begin: {type(error).__name__}"
    if not game.to_move(position.state):
        return f"in {game.info.key} no side is to move at the beginning"
    return None
