"""Checks of other files on the disk: the key of the tokens, the program's own parts."""

from pathlib import Path

from pbm.diagnosis.verdict import Verdict, fail, mode_of, ok
from pbm.domain.catalogue import Catalogue
from pbm.engine import AnyGame, Viewer, begin, listing
from pbm.mail.writing.vocabulary import contexts
from pbm.secrets_file import KEY_BYTES, load_key


def key_file(path: Path) -> Verdict:
    """Check that the key of the reply tokens exists, is whole, and only its owner can read it."""
    if not path.exists():
        return fail(
            f"there is no {path}; pbm serve creates one at its first start. On a server that has "
            "run before, restore it from the backup, or mails sent until now cannot be answered"
        )
    try:
        length = len(load_key(path))
    except ValueError:
        length = 0
    if length != KEY_BYTES:
        return fail(f"{path} does not hold {KEY_BYTES} bytes in hex: restore it from the backup")
    if mode_of(path) & 0o077:
        return fail(f"others can read {path}, and answer for the players: chmod 600 {path}")
    return ok(f"{path} is whole, and open to its owner only")


def games_start(catalogue: Catalogue) -> Verdict:
    """Check that each of the installed games can begin a match."""
    games = list(catalogue)
    broken = [text for game in games if (text := _broken(game))]
    if broken:
        return fail("; ".join(broken))
    keys = listing((game.info.key for game in games), last="and")
    return ok(f"{keys} can begin") if games else fail("no game is installed")


def templates_there(folder: Path) -> Verdict:
    """Check that every mail has its template."""
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
