"""Which DNS records the domain of a server needs, and which of them are set.

MX is RFC 5321 section 5, SPF RFC 7208, DKIM RFC 6376, DMARC RFC 7489. A PTR is what large hosts ask
of whoever connects to them.
"""

import ipaddress
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pbm import dkim
from pbm.diagnosis.verdict import Finding, Level, Verdict, fail, ok, warn
from pbm.engine import listing

Lookup = Callable[[str, str], Sequence[str]]
"""Returns the records of a name and a type, as texts; none if there are none.

Raises LookupFailed if nobody can say.
"""


class LookupFailed(Exception):  # noqa: N818 - an ordinary event
    """The DNS cannot be asked now; `str()` is a sentence for the operator."""


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sends for a `domain`: mails come to `host`, "" if that is not known.

    `directly`: what the server sends goes out from that host. `key` is the one that signs, if there
    is one, by the record of the `selector`.
    """

    domain: str
    host: str
    directly: bool
    key: dkim.SigningKey | None = None
    selector: str = ""


def examine_records(sender: Sender, look: Lookup | None) -> Iterator[Finding]:
    """Yield what must be set, one finding a record, and whether it is; `look` None: only what."""
    for name, check in _CHECKS.items():
        record = _WRITTEN[name](sender)
        try:
            level, text = (Level.WARN, "") if look is None else check(sender, look)
        except LookupFailed as error:
            level, text = Level.WARN, str(error)
        yield Finding(name, level, f"{record}   {text}".rstrip())


def _host(sender: Sender) -> str:
    return sender.host or "HOST"


def _mx(sender: Sender, look: Lookup) -> Verdict:
    found = [text.rpartition(" ")[2].rstrip(".").lower() for text in look(sender.domain, "MX")]
    if not found:
        return fail("is not set: nobody's mail arrives")
    if sender.host and sender.host.lower() not in found:
        return warn(f"differs: mails go to {listing(found, last='and')}")
    return ok("is set")


def _addresses(sender: Sender, look: Lookup) -> tuple[str, ...]:
    return (*look(sender.host, "A"), *look(sender.host, "AAAA")) if sender.host else ()


def _address(sender: Sender, look: Lookup) -> Verdict:
    if not sender.host:
        return warn("cannot be looked up: which name has this host? Its MTA does not say")
    found = _addresses(sender, look)
    return ok(f"is {listing(found, last='and')}") if found else fail("is not set")


def _ptr(sender: Sender, look: Lookup) -> Verdict:
    addresses = _addresses(sender, look)
    if not addresses:
        return warn("cannot be looked up before the address is set")
    wrong = []
    for address in addresses:
        names = [n.rstrip(".") for n in look(ipaddress.ip_address(address).reverse_pointer, "PTR")]
        if sender.host.lower() not in (name.lower() for name in names):
            wrong.append(f"{address} is called {listing(names, last='and') or 'nothing'}")
    if wrong:
        return fail(f"{listing(wrong, last='and')}: the provider of the host sets it")
    return ok("is set")


def _spf(sender: Sender, look: Lookup) -> Verdict:
    found = [text for text in look(sender.domain, "TXT") if text.lower().startswith("v=spf1")]
    if len(found) > 1:
        return fail("is set twice, so neither counts (RFC 7208 section 4.5)")
    if not found:
        return fail("is not set: anybody can forge these mails, and large hosts refuse them")
    words = found[0].lower().split()
    names_host = {"mx", "+mx", f"a:{sender.host}".lower(), f"mx:{sender.domain}".lower()}
    if sender.directly and names_host.isdisjoint(words) and "ip4:" not in found[0]:
        return warn(f"differs, and seems not to name the host: {found[0]}")
    return ok("is set")


def _dkim(sender: Sender, look: Lookup) -> Verdict:
    if sender.key is None:
        return warn("there is no key yet: see pbm dkim new")
    found = look(dkim.record_name(sender.selector, sender.domain), "TXT")
    if not found:
        return fail("is not set: all signatures are wrong until it is")
    faults = [dkim.record_fault(sender.key, text) for text in found]
    return ok("is set") if None in faults else fail(f"is wrong: {faults[0]}")


def _tag(record: str, name: str) -> str:
    """Return the value of a tag of a DKIM or DMARC record, without white space; "" for none."""
    tags = (part.partition("=") for part in record.split(";"))
    return next(("".join(value.split()) for tag, _, value in tags if tag.strip() == name), "")


def _dmarc(sender: Sender, look: Lookup) -> Verdict:
    found = [text for text in look(f"_dmarc.{sender.domain}", "TXT") if text.startswith("v=DMARC1")]
    if not found:
        return fail("is not set")
    return ok("is set") if _tag(found[0], "p") != "none" else warn(f"asks for nothing: {found[0]}")


_CHECKS: dict[str, Callable[[Sender, Lookup], Verdict]] = {
    "MX": _mx,
    "address": _address,
    "PTR": _ptr,
    "SPF": _spf,
    "DKIM": _dkim,
    "DMARC": _dmarc,
}

_WHO = {True: "mx", False: "mx include:WHAT-YOUR-RELAY-SAYS"}

_WRITTEN: dict[str, Callable[[Sender], str]] = {
    "MX": lambda s: f"{s.domain}. MX 10 {_host(s)}.",
    "address": lambda s: f"{_host(s)}. A (and AAAA) of this host",
    "PTR": lambda s: f"the name of that address: PTR {_host(s)}.",
    "SPF": lambda s: f'{s.domain}. TXT "v=spf1 {_WHO[s.directly]} -all"',
    "DKIM": lambda s: (
        dkim.zone_line(s.key, s.selector, s.domain) if s.key else "a TXT with the key that signs"
    ),
    "DMARC": lambda s: (
        f'_dmarc.{s.domain}. TXT "v=DMARC1; p=quarantine; rua=mailto:postmaster@{s.domain}"'
    ),
}
"""Each record as it is written into a zone."""
