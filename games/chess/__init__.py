"""Chess, where the package of that name is installed."""

from pbm.engine import MissingPackageError

try:
    from .rules import game
except ModuleNotFoundError as error:
    raise MissingPackageError(
        "Chess is not offered: it needs the package chess, which pip install 'pbm-server[chess]' "
        "brings."
    ) from error

__all__ = ["game"]
