"""Checks of what the operator wrote: which settings apply, and which names are not settings."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pbm.diagnosis.verdict import Verdict, mode_of, ok, warn
from pbm.engine import did_you_mean, listing, near, quote

PREFIX = "PBM_"


@dataclass(frozen=True, slots=True)
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
