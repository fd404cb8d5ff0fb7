"""Password hashing by argon2id."""

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
