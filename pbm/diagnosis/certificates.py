"""Reads when a certificate is valid from its file, which the standard library cannot do.

X.509 is RFC 5280, its encoding DER is X.690: each element is a tag, a length and its content.
"""

import re
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

_PEM = re.compile(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", re.DOTALL)

_VERSION = 0xA0
"""The tag of the first field of a certificate, which may be left out."""

_TIMES = {0x17: "%y%m%d%H%M%SZ", 0x18: "%Y%m%d%H%M%SZ"}
"""How UTCTime and GeneralizedTime are written (RFC 5280 section 4.1.2.5), by their tags."""


def validity(file: Path) -> tuple[datetime, datetime]:
    """Return the first and the last moment at which the first certificate in a PEM file is valid.

    Raises ValueError if there is none.
    """
    found = _PEM.search(file.read_text("ascii", "replace"))
    if found is None:
        raise ValueError(f"{file} holds no certificate")
    ((_, whole),) = _elements(ssl.PEM_cert_to_DER_cert(found[0]))
    (_, body), *_ = _elements(whole)
    fields = [content for tag, content in _elements(body) if tag != _VERSION]
    # Serial number, signature's algorithm, issuer, validity.
    begins, ends = (_moment(tag, content) for tag, content in _elements(fields[3]))
    return begins, ends


def _elements(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the tag and the content of each element of `data`."""
    at = 0
    while at < len(data):
        tag, length, at = data[at], data[at + 1], at + 2
        if length & 0x80:
            # The long form: the other bits say how many bytes hold the length.
            width = length & 0x7F
            length, at = int.from_bytes(data[at : at + width]), at + width
        yield tag, data[at : at + length]
        at += length


def _moment(tag: int, content: bytes) -> datetime:
    """Return the time. Two digits of a year mean 1950 to 2049; in strptime, 1969 to 2068."""
    moment = datetime.strptime(content.decode("ascii"), _TIMES[tag]).replace(tzinfo=UTC)
    far = tag == 0x17 and moment.year > 2049
    return moment.replace(year=moment.year - 100) if far else moment
