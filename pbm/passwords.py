"""Password hashing by argon2id, and the passwords that everybody tries first."""

from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError


class Argon2Passwords:
    """argon2id m=19 MiB t=2 p=1 (OWASP's choice for a server that also does other work)."""

    def __init__(self, *, kibibytes: int = 19 * 1024, passes: int = 2) -> None:
        self._hasher = PasswordHasher(memory_cost=kibibytes, time_cost=passes, parallelism=1)

    def hash(self, password: str) -> str:
        """Return the encoded hash with salt and parameters; takes about 25 ms by default."""
        return self._hasher.hash(password)

    def verify(self, password_hash: str, password: str) -> bool:
        """Return whether `password` matches; takes as long as making the hash."""
        try:
            return self._hasher.verify(password_hash, password)
        except (VerificationError, InvalidHashError):
            return False

    def well_known(self, password: str) -> bool:
        """Return whether everybody tries it first, in any case.

        It is among the 30,000 most frequent ones of leaked lists, or stands in our own examples.
        """
        return password.lower() in _EXAMPLES or password.lower() in _well_known()


_EXAMPLES = frozenset({"your-password", "new-password", "your-new-password", "old-password"})
"""What stands for a password in our mails; people send it as it is."""


@cache
def _well_known() -> frozenset[str]:
    # Only needed when a password is chosen, and slow to import.
    from zxcvbn.frequency_lists import FREQUENCY_LISTS  # noqa: PLC0415

    return frozenset(FREQUENCY_LISTS["passwords"])
