"""Check of the program itself: PyPI has a stranger's package of the name pbm, with a `pbm` too."""

from importlib.metadata import Distribution, distributions
from pathlib import Path

from pbm import system
from pbm.diagnosis.verdict import Verdict, fail, ok, warn

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
