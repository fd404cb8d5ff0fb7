"""Who is kept out: an address, or all addresses of a domain."""

from functools import lru_cache

from pbm.domain.errors import NotUnderstood
from pbm.domain.mailboxes import mailbox, spelled_once
from pbm.domain.player import fold_address, is_address
from pbm.engine import quote


def read_pattern(text: str) -> str:
    """Return the pattern that `text` means: alice@example.com, example.com or @example.com.

    Raises NotUnderstood for anything else.
    """
    pattern = fold_address(text).removeprefix("@").rstrip(".")
    if is_address(pattern if "@" in pattern else f"anybody@{pattern}"):
        return spelled_once(pattern) if "@" in pattern else pattern
    raise NotUnderstood(
        f"{quote(text)} is neither an address like alice@example.com nor a domain like example.com."
    )


# A mail asks twice: what is read ahead for it, and whether it is kept out.
@lru_cache(1000)
def patterns_of(address: str) -> tuple[str, ...]:
    """Return every pattern that keeps `address` out.

    A ban of an address is one of its plus-addresses too, and of the ways to spell it that lead to
    the same mailbox. A ban of a domain is one of the domains below it. All these cost nothing.
    """
    local, _, host = fold_address(address).rpartition("@")
    labels = host.split(".")
    domains = (".".join(labels[start:]) for start in range(len(labels)))
    written = (f"{local}@{host}", f"{local.partition('+')[0]}@{host}")
    return tuple(dict.fromkeys((*written, spelled_once(address), mailbox(address), *domains)))
