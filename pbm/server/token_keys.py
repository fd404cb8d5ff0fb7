"""The keys of the reply tokens: the file that has them, and what a running server uses of it.

A line of the file is a key in hex and, behind a space, the time from which it signs. The newest
comes first. The first key of all has no time. Earlier versions wrote a file of one such line.

A new key is written some time before it signs. So every process, on every host that has the file
or gets a copy of it, can read its tokens before there are any. A key that was replaced still counts
for as long as most tokens do. Then it is left out, and the next rotation takes it from the file.

The database remembers the fingerprint of each key that has signed. So a server notices a key file
that is not the one that signed the mails that are out, before it signs anything by another key.
Otherwise an empty file system in the place of the right one would make a new key in silence.
"""

import hashlib
import logging
import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path

from pbm import system
from pbm.core.tokens import TokenMint
from pbm.engine import frozen
from pbm.errors import PlainError
from pbm.store.errors import Conflict
from pbm.store.unit import OpenUnit

KEY_BYTES = 32

BEFORE_SIGNING = timedelta(minutes=10)
"""The time from writing a new key to signing with it; servers read the file once a minute."""

KEPT = timedelta(days=90)
"""The time for which a replaced key is valid. An older token proves nothing but a move."""


class KeyFileError(PlainError):
    """A key file that cannot be used; `str()` is a sentence for the operator."""


@frozen
class Key:
    """A key of reply tokens, which signs from `since` on, or from the beginning if that is None."""

    secret: bytes = field(repr=False)
    since: datetime | None = None

    @property
    def fingerprint(self) -> str:
        """A name that reveals nothing about the key: 16 hex digits."""
        return hashlib.sha256(b"pbm key fingerprint" + self.secret).hexdigest()[:16]

    def signs(self, now: datetime) -> bool:
        """Return whether its time has come."""
        return self.since is None or self.since <= now


@frozen
class KeyRing:
    """The keys of a file, the newest first; there is one at least."""

    keys: tuple[Key, ...]

    def signing(self, now: datetime) -> Key:
        """Return the key that signs: the newest whose time has come."""
        return next((key for key in self.keys if key.signs(now)), self.keys[-1])

    def in_force(self, now: datetime) -> tuple[Key, ...]:
        """Return the keys whose tokens count, the one that signs first."""
        first = self.signing(now)
        replaced = [now] + [key.since or now for key in self.keys[:-1]]
        kept = [
            key
            for key, until in zip(self.keys, replaced, strict=True)
            if key is not first and (not key.signs(now) or now < until + KEPT)
        ]
        return (first, *kept)


def load_keys(path: Path) -> KeyRing:
    """Return the keys in `path`; raise OSError if it cannot be read, KeyFileError if damaged.

    If it is another user's, KeyFileError says so.
    """
    try:
        lines = path.read_text("ascii", "replace").split("\n")
    except PermissionError as reason:
        raise KeyFileError(_whose(path)) from reason
    try:
        keys = tuple(_read(line) for line in lines if line.strip())
    except ValueError:
        keys = ()
    if not keys:
        raise KeyFileError(
            f"{path} does not hold keys of {KEY_BYTES} bytes in hex: restore it from the backup."
        )
    return KeyRing(keys)


def _whose(path: Path) -> str:
    """Return a sentence about a file that this user may not read. Raises OSError."""
    owner, user = map(system.user_name, (path.stat().st_uid, os.geteuid()))
    return (
        f"The key file {path} belongs to {owner} and cannot be read by {user}: "
        f"chown {user} {path}, chmod 600 {path}."
    )


def load_or_create(path: Path) -> KeyRing:
    """Return the keys in `path`; create one and sync it to disk first if there is no file.

    Two processes that start at once get the same key: the file appears complete, by a link
    that fails if another process was faster. Raises OSError if the folder cannot be written.
    """
    if not path.exists():
        system.make_folder(path.parent)
        fresh = _written(path, (_new(None),))
        with suppress(FileExistsError):
            os.link(fresh, path)
        fresh.unlink()
        system.sync(path.parent)
    return load_keys(path)


def rotate(path: Path, now: datetime) -> Key:
    """Put a new key into the file, which signs soon, and take out what no longer counts.

    Returns the new key. Raises KeyFileError while an earlier one has not begun to sign.
    """
    with system.alone_in(path.parent):
        ring = load_keys(path)
        if not ring.keys[0].signs(now):
            raise KeyFileError(
                f"The key {ring.keys[0].fingerprint[:8]} is new and does not sign yet; rotate "
                "again when it does."
            )
        fresh = _new(now + BEFORE_SIGNING)
        _written(path, (fresh, *ring.in_force(now))).replace(path)
        system.sync(path.parent)
    return fresh


def replace_all(path: Path) -> tuple[Key, Path | None]:
    """Put one new key in the place of all; return it, and where the old file is now, if any was."""
    system.make_folder(path.parent)
    with system.alone_in(path.parent):
        aside = path.with_name(f"{path.name}.old-{secrets.token_hex(4)}") if path.exists() else None
        if aside:
            os.link(path, aside)
        fresh = _new(None)
        _written(path, (fresh,)).replace(path)
        system.sync(path.parent)
    return fresh, aside


def _new(since: datetime | None) -> Key:
    return Key(secrets.token_bytes(KEY_BYTES), since and since.replace(microsecond=0))


def _read(line: str) -> Key:
    """Return the key of a line; raise ValueError if it is none."""
    word, _, since = line.strip().partition(" ")
    key = Key(bytes.fromhex(word), datetime.fromisoformat(since) if since else None)
    if len(key.secret) != KEY_BYTES or (key.since and key.since.tzinfo is None):
        raise ValueError
    return key


def _written(path: Path, keys: tuple[Key, ...]) -> Path:
    """Write these keys to a new file beside `path`, synced to disk, and return it."""
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    lines = [
        f"{key.secret.hex()} {key.since.isoformat()}" if key.since else key.secret.hex()
        for key in keys
    ]
    system.write_durably(fresh, ("\n".join(lines) + "\n").encode(), new=True)
    return fresh


log = logging.getLogger("pbm")


@dataclass(eq=False)
class Keychain:
    """The keys in the file `path`, and what the database knows of them."""

    path: Path
    open_unit: OpenUnit
    open_reading: OpenUnit
    clock: Callable[[], datetime]
    _trouble: str = ""

    @cached_property
    def mint(self) -> TokenMint:
        """The mint of this process. Raises KeyFileError if the file is not the one that signed.

        On a server that has signed nothing yet, a file that is missing is made.
        """
        known = self._known()
        if known and not self.path.exists():
            raise KeyFileError(f"There is no key file {self.path}, and mails are out. {_REMEDY}")
        ring = load_or_create(self.path)
        if reason := stranger(ring, known, self.path):
            raise KeyFileError(reason)
        return TokenMint(*_secrets(ring, self.clock()))

    def renew(self) -> None:
        """Take over what has changed in the file, or with time; remember the key that signs.

        Trouble with the file is logged once, and the keys stay as they are. Do not call it within a
        unit of work.
        """
        mint, known = self.mint, self._known()
        try:
            ring = load_keys(self.path)
        except (OSError, KeyFileError) as error:
            self._tell(str(error))
            return
        trouble = stranger(ring, known, self.path)
        if not trouble:
            mint.use(*_secrets(ring, self.clock()))
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
        with self.open_reading() as work:
            return work.token_keys.all()

    def _remember(self, ring: KeyRing, known: tuple[str, ...]) -> None:
        now = self.clock()
        fingerprint = ring.signing(now).fingerprint
        if fingerprint not in known:
            # If somebody else is first, the next round will do.
            with suppress(Conflict), self.open_unit() as work:
                work.token_keys.add(fingerprint, now)
                work.commit()


_REMEDY = (
    "Restore it from the backup. If it is lost for good, say pbm key new: then replies to those "
    "mails prove nothing any more."
)


def stranger(ring: KeyRing, known: tuple[str, ...], path: Path) -> str:
    """Return a sentence if `ring` lacks the latest of the keys `known` to have signed, else ""."""
    if not known or known[-1] in {key.fingerprint for key in ring.keys}:
        return ""
    return (
        f"The key file {path} is not the one that signed the mails that are out (by the key "
        f"{known[-1][:8]}). {_REMEDY}"
    )


def _secrets(ring: KeyRing, now: datetime) -> tuple[bytes, ...]:
    return tuple(key.secret for key in ring.in_force(now))
