"""DKIM: a signature under each mail that leaves, by a key whose other half is in the DNS.

RFC 6376; Ed25519 RFC 8463. The key is a file that only its owner can read. The package cryptography
does the arithmetic. It is slow to import, so it is imported when a key is needed, and not before.

The signature is relaxed/relaxed, over the whole body and the fields that count. A field is named in
h= once more than it is there, so that nobody can add another one without breaking the signature
(RFC 6376 section 8.15). There is no l=, which would let anybody add to the body. There is no time
in it: a mail that goes out again is the same, octet by octet.
"""

import base64
import binascii
import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from pbm import system
from pbm.engine import frozen
from pbm.errors import PlainError

ALGORITHMS = ("rsa", "ed25519")
"""The kinds of keys, as the record names them. Some large receivers do not verify ed25519 yet."""

_RSA_BITS = 2048
"""RFC 8301 section 3.2: at least 1024, better 2048. Longer records are more often cut off."""

_STRING = 255
"""Octets in one string of a TXT record (RFC 1035 section 3.3); a record may have several."""


class DkimError(PlainError):
    """A key that cannot be used or made; `str()` is a sentence for the operator."""


@frozen
class SigningKey:
    """A key of one of the ALGORITHMS. `sign` takes a SHA-256 digest, `public` is for the record."""

    algorithm: str
    public: bytes
    sign: Callable[[bytes], bytes] = field(repr=False, compare=False)


def create(path: Path, algorithm: str) -> SigningKey:
    """Return a new key, stored in `path` with mode 0600 and synced to disk.

    Raises DkimError if there is a file already: the mails under way are signed by the key in it.
    """
    key, pem = _new(algorithm)
    try:
        system.make_folder(path.parent)
        system.write_durably(path, pem, new=True)
        system.sync(path.parent)
    except FileExistsError:
        raise DkimError(
            f"There is a file {path} already, and no key is overwritten. Name another file, and "
            "another selector with it."
        ) from None
    except OSError as error:
        raise DkimError(f"The DKIM key {path} cannot be written: {error.strerror}.") from None
    return key


def load(path: Path) -> SigningKey:
    """Return the key in `path`; raise DkimError if there is none that can sign."""
    try:
        pem = path.read_bytes()
    except FileNotFoundError:
        raise DkimError(f"There is no DKIM key {path}; pbm dkim new makes one.") from None
    except OSError as error:
        raise DkimError(f"The DKIM key {path} cannot be read: {error.strerror}.") from None
    from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415
    from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415
        load_pem_private_key,
    )

    try:
        private = load_pem_private_key(pem, None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise DkimError(f"{path} holds no private key in PEM form without a password.") from None
    try:
        return _signing_key(private)
    except DkimError as error:
        raise DkimError(f"{path} cannot sign mails: {error}") from None


def record(key: SigningKey) -> str:
    """Return the text of the TXT record for `key` (RFC 6376 section 3.6.1)."""
    return f"v=DKIM1; k={key.algorithm}; p={base64.b64encode(key.public).decode()}"


def record_name(selector: str, domain: str) -> str:
    """Return the name of the record in the DNS, without a dot at its end."""
    return f"{selector}._domainkey.{domain}"


def zone_line(key: SigningKey, selector: str, domain: str) -> str:
    """Return the record as a line of a zone file, its text in strings of at most 255 octets."""
    text = record(key)
    strings = " ".join(f'"{text[at : at + _STRING]}"' for at in range(0, len(text), _STRING))
    return f"{record_name(selector, domain)}. IN TXT ( {strings} )"


def record_fault(key: SigningKey, published: str) -> str | None:
    """Return what is wrong with a `published` record, its strings joined; None if it fits `key`."""
    found = dict(tags(published))
    if found.get("v", "DKIM1") != "DKIM1":
        return "it is no DKIM record: it does not begin with v=DKIM1"
    if not found.get("p"):
        return "it holds no public key"
    if found.get("k", "rsa") != key.algorithm:
        return f"it is of another kind of key: k={found.get('k', 'rsa')} and not {key.algorithm}"
    try:
        same = base64.b64decode(found["p"], validate=True) in _forms(key)
    except (binascii.Error, ValueError):
        return "its public key is damaged: p= is no base64"
    return None if same else "its public key is that of another key than the one that signs"


def tags(text: str) -> Iterator[tuple[str, str]]:
    """Yield names and values of a DKIM or DMARC record, without white space."""
    for part in text.split(";"):
        name, _, value = part.partition("=")
        yield name.strip(), "".join(value.split())


def _forms(key: SigningKey) -> tuple[bytes, ...]:
    """Return the octets that p= can have: some publish an RSA key without its outer shell."""
    if key.algorithm != "rsa":
        return (key.public,)
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - see above

    public: Any = serialization.load_der_public_key(key.public)
    der, bare = serialization.Encoding.DER, serialization.PublicFormat.PKCS1
    return key.public, public.public_bytes(der, bare)


def _new(algorithm: str) -> tuple[SigningKey, bytes]:
    """Return a new key and its PEM form."""
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric import ed25519, rsa  # noqa: PLC0415

    private: Any = (
        ed25519.Ed25519PrivateKey.generate()
        if algorithm == "ed25519"
        else rsa.generate_private_key(65537, _RSA_BITS)
    )
    pem: bytes = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return _signing_key(private), pem


def _signing_key(private: object) -> SigningKey:
    """Return a private key of cryptography as one that signs."""
    from cryptography.hazmat.primitives import hashes, serialization  # noqa: PLC0415 - see above
    from cryptography.hazmat.primitives.asymmetric import ed25519, padding, rsa  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric.utils import Prehashed  # noqa: PLC0415

    if isinstance(private, ed25519.Ed25519PrivateKey):
        return SigningKey("ed25519", private.public_key().public_bytes_raw(), private.sign)
    if not isinstance(private, rsa.RSAPrivateKey):
        raise DkimError("it must be an RSA or Ed25519 key.")
    if private.key_size < _RSA_BITS:
        raise DkimError(f"an RSA key must have {_RSA_BITS} bits or more.")
    shell = serialization.PublicFormat.SubjectPublicKeyInfo
    public = private.public_key().public_bytes(serialization.Encoding.DER, shell)
    scheme, digested = padding.PKCS1v15(), Prehashed(hashes.SHA256())

    def sign(digest: bytes) -> bytes:
        return private.sign(digest, scheme, digested)

    return SigningKey("rsa", public, sign)


SIGNED = (
    *("from", "reply-to", "to", "cc", "subject", "date", "message-id", "in-reply-to"),
    *("references", "sender", "mime-version", "content-type", "content-transfer-encoding"),
    *("auto-submitted", "precedence", "list-id", "list-unsubscribe", "list-unsubscribe-post"),
)
"""The fields that are signed, whether or not a mail has them (RFC 6376 section 5.4.1)."""

_FIELDS = re.compile(rb"([!-9;-~]+)[ \t]*:((?:[^\r\n]|\r\n[ \t])*)\r\n")

_BLANKS = re.compile(rb"  +")
"""Begins with two letters that are certain: so it is looked for ten times as fast as a choice."""

_FOLDING = re.compile(rb"[ \t\r\n]+")

_WIDTH = 72


@frozen
class Signer:
    """Signs mails of `domain` by `key`, whose record is at `selector`."""

    key: SigningKey
    domain: str
    selector: str

    def signed(self, content: bytes) -> bytes:
        """Return `content`, a mail with CRLF line endings, below its DKIM-Signature."""
        head, _, body = content.partition(b"\r\n\r\n")
        fields: dict[str, list[bytes]] = {}
        for name, value in _FIELDS.findall(head + b"\r\n"):
            fields.setdefault(name.decode().lower(), []).append(value)
        names = (name for name in SIGNED for _ in range(len(fields.get(name, ())) + 1))
        unsigned = self._field(tuple(names), sha256(_relaxed_body(body)).digest())
        # Of several fields of one name the lowest comes first (section 5.4.2).
        lines = [_relaxed(n, v) for n in SIGNED for v in reversed(fields.get(n, ()))]
        name, _, value = unsigned.partition(b":")
        lines.append(_relaxed(name.decode().lower(), value).removesuffix(b"\r\n"))
        word = base64.b64encode(self.key.sign(sha256(b"".join(lines)).digest())).decode()
        folded = "\r\n\t".join(word[at : at + _WIDTH] for at in range(0, len(word), _WIDTH))
        return unsigned + folded.encode() + b"\r\n" + content

    def _field(self, names: tuple[str, ...], digest: bytes) -> bytes:
        """Return the field up to the place where the signature goes."""
        return (
            f"DKIM-Signature: v=1; a={self.key.algorithm}-sha256; c=relaxed/relaxed;\r\n"
            f"\td={self.domain}; s={self.selector};\r\n"
            f"\th={_listed(names)};\r\n"
            f"\tbh={base64.b64encode(digest).decode()};\r\n\tb="
        ).encode()


@lru_cache(maxsize=64)
def _listed(names: tuple[str, ...]) -> str:
    """Return the names with colons between them, folded; few mails differ in theirs."""
    lines = textwrap.wrap(": ".join(names), _WIDTH, break_on_hyphens=False)
    return "\r\n\t".join(line.replace(" ", "") for line in lines)


def _relaxed(name: str, value: bytes) -> bytes:
    """Return a field in relaxed form (section 3.4.2)."""
    return name.encode() + b":" + _FOLDING.sub(b" ", value).strip() + b"\r\n"


def _relaxed_body(body: bytes) -> bytes:
    """Return a body in relaxed form (section 3.4.4)."""
    single = _BLANKS.sub(b" ", body.replace(b"\t", b" "))
    single = single.replace(b" \r\n", b"\r\n").removesuffix(b" ")
    while single.endswith(b"\r\n\r\n"):
        single = single.removesuffix(b"\r\n")
    if single in {b"", b"\r\n"}:
        return b""
    return single if single.endswith(b"\r\n") else single + b"\r\n"
