"""Content-Transfer-Encoding: what was made of the bytes so that they pass as text (RFC 2045)."""

import binascii
import re
from collections.abc import Callable

_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")


def from_base64(data: bytes) -> bytes:
    """Return what `data` encodes, up to its padding; whatever is no base64 is passed over."""
    digits = _NOT_BASE64.sub(b"", data.partition(b"=")[0])
    # A last digit alone holds six bits and makes no byte; without padding binascii refuses.
    digits = digits[: len(digits) - (len(digits) % 4 == 1)]
    return binascii.a2b_base64(digits + b"=" * (-len(digits) % 4))


def from_quoted_printable(data: bytes) -> bytes:
    """Return what `data` encodes; an escape that is none stays as it is."""
    return binascii.a2b_qp(data)


_DECODERS: dict[str, Callable[[bytes], bytes]] = {
    "base64": from_base64,
    "quoted-printable": from_quoted_printable,
}


def decode(data: bytes, encoding: str) -> bytes:
    """Return the bytes of a part; those in an unknown encoding are taken as they are."""
    decoder = _DECODERS.get(encoding.strip().lower())
    return decoder(data) if decoder else data
