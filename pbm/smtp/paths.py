"""What follows MAIL FROM: and RCPT TO:, the address and the parameters.

aiosmtpd reads addresses with the header parser of stdlib email, which costs more than all the
rest of the command, and answers 555 to parameters that real servers send.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_TEXT = r"""[^\s<>"@\x00-\x1f\x7f]"""
_ADDRESS = rf'(?:"(?:[^"\\\x00-\x1f\x7f]|\\[^\x00-\x1f\x7f])*"|{_TEXT}+)(?:@{_TEXT}+)?'
_SOURCE_ROUTE = r"(?:@[^<>\s:]*:)?"
_PATH = re.compile(
    rf"\s*(?:<{_SOURCE_ROUTE}(?P<angled>{_ADDRESS})?>|(?P<bare>{_ADDRESS}))(?:\s+(?P<rest>.*))?"
)
_PARAMETER = re.compile(r"(?P<keyword>[A-Za-z0-9][A-Za-z0-9-]*)(?:=(?P<value>[^\s=\x00-\x1f].*))?")

_ANYTHING = re.compile(r".*")
# AUTH (RFC 4954), RET, ENVID, NOTIFY, ORCPT (RFC 3461) are for servers that pass a mail on or
# report on it. We do neither, so there is nothing in them to obey.
MAIL_PARAMETERS: Mapping[str, re.Pattern[str]] = {
    "SIZE": re.compile(r"[0-9]{1,20}"),
    "BODY": re.compile(r"7BIT|8BITMIME", re.IGNORECASE),
    "SMTPUTF8": re.compile(r""),
    "AUTH": _ANYTHING,
    "RET": _ANYTHING,
    "ENVID": _ANYTHING,
}
RCPT_PARAMETERS: Mapping[str, re.Pattern[str]] = {"NOTIFY": _ANYTHING, "ORCPT": _ANYTHING}


class BadPath(Exception):  # noqa: N818 - an ordinary refusal; `str()` is the reply
    """An argument that cannot be taken; the message is the SMTP reply."""


@dataclass(frozen=True, slots=True)
class Path:
    """An address ("" for the null path `<>`) and its parameters, keywords in capitals."""

    address: str
    parameters: Mapping[str, str]


def read_path(argument: str | None, keyword: str, known: Mapping[str, re.Pattern[str]]) -> Path:
    """Return the path in `argument`, which must begin with `keyword` ("FROM:", "TO:").

    The angle brackets may be missing, as some clients forget them. Raises BadPath: 501 for
    bad syntax, 553 for an address that is none, 555 for a parameter not in `known`.
    """
    if argument is None or argument[: len(keyword)].upper() != keyword:
        raise BadPath(f"501 5.5.4 Syntax: {keyword} <address>")
    match = _PATH.fullmatch(argument, len(keyword))
    if match is None:
        raise BadPath("553 5.1.3 That is not an address")
    address = match["angled"] or match["bare"] or ""
    if not _encodable(address):
        raise BadPath("553 5.1.3 That is not an address")
    return Path(address, _read_parameters(match["rest"] or "", known))


def _encodable(address: str) -> bool:
    """False for octets that were no UTF-8: they are lone surrogates here, and no store has them."""
    try:
        address.encode()
    except UnicodeEncodeError:
        return False
    return True


def _read_parameters(text: str, known: Mapping[str, re.Pattern[str]]) -> dict[str, str]:
    parameters = {}
    for word in text.split():
        match = _PARAMETER.fullmatch(word)
        if match is None:
            raise BadPath("501 5.5.4 Syntax error in parameters")
        keyword, value = match["keyword"].upper(), match["value"] or ""
        if keyword not in known:
            raise BadPath("555 5.5.4 Parameter not implemented")
        if not known[keyword].fullmatch(value):
            raise BadPath("501 5.5.4 Syntax error in parameters")
        parameters[keyword] = value
    return parameters
