"""The settings of a server: one frozen value, made from flags, environment and pbm.toml."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbm.domain.addresses import is_address
from pbm.domain.mail import SERVER_NAMES, local_name
from pbm.domain.pages import USUAL_NAME
from pbm.domain.settings import USUAL_PERIODS, Periods
from pbm.engine import frozen
from pbm.errors import PlainError

if TYPE_CHECKING:
    from pbm.server.mailbox.account import Account
    from pbm.system import Secret

_SELECTOR = re.compile(r"(?!.{64}|.*\.\.)[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?")

_URL = re.compile(
    r"https?://(?:[A-Za-z0-9.-]{1,100}|\[[0-9A-Fa-f:]{2,40}\])(?::([0-9]{1,5}))?"
    r"(?:/[A-Za-z0-9/.~_%-]{0,100})?"
)
"""An address without query and fragment, short enough for one line of a mail."""

_AUTHSERV_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,252}")

ROLES = ("intake", "play", "deliver", "remind", "think", "fetch")
"""The roles that a process can have; `pbm serve --roles` chooses."""


class ConfigError(PlainError):
    """A setting that cannot be used; `str()` is a sentence for the operator."""


_LONGEST_NAME = 60

MOST_PROCESSES = 4
"""Processes that think, unless the operator wants more: each takes some 50 MiB."""

SHARE = 1800
"""Seconds of a core: some hundred moves of the strongest robot, or thousands of a beginner."""


@frozen
class Settings:
    """The settings that every command needs: `address` is the one that players write to.

    `database` is an SQLAlchemy URL, `relay` a URL of pbm.server.relay. `secret` is the file with
    the keys of the reply tokens. `operator` is the address that hears of bugs and of players who
    cannot be reached. `periods` says how long things last. `authserv_id` names the front MTA whose
    word on the author of a mail is taken (RFC 8601). `dkim_key` is the file with the key that signs
    mails, if they are signed here, and `dkim_selector` names its record in the DNS. With `robots`
    the server has robots of its own. They think in `robot_processes`, 0 for as many as there are
    cores to spare, and for `robot_seconds` of a core a day about one player's boards. `site_url` is
    the address of the web pages, which show players who have not chosen if `public`; search engines
    are asked to leave out pages of players without `site_index`. `site_name` is what players call
    the place, and `site_about` a paragraph on it in Markdown. `mailbox` is the account at a
    provider that mails come to, if they are not brought by SMTP. New matches begin only of these
    `games`, or of all that are installed if it names none. Raises ConfigError.
    """

    address: str
    database: str
    relay: str
    secret: Path
    operator: str | None = None
    periods: Periods = USUAL_PERIODS
    authserv_id: str | None = None
    dkim_key: Path | None = None
    dkim_selector: str = "pbm"
    robots: bool = True
    robot_processes: int = 0
    robot_seconds: int = SHARE
    site_url: str | None = None
    site_index: bool = False
    site_name: str = USUAL_NAME
    site_about: str = ""
    public: bool = True
    mailbox: "Account | None" = None
    games: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not (self.site_name.isprintable() and 0 < len(self.site_name) <= _LONGEST_NAME):
            raise ConfigError("The site-name is one line of at most 60 characters.")
        for name, address in (("address", self.address), ("operator", self.operator)):
            if address is not None and not is_address(address):
                raise ConfigError(f"The {name} must be a mail address like pbm@games.example.org.")
        if len(self.address.partition("@")[0]) > 20:
            raise ConfigError("The address must be short before the @.")
        if "+" in self.address and not self.mailbox:
            raise ConfigError("Only the address of a mailbox may have a plus sign before the @.")
        if self.authserv_id is not None and not _AUTHSERV_ID.fullmatch(self.authserv_id):
            raise ConfigError("The authserv-id is the name of a host, like mx.example.org.")
        if not _SELECTOR.fullmatch(self.dkim_selector):
            raise ConfigError("The DKIM selector is a name of the DNS, such as pbm or pbm2027.")

    @property
    def domain(self) -> str:
        """The part of the server's address after the @."""
        return self.address.rpartition("@")[2]

    @property
    def own_addresses(self) -> tuple[str, ...]:
        """The addresses that mail comes to, without tokens, and the operator's."""
        below = (f"{name}@{self.domain}" for name in SERVER_NAMES)
        return (self.address, *below, *filter(None, [self.operator]))

    @property
    def relay_secret(self) -> "Secret | None":
        """The password of a relay whose URL names a user alone."""
        return self.mailbox.secret if self.mailbox else None

    def thinking_processes(self, cores: int) -> int:
        """Return in how many processes robots think on a host with so many cores."""
        return self.robot_processes or max(1, min(cores - 1, MOST_PROCESSES))

    def accepts(self, recipient: str) -> bool:
        """Return whether `recipient` is ours: the address or bounce, with or without a token.

        So are postmaster and abuse: without an operator to read their mail, it is shunted for
        `pbm shunt`. Only the local part counts: nothing is relayed onwards, so a second domain
        that points here needs no setting.
        """
        name = local_name(recipient)
        return name == local_name(self.address) or name in SERVER_NAMES


def address_file(settings: Settings) -> Path | None:
    """Return the file in which a server says where it listens; None if its database is no file."""
    scheme, _, path = settings.database.partition("?")[0].partition(":///")
    return Path(f"{path}-smtp") if scheme.startswith("sqlite") and path else None


def load_file(path: Path, *, required: bool) -> Mapping[str, Any]:
    """Return the settings in a pbm.toml; {} if there is no file and none is required.

    Raises ConfigError if the file cannot be read.
    """
    if not required and not path.exists():
        return {}
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}.") from error


def read_games(text: str) -> tuple[str, ...]:
    """Return the names of games in a list with commas."""
    return tuple(text.replace(",", " ").split())


def read_site_url(text: str) -> str:
    """Return the address of the web pages with a "/" at its end; raise ConfigError for no URL."""
    found = _URL.fullmatch(text)
    if found is None or int(found[1] or 0) > 65_535:
        raise ConfigError("The site-url is an address like https://games.example.org/.")
    return text.rstrip("/") + "/"


def read_roles(text: str) -> frozenset[str]:
    """Return the roles named in `text`, separated by commas; raise ConfigError for others."""
    named = frozenset(word.strip() for word in text.split(",") if word.strip())
    unknown = named - frozenset(ROLES)
    if unknown or not named:
        raise ConfigError(f"The roles are {', '.join(ROLES)}; one or more, with commas.")
    return named


@frozen
class TcpEndpoint:
    """A host and a port; port 0 takes a free one."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@frozen
class UnixEndpoint:
    """A socket in the file system."""

    path: Path

    def __str__(self) -> str:
        return str(self.path)


Endpoint = TcpEndpoint | UnixEndpoint


def read_endpoint(text: str) -> Endpoint:
    """Return the endpoint that HOST:PORT, [IPV6]:PORT or PATH means; a path has a "/" in it.

    Raises ConfigError.
    """
    if "/" in text:
        return UnixEndpoint(Path(text))
    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not host or not (port.isascii() and port.isdigit()) or int(port) > 65535:
        raise ConfigError(f"{text!r} is neither HOST:PORT nor the path of a socket.")
    return TcpEndpoint(host, int(port))
