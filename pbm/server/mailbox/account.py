"""The account of the server at a mail provider: imaps://me@provider.example[:993][/FOLDER].

The user may contain an @; then the host follows the last one: imaps://me@b.example@imap.b.example.
"""

import re
from datetime import UTC, datetime
from urllib.parse import unquote

from pbm.engine import frozen
from pbm.errors import PlainError
from pbm.system import Secret

_URL = re.compile(
    r"(?i:imaps)://(?P<user>[^/:\s]+)@(?P<host>[A-Za-z0-9.-]+)(?::(?P<port>\d{1,5}))?"
    r"(?:/(?P<folder>[^\s?#]+))?"
)


class AccountError(PlainError, ValueError):
    """A mailbox that cannot be used; `str()` is a sentence for the operator."""


@frozen
class Account:
    """A mailbox: mail that came to `folder` before `since` is left alone.

    `daily` is the most mails that are sent in a day, 0 for any number. `strict`: the provider takes
    mails from the address alone, without a tag for those that come back.
    """

    user: str
    host: str
    port: int
    secret: Secret
    since: datetime
    folder: str = "INBOX"
    daily: int = 0
    strict: bool = False


def read_account(
    url: str, *, password_command: str | None, auth: str, since: str | None, daily: int = 0,
    strict: bool = False,
) -> Account:  # fmt: skip
    """Return the account that these settings name; raise AccountError."""
    found = _URL.fullmatch(url)
    if found is None:
        raise AccountError(
            "The mailbox is a URL without a password: imaps://me@provider.example@imap.provider."
            "example."
        )
    if not password_command:
        raise AccountError("Set mailbox_password_command, such as: cat var/mailbox-password")
    if since is None:
        raise AccountError(
            "Set mailbox_since to the present time, such as 2026-11-28T12:00Z: mail that came to "
            "the mailbox before is left alone."
        )
    return Account(
        unquote(found["user"]), found["host"], int(found["port"] or 993),
        Secret(password_command, is_token=auth == "xoauth2"), _moment(since),
        unquote(found["folder"] or "INBOX"), daily, strict,
    )  # fmt: skip


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise AccountError(
            f"mailbox_since is {text!r}, not a time like 2026-11-28T12:00Z."
        ) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
