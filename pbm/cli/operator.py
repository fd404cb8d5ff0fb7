"""Who runs this command: the name that the audit keeps, and whether they may."""

import os
import pwd
from collections.abc import Mapping

from pbm.config import ConfigError

_NOT_AS_ROOT = (
    "This would run as root, who could spoil the files of the user that pbm runs as, and whom a "
    "mistake in pbm would hand the whole host. Run it as that user (sudo -u pbm pbm ...), or say "
    "--as-root (PBM_AS_ROOT=1) if root is who runs pbm here."
)


def refuse_root(uid: int, *, told: bool) -> None:
    """Raise ConfigError if `uid` is root's, unless the operator has `told` us to go on."""
    if uid == 0 and not told:
        raise ConfigError(_NOT_AS_ROOT)


def login_name(uid: int, environment: Mapping[str, str]) -> str:
    """Return the name of the user with this `uid`, and who became that user by sudo.

    The name does not come from the environment, where anybody can write what they like.
    """
    try:
        name = pwd.getpwuid(uid).pw_name
    except KeyError:
        name = str(uid)
    by_sudo = environment.get("SUDO_USER", "")
    return f"{name} ({by_sudo} by sudo)" if by_sudo else name


def this_operator() -> str:
    """Return who runs this process."""
    return login_name(os.getuid(), os.environ)
