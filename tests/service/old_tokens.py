"""Reply tokens as the server wrote them when they had no date."""

import base64
import hashlib
import hmac
import struct

from pbm.service.tokens import TokenKind


def word_of_before(key: bytes, kind: TokenKind, number: int, player: int = 0, ply: int = 0) -> str:
    """Return such a token, made under this key."""
    body = struct.pack(">BIIH", kind, number, player, ply)
    mac = hmac.digest(key, b"pbm reply token" + body, hashlib.sha256)[:9]
    return base64.b32encode(body + mac).decode().lower()
