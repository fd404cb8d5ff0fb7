"""Chess, where the package of that name is installed."""

from importlib.util import find_spec

from pbm.engine import MissingPackageError

if find_spec("chess") is None:
    raise MissingPackageError(
        "Chess is not offered: it needs the package chess, which pip install 'pbm-server[chess]' "
        "brings."
    )

from .rules import game

__all__ = ["game"]
