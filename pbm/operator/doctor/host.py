"""Checks of this host: the installed package, settings, key files, templates, games, copies, pages.

PyPI has a stranger's package called pbm, with a command `pbm` too.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pbm import system
from pbm.config import Settings
from pbm.domain.catalogue import Catalogue
from pbm.domain.pages import BUILT
from pbm.engine import (
    AnyGame,
    Viewer,
    any_of,
    begin,
    deal,
    did_you_mean,
    frozen,
    listing,
    near,
    quote,
)
from pbm.operator.doctor.verdict import Verdict, fail, mode_of, ok, warn
from pbm.render.templates import COMPILED
from pbm.server import dkim
from pbm.server.token_keys import KeyFileError, load_keys, stranger

OURS = "pbm-server"
_STRANGERS = "pbm"
_AGAIN = f"install {OURS} again from its release files, with --force-reinstall"


def ours() -> Verdict:
    """Check that what runs is the package of this project, and tell where its units are."""
    stranger, installed, running = _find(_STRANGERS), _find(OURS), system.package()
    if stranger is not None:
        return fail(
            f"a package called {_STRANGERS}, {stranger.version}, is installed beside this server "
            f"and may have overwritten parts of it: pip uninstall {_STRANGERS}, then {_AGAIN}"
        )
    if installed is None:
        return warn(f"pbm runs from {running} and is not installed; {_AGAIN}")
    if (place := _place_of(installed)) not in (None, running):
        return fail(f"{OURS} is installed in {place}, but what runs is {running}; {_AGAIN}")
    units = system.folder("deploy")
    return ok(f"{OURS} {installed.version}; its units and examples are in {units}")


def _find(name: str) -> Distribution | None:
    return next(iter(distributions(name=name)), None)


def _place_of(installed: Distribution) -> Path | None:
    """Return the folder into which the package `pbm` was put; None if a tree is only linked."""
    for file in installed.files or ():
        if file.as_posix() == "pbm/__init__.py":
            return Path(str(file.locate())).resolve().parent
    return None


PREFIX = "PBM_"


@frozen
class Written:
    """The sources of settings: the `keys` of `file`, the environment, and all `known` keys."""

    file: Path
    keys: Mapping[str, Any]
    environment: Mapping[str, str]
    known: frozenset[str]

    @property
    def variables(self) -> dict[str, str]:
        """The names of pbm's environment variables by their keys, except PBM_CONFIG."""
        return {
            name.removeprefix(PREFIX).lower(): name
            for name in sorted(self.environment)
            if name.startswith(PREFIX) and name != "PBM_CONFIG"
        }


def settings_file(written: Written) -> Verdict:
    """Check which settings come from the file, and that it reveals no password."""
    beaten = [name for key, name in written.variables.items() if key in written.keys]
    stronger = f"; {listing(beaten, last='and')} in the environment beats it" if beaten else ""
    if not written.file.exists():
        return ok(f"there is no {written.file}; flags, the environment and defaults apply")
    counting = [key for key in written.keys if key in written.known]
    told = f"{written.file} sets {listing(counting, last='and') or 'nothing'}{stronger}"
    if any(map(_has_password, written.keys.values())) and mode_of(written.file) & 0o007:
        return warn(f"{told}. Everybody on this host can read the password in it: chmod o= it")
    return ok(told)


def unknown_names(written: Written) -> Verdict:
    """Check that every key of the file and every PBM_ variable is a setting."""
    strange = [
        f"{written.file} has {quote(key)}.{_meant(key, written.known)}"
        for key in written.keys
        if key not in written.known
    ]
    strange += [
        f"The environment has {name}.{_meant(key, written.known, PREFIX)}"
        for key, name in written.variables.items()
        if key not in written.known
    ]
    if strange:
        return warn(" ".join(["Names that are not settings are ignored.", *strange]))
    return ok("every name is a setting")


def _has_password(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(urlsplit(value).password)
    except ValueError:
        return False


def _meant(key: str, known: Iterable[str], prefix: str = "") -> str:
    """Return " Did you mean address?" for a word that is close to it; "" if none is."""
    names = near(key, known, most=1)
    return did_you_mean(f"{prefix}{name.upper()}" if prefix else name for name in names)


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
    broken = [each.why for each in catalogue.broken if not each.can_wait]
    broken += [text for game in games if (text := _broken(game))]
    if broken:
        return fail("; ".join(broken))
    keys = listing((game.info.key for game in games), last="and")
    return ok(f"{keys} can begin") if games else fail("no game is installed")


def templates_there(folder: Path) -> Verdict:
    """Check that the templates are there, by those of the mails that draw boards."""
    missing = [name for name in COMPILED if not (folder / name).is_file()]
    if missing:
        return fail(f"install pbm again; {folder} lacks {listing(missing, last='and')}")
    return ok(f"{len(COMPILED)} are in {folder}")


def _broken(game: AnyGame) -> str | None:
    """Return what is wrong with a game at its first position; None if nothing is."""
    try:
        position = begin(game, deal(game, game.info.setup(), any_of))
        game.diagram(position.state, Viewer())
    except Exception as error:  # noqa: BLE001 - whatever a third-party game does
        return f"{game.info.key} cannot begin: {type(error).__name__}"
    if not game.to_move(position.state):
        return f"in {game.info.key} no side is to move at the beginning"
    return None


def dkim_key(settings: Settings) -> Verdict:
    """Check that the DKIM key can sign, and that only its owner can read it."""
    path = settings.dkim_key
    if path is None:
        return ok("pbm signs no mails: the relay does, or nobody")
    try:
        key = dkim.load(path)
    except dkim.DkimError as error:
        return fail(str(error).rstrip("."))
    if mode_of(path) & 0o077:
        return fail(f"others can read {path}, and sign in your name: chmod 600 {path}")
    name = dkim.record_name(settings.dkim_selector, settings.domain)
    return ok(f"{path} signs by {key.algorithm}; pbm dkim show prints the record of {name}")


LATE = timedelta(hours=36)
"""The greatest age of the newest copy: a night may be late, but not left out."""


def backups(folder: str | None, now: datetime) -> Verdict:
    """Check that there is a copy of last night."""
    if not folder:
        return warn("no folder for them is configured: set backups (deploy/README.md, Backup)")
    place = Path(folder)
    if not place.is_dir():
        return warn(f"there is no {place}: install -d -o pbm -g pbm -m 700 {place}")
    found = [(file.stat().st_mtime, file) for file in place.glob("pbm-*.d*")]
    if not found:
        return warn(
            f"there is none in {place}: pbm-backup makes one each night, by timer or container"
        )
    modified, file = max(found)
    at = datetime.fromtimestamp(modified, UTC)
    if now - at > LATE:
        return warn(f"the newest, {file}, is of {at:%Y-%m-%d}: does pbm-backup run?")
    return ok(f"the newest is {file}, of {file.stat().st_size // 1000} kB")


_STALE = timedelta(days=1)


def site(folder: str | None, now: datetime) -> Verdict:
    """Check that the web pages have been built of late."""
    if not folder:
        return ok("no folder for web pages is configured")
    state = Path(folder) / BUILT
    if not state.exists():
        return warn(f"there are no web pages in {folder}: does pbm-site run?")
    at = datetime.fromtimestamp(state.stat().st_mtime, UTC)
    if now - at > _STALE:
        return warn(f"the last build, in {folder}, is of {at:%Y-%m-%d}: does pbm-site run?")
    return ok(f"the last build, in {folder}, is of {at:%H:%M} UTC")
