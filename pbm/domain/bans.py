"""Who is kept out: an address, or all addresses of a domain."""

from pbm.domain.errors import NotUnderstood
from pbm.domain.player import fold_address, is_address
from pbm.engine import quote


def read_pattern(text: str) -> str:
    """Return the pattern that `text` means: alice@example.com, example.com or @example.com.

    Raises NotUnderstood for anything else.
    """
    pattern = fold_address(text).removeprefix("@").rstrip(".")
    if is_address(pattern if "@" in pattern else f"anybody@{pattern}"):
        return pattern
    raise NotUnderstood(
        f"{quote(text)} is neither an address like alice@example.com nor a domain like example.com."
    )


def patterns_of(address: str) -> tuple[str, ...]:
    """Return every pattern that keeps `address` out.

    A ban of an address is one of its plus-addresses too, and a ban of a domain one of the domains
    below it: both cost nothing to make.
    """
    local, _, host = fold_address(address).rpartition("@")
    labels = host.split(".")
    domains = (".".join(labels[start:]) for start in range(len(labels)))
    plain = local.partition("+")[0]
    return tuple(dict.fromkeys((f"{local}@{host}", f"{plain}@{host}", *domains)))
