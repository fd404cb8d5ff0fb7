"""Mail addresses: which are valid, which lead to the same mailbox, and which a ban keeps out."""

import re
from collections.abc import Sequence
from functools import lru_cache
from unicodedata import name, normalize

from pbm.domain.errors import NotUnderstood
from pbm.engine import quote

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_ADDRESS = re.compile(rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*")


def fold_address(address: str) -> str:
    """Return `address` in lower case, without blanks around it, its domain in ASCII.

    RFC 5321 section 2.4 lets a host distinguish local parts by case; no host in use does.
    """
    return in_ascii(address.strip()).lower()


def in_ascii(address: str) -> str:
    """Return `address` with its domain in ASCII (RFC 5890): joerg@xn--exmple-cua.com.

    A domain that could be taken for another one stays as it is: a label of two scripts, or with
    signs that are no letters, or with a "ß", about which the ways to write it differ.
    """
    if address.isascii():
        return address
    local, at, domain = address.rpartition("@")
    return local + at + ".".join(map(_label_in_ascii, domain.split(".")))


def _label_in_ascii(label: str) -> str:
    letters = normalize("NFC", label).lower()
    bare = [letter for letter in letters if letter not in "-0123456789"]
    scripts = {name(letter, "").partition(" ")[0] for letter in bare if letter.isalpha()}
    if label.isascii() or len(scripts) != 1 or not all(map(str.isalpha, bare)):
        return label
    try:
        written = label.encode("idna")
        same = written.startswith(b"xn--") and written.decode("idna") == letters
    except UnicodeError:
        return label
    return written.decode() if same else label


def is_address(text: str) -> bool:
    """Return whether `text` is a mail address that the server can write to: ASCII, no quotes.

    A dot-atom before the @ (RFC 5322 section 3.2.3) and a host name after it, of the lengths
    of RFC 5321 section 4.5.3.1.
    """
    local = text.rpartition("@")[0]
    return len(text) <= 254 and len(local) <= 64 and bool(_ADDRESS.fullmatch(text))


_DOTLESS = {"gmail.com": "gmail.com", "googlemail.com": "gmail.com"}
"""Domains that ignore dots before the @, with the one name of each."""

_SHORT = 3
"""Letters that a name such as co, com or ac has at most where countries sell names below it."""


def spelled_once(address: str) -> str:
    """Return `address` in lower case, and in one spelling where its domain takes several.

    A tag after a "+" stays: it makes another address of the same mailbox.
    """
    local, at, domain = fold_address(address).rpartition("@")
    if domain not in _DOTLESS:
        return f"{local}{at}{domain}"
    name, plus, tag = local.partition("+")
    return f"{name.replace('.', '')}{plus}{tag}@{_DOTLESS[domain]}"


def mailbox(address: str) -> str:
    """Return one address for all that are known to lead to the same mailbox as `address`.

    The tag after a "+" is left out, and so are dots where the domain is known to ignore them.
    """
    local, at, domain = spelled_once(address).rpartition("@")
    return f"{local.partition('+')[0] or local}{at}{domain}"


def beginning_of_all(address: str) -> str:
    """Return the beginning of every address of the same mailbox, in lower case.

    It is as long as possible, so that a store finds the addresses by an index.
    """
    local, _, domain = mailbox(address).rpartition("@")
    return local[:1] if domain in _DOTLESS else local


def domain_sold(address: str) -> str:
    """Return the domain of `address` that somebody has bought, as far as its shape shows.

    Subdomains are free, so they count as one domain: mx7.example.co.uk is example.co.uk.
    """
    labels = mailbox(address).rpartition("@")[2].split(".")
    return ".".join(labels[-3:] if sells_names(labels[-2:]) else labels[-2:])


def sells_names(labels: Sequence[str]) -> bool:
    """Return whether names below this domain are sold, as far as its shape shows: com, co.uk."""
    if len(labels) != 2:
        return len(labels) < 2
    second, country = labels
    is_country = len(country) == 2 or country.startswith("xn--")
    return is_country and len(_as_read(second)) <= _SHORT


def _as_read(label: str) -> str:
    try:
        return label.encode().decode("idna")
    except UnicodeError:
        return label


def read_pattern(text: str) -> str:
    """Return the pattern of a ban: alice@example.com, example.com or @example.com.

    Raise NotUnderstood for anything else.
    """
    pattern = fold_address(text).removeprefix("@").rstrip(".")
    if is_address(pattern if "@" in pattern else f"anybody@{pattern}"):
        return spelled_once(pattern) if "@" in pattern else pattern
    raise NotUnderstood(
        f"{quote(text)} is neither an address like alice@example.com nor a domain like example.com."
    )


# Called twice for each mail: when its rows are prefetched, and when it is checked.
@lru_cache(1000)
def patterns_of(address: str) -> tuple[str, ...]:
    """Return every pattern that keeps `address` out.

    A ban of an address also bans its plus-addresses and its other spellings, and a ban of a
    domain also bans its subdomains, because all of these are free.
    """
    local, _, host = fold_address(address).rpartition("@")
    labels = host.split(".")
    domains = (".".join(labels[start:]) for start in range(len(labels)))
    written = (f"{local}@{host}", f"{local.partition('+')[0]}@{host}")
    return tuple(dict.fromkeys((*written, spelled_once(address), mailbox(address), *domains)))


def masked(address: str) -> str:
    """Return `address` for a log, with "***" for what follows "+", which may be a reply token."""
    name, plus, secret = address.partition("+")
    if not plus:
        return address
    _, at, domain = secret.rpartition("@")
    return f"{name}+***{at}{domain if at else ''}"
