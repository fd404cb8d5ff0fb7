"""Mailboxes: which addresses lead to the same one, and which domains to the same owner."""

from pbm.domain.player import fold_address

_DOTLESS = {"gmail.com": "gmail.com", "googlemail.com": "gmail.com"}
"""Domains that ignore dots before the @, with the one name of each."""

_SHORT = 3
"""Letters that a name such as co, com or ac has at most where countries sell names below it."""


def mailbox(address: str) -> str:
    """Return one address for all that are known to lead to the same mailbox as `address`.

    What stands after a "+" is left out, and dots where the domain is known to ignore them.
    """
    local, at, domain = fold_address(address).rpartition("@")
    local = local.partition("+")[0] or local
    if domain in _DOTLESS:
        return f"{local.replace('.', '')}@{_DOTLESS[domain]}"
    return f"{local}{at}{domain}"


def domain_sold(address: str) -> str:
    """Return the domain of `address` as somebody has bought it, as far as its shape tells.

    Subdomains cost nothing, so they are counted together: mx7.example.co.uk is example.co.uk.
    """
    labels = mailbox(address).rpartition("@")[2].split(".")
    below_country = len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) <= _SHORT
    return ".".join(labels[-3:] if below_country else labels[-2:])
