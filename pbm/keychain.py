"""The keys of the reply tokens as a running server has them: checked, and renewed as time goes by.

The database remembers the fingerprint of each key that has signed. So a key file that is not the
one that signed the mails that are out is noticed, before anything is signed by another key. An
empty file system in the place of the right one would otherwise make a new key in silence.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from pathlib import Path

from pbm.secrets_file import KeyFileError, KeyRing, load_keys, load_or_create
from pbm.service.ports import Conflict, OpenUnit
from pbm.service.tokens import TokenMint

log = logging.getLogger("pbm")


class Keychain:
    """The keys in the file `path`, and what the database knows of them."""

    def __init__(
        self, path: Path, open_unit: OpenUnit, open_reading: OpenUnit, clock: Callable[[], datetime]
    ) -> None:
        self._path = path
        self._open_unit = open_unit
        self._open_reading = open_reading
        self._clock = clock
        self._trouble = ""

    @cached_property
    def mint(self) -> TokenMint:
        """The mint of this process. Raises KeyFileError if the file is not the one that signed.

        On a server that has signed nothing yet, a file that is missing is made.
        """
        known = self._known()
        if known and not self._path.exists():
            raise KeyFileError(f"There is no key file {self._path}, and mails are out. {_REMEDY}")
        ring = load_or_create(self._path)
        if reason := stranger(ring, known, self._path):
            raise KeyFileError(reason)
        return TokenMint(*_secrets(ring, self._clock()))

    def renew(self) -> None:
        """Take over what has changed in the file, or with time; remember the key that signs.

        Trouble with the file is told once, and the keys stay as they are. Not to be called within
        a unit of work.
        """
        mint, known = self.mint, self._known()
        try:
            ring = load_keys(self._path)
        except (OSError, KeyFileError) as error:
            self._tell(str(error))
            return
        trouble = stranger(ring, known, self._path)
        if not trouble:
            mint.use(*_secrets(ring, self._clock()))
            self._remember(ring, known)
        self._tell(trouble)

    def _tell(self, trouble: str) -> None:
        """Log trouble with the file when it begins, and when it is over."""
        if trouble and trouble != self._trouble:
            log.error("the keys stay as they were: %s", trouble)
        elif self._trouble and not trouble:
            log.warning("the key file is in order again")
        self._trouble = trouble

    def _known(self) -> tuple[str, ...]:
        with self._open_reading() as work:
            return work.token_keys.all()

    def _remember(self, ring: KeyRing, known: tuple[str, ...]) -> None:
        now = self._clock()
        fingerprint = ring.signing(now).fingerprint
        if fingerprint not in known:
            # If somebody else is first, the next round will do.
            with suppress(Conflict), self._open_unit() as work:
                work.token_keys.add(fingerprint, now)
                work.commit()


_REMEDY = (
    "Restore it from the backup. If it is lost for good, say pbm key new: then replies to those "
    "mails prove nothing any more."
)


def stranger(ring: KeyRing, known: tuple[str, ...], path: Path) -> str:
    """Return what to say if `ring` lacks the latest of the keys `known` to have signed; else ""."""
    if not known or known[-1] in {key.fingerprint for key in ring.keys}:
        return ""
    return (
        f"The key file {path} is not the one that signed the mails that are out (by the key "
        f"{known[-1][:8]}). {_REMEDY}"
    )


def _secrets(ring: KeyRing, now: datetime) -> tuple[bytes, ...]:
    return tuple(key.secret for key in ring.in_force(now))
