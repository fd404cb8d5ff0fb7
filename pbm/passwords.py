"""Password hashing by argon2id, with the parameters that mail.md measured."""

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError


class Argon2Passwords:
    """argon2id m=19 MiB t=2 p=1 (OWASP's choice for a server that also does other work)."""

    def __init__(self, *, kibibytes: int = 19 * 1024, passes: int = 2) -> None:
        self._hasher = PasswordHasher(memory_cost=kibibytes, time_cost=passes, parallelism=1)

    def hash(self, password: str) -> str:
        """Return the encoded hash, salt and parameters in it; about 25 ms at the usual cost."""
        return self._hasher.hash(password)

    def verify(self, password_hash: str, password: str) -> bool:
        """Return whether `password` is the one; as quick as what made the hash."""
        try:
            return self._hasher.verify(password_hash, password)
        except (VerificationError, InvalidHashError):
            return False
