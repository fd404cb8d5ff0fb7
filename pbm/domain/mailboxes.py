"""Mailboxes: which addresses lead to the same one, and which domains to the same owner."""

from pbm.domain.player import fold_address

_DOTLESS = {"gmail.com": "gmail.com", "googlemail.com": "gmail.com"}
"""Domains that ignore dots before the @, with the one name of each."""

_SHORT = 3
"""Letters that a name such as co, com or ac has at most where countries sell names below it."""


def spelled_once(address: str) -> str:
    """Return `address` in small letters, and in one way where its domain takes several.

    A tag after a "+" stays: it is another address, though of the same mailbox.
    """
    local, at, domain = fold_address(address).rpartition("@")
    if domain not in _DOTLESS:
        return f"{local}{at}{domain}"
    name, plus, tag = local.partition("+")
    return f"{name.replace('.', '')}{plus}{tag}@{_DOTLESS[domain]}"


def mailbox(address: str) -> str:
    """Return one address for all that are known to lead to the same mailbox as `address`.

    What stands after a "+" is left out, and dots where the domain is known to ignore them.
    """
    local, at, domain = spelled_once(address).rpartition("@")
    return f"{local.partition('+')[0] or local}{at}{domain}"


def beginning_of_all(address: str) -> str:
    """Return what every address of the same mailbox begins with, in small letters.

    It is as long as it can be, so that a store finds them by an index instead of reading all.
    """
    local, _, domain = mailbox(address).rpartition("@")
    return local[:1] if domain in _DOTLESS else local


def domain_sold(address: str) -> str:
    """Return the domain of `address` as somebody has bought it, as far as its shape tells.

    Subdomains cost nothing, so they are counted together: mx7.example.co.uk is example.co.uk.
    """
    labels = mailbox(address).rpartition("@")[2].split(".")
    below_country = len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) <= _SHORT
    return ".".join(labels[-3:] if below_country else labels[-2:])
