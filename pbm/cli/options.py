"""The options of commands, and the settings that they share."""

import functools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from pbm.cli.printing import echo, echo_rows
from pbm.config import (
    SHARE,
    ConfigError,
    Endpoint,
    Settings,
    load_file,
    read_endpoint,
    read_games,
    read_site_url,
)
from pbm.domain.pages import USUAL_NAME
from pbm.domain.settings import USUAL_PERIODS, Periods
from pbm.system import user_name

if TYPE_CHECKING:
    from pbm.core.audit import Signature
    from pbm.operator.administration import Administration
    from pbm.operator.upkeep import Upkeep
    from pbm.server.assembly import App
    from pbm.server.mailbox.account import Account

F = TypeVar("F", bound=Callable[..., Any])


class SettingOption(click.Option):
    """An option with an environment variable PBM_NAME and a key in the settings file."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("show_default", True)
        super().__init__(*args, **kwargs)
        long = next(o for o in self.opts if o.startswith("--")).lstrip("-")
        self.key = long.replace("-", "_")
        self.envvar = self.envvar or f"PBM_{self.key.upper()}"

    def get_default(self, ctx: click.Context, call: bool = True) -> Any:
        """Return the value in the settings file, or else the default.

        Help asks without `call`, and shows the default, because a set value may have a password.
        """
        if not call:
            return super().get_default(ctx, call)
        value = settings_file(ctx).get(self.key)
        return super().get_default(ctx, call) if value is None else value


class SharedSetting(SettingOption):
    """A setting of all commands that look at the server; `pbm help settings` lists them.

    On the page of a command there is one line for all of them.
    """

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the line for all, or None."""
        del ctx
        return _FOR_ALL if self.key == "database" else None

    def full_help_record(self, ctx: click.Context) -> tuple[str, str]:
        """Return the line of this setting for the page that lists all."""
        return super().get_help_record(ctx) or ("", "")


_FOR_ALL = ("--database, --relay, ...", "Settings of the server: see pbm help settings.")

_FILE = "pbm.cli.options.file"
"""The key in `ctx.meta` of the settings file, which is read once per run for all options."""


def settings_file(ctx: click.Context) -> Mapping[str, Any]:
    """Return the settings in the file named by --config or PBM_CONFIG, or in ./pbm.toml."""
    if _FILE not in ctx.meta:
        given = ctx.find_root().obj
        ctx.meta[_FILE] = load_file(Path(given or "pbm.toml"), required=given is not None)
    found: Mapping[str, Any] = ctx.meta[_FILE]
    return found


setting = functools.partial(click.option, cls=SettingOption)
"""`click.option` for an option that can be set in all three places."""

json_option = setting("--json", "as_json", is_flag=True, show_default=False, help="Print JSON.")


_LISTENING = (
    setting("--smtp", default="127.0.0.1:8025", help="HOST:PORT to listen on; may be empty."),
    setting("--lmtp", default="", show_default=False,
            help="HOST:PORT or PATH to listen on for LMTP."),
    setting("--tls-certificate", default=None, help="The PEM file for STARTTLS; needs --tls-key."),
    setting("--tls-key", default=None, help="The PEM file of its key."),
    setting("--relay-from", multiple=True, metavar="NETWORK",
            help="The address or network of your own relay; may be repeated."),
    setting("--proxy-protocol", is_flag=True, help="Connections begin with a PROXY header."),
)  # fmt: skip


def listening(command: F) -> F:
    """Give a command the options of the listeners of pbm serve."""
    for option in reversed(_LISTENING):
        command = option(command)
    return command


def with_settings(command: F) -> F:
    """Give a command the options of a server and pass it the `Settings` they make.

    Each option has the name of its field in Settings or Periods, but those of the mailbox.
    """

    @functools.wraps(command)
    def run(*args: Any, **kwargs: Any) -> Any:
        periods = {field.name: kwargs.pop(field.name) for field in fields(Periods)}
        kwargs["periods"] = Periods(**periods)
        more = {name: kwargs.pop(f"mailbox_{name}") for name in _ACCOUNT}
        kwargs["mailbox"] = _account(kwargs["mailbox"], more)
        given = {field.name: kwargs.pop(field.name) for field in fields(Settings)}
        return command(*args, settings=Settings(**given), **kwargs)

    for option in reversed(_SERVER_OPTIONS):
        run = option(run)
    return cast("F", run)


_ACCOUNT = ("password_command", "auth", "since", "daily", "strict")


def _account(mailbox: str | None, more: Mapping[str, Any]) -> "Account | None":
    """Return the account of the mailbox, if one is set; raise AccountError."""
    if not mailbox:
        return None
    from pbm.server.mailbox.account import read_account

    return read_account(mailbox, **more)


def not_as_root(command: F) -> F:
    """Give a command the option --as-root; without it, root is refused."""

    @_AS_ROOT
    @functools.wraps(command)
    def run(*args: Any, as_root: bool, **kwargs: Any) -> Any:
        if os.geteuid() == 0 and not as_root:
            raise ConfigError(_NOT_AS_ROOT)
        return command(*args, **kwargs)

    return cast("F", run)


def with_app(command: F) -> F:
    """Give a command the options of a server and pass it the `App` they make."""

    @functools.wraps(command)
    def run(*args: Any, settings: Settings, **kwargs: Any) -> Any:
        from pbm.server.assembly import App

        with closing(App(settings)) as app:
            return command(*args, app=app, **kwargs)

    return cast("F", not_as_root(with_settings(run)))


def signed(command: F) -> F:
    """Give a command that changes something the option --why, and pass it the `Signature`."""

    @setting(
        "--why", default="", show_default=False, metavar="TEXT", help="The reason, for pbm audit."
    )
    @functools.wraps(command)
    def run(*args: Any, why: str, reason: str = "", **kwargs: Any) -> Any:
        from pbm.core.audit import Signature

        by = Signature(login_name(os.getuid(), os.environ), why or reason, reason)
        return command(*args, by=by, **kwargs)

    return cast("F", run)


@contextmanager
def administering(app: "App", by: "Signature") -> Iterator["Administration"]:
    """Yield the acts of the operator on players and matches, and commit."""
    from pbm.operator.administration import Administration

    with app.open_unit() as work:
        yield Administration(app.services, work, app.clock(), by)
        work.commit()


@contextmanager
def maintaining(app: "App", by: "Signature") -> Iterator["Upkeep"]:
    """Yield the acts of the operator on the server itself, and commit."""
    from pbm.operator.upkeep import Upkeep

    with app.open_unit() as work:
        yield Upkeep(work, app.clock(), by, app.settings.own_addresses)
        work.commit()


def administers(command: F) -> F:
    """Pass a command the `Administration`, commit what it does, and print what it returns."""
    return _acting(command, administering)


def maintains(command: F) -> F:
    """Pass a command the `Upkeep`, commit what it does, and print what it returns."""
    return _acting(command, maintaining)


def _acting(command: F, begin: Callable[..., AbstractContextManager[Any]]) -> F:
    @functools.wraps(command)
    def run(*, app: "App", by: "Signature", **kwargs: Any) -> None:
        with begin(app, by) as operator:
            done = command(operator, **kwargs)
        echo(done)

    return cast("F", with_app(signed(run)))


Rows = Iterable[Any]
"""The answer of a command that `lists`: one value for each row."""


def lists(
    header: tuple[str, ...],
    cells: Callable[[Any], tuple[Any, ...]] = tuple,
    facts: Callable[[Any], Mapping[str, Any]] | None = None,
) -> Callable[[F], F]:
    """Pass a command the `App`, and print the rows that it returns, as a table or as JSON.

    Without `facts`, rows are tuples, and the header has the keys of the JSON.
    """
    keys = [name.replace(" ", "_") for name in header]

    def decorated(command: F) -> F:
        @functools.wraps(command)
        def run(*, app: "App", as_json: bool, **kwargs: Any) -> None:
            of_row = facts or (lambda row: dict(zip(keys, row, strict=True)))
            echo_rows(command(app, **kwargs), header, cells, as_json=as_json, facts=of_row)

        return cast("F", json_option(with_app(run)))

    return decorated


# A mail may be repeated days later, and is recognised only while the first copy is kept.
_AT_LEAST_A_WEEK = click.IntRange(min=7)

shared = functools.partial(click.option, cls=SharedSetting)

_AS_ROOT = shared("--as-root", is_flag=True, show_default=False, help="Run even as root.")


def _read(read: Callable[[str], Any]) -> dict[str, Any]:
    """Return the type of an option that a function reads."""
    return {"type": read, "metavar": "TEXT"}


def _if_given(read: Callable[[str], Any]) -> dict[str, Any]:
    """Return the same for a setting that an empty text switches off."""
    return _read(lambda text: read(text) if text else None)


_SERVER_OPTIONS = (
    shared("--address", default="pbm@localhost", help="The address that players write to."),
    shared("--database", default="sqlite:///var/pbm.db", help="A database URL, as in SQLAlchemy."),
    shared("--relay", default="maildir:var/mail", help="Where email is sent: a relay URL."),
    shared("--secret", default="var/secret.key", help="The key file for reply tokens.",
            **_read(Path)),
    shared("--operator", default=None,
            help="Where reports of bugs, players and bounces are mailed."),
    shared("--time", "terms", default=f"{USUAL_PERIODS.terms.forfeit_days}d",
            **_read(lambda text: USUAL_PERIODS.terms.read({"time": text})),
            help="The default clock, such as 3d or 7d+12h/14d."),
    shared("--vacation-days", "vacation", default=USUAL_PERIODS.vacation,
            type=click.IntRange(0, 366), help="Vacation days per player and year."),
    shared("--keep-days", "keep", default=USUAL_PERIODS.keep, type=_AT_LEAST_A_WEEK,
            help="Days to keep messages after they are done."),
    shared("--keep-dead-days", "keep_dead", default=USUAL_PERIODS.keep_dead, type=_AT_LEAST_A_WEEK,
            help="Days to keep messages that failed."),
    shared("--authserv-id", default=None,
            help="The MTA whose Authentication-Results are trusted."),
    shared("--dkim-key", default=None, **_if_given(Path),
            help="The key file for DKIM; pbm dkim new makes one."),
    shared("--dkim-selector", default="pbm", help="The name of its DNS record."),
    shared("--games", default="", show_default="all", **_read(read_games),
            help="The games on offer, such as gonnect,hex."),
    shared("--robots/--no-robots", default=True, show_default="yes",
            help="Create robot-1 to robot-5 at startup."),
    shared("--robot-processes", default=0, type=click.IntRange(0, 64),
            help="Processes for robots; 0: all cores but one, at most four."),
    shared("--robot-seconds", default=SHARE, type=click.IntRange(min=1),
            help="CPU seconds a day that robots spend on one player."),
    shared("--site-url", default=None, **_if_given(read_site_url),
            help="The URL of the web pages, for links in email."),
    shared("--site-index/--no-site-index", default=False, show_default="no",
            help="Let search engines list the pages of players."),
    shared("--site-name", default=USUAL_NAME, help="What this place is called."),
    shared("--site-about", default="", show_default=False,
            help="A paragraph about it, in Markdown."),
    shared("--public/--no-public", default=True, show_default="yes",
            help="Show players on the web pages unless they opt out."),
    shared("--mailbox", default=None, metavar="URL",
            help="Fetch mail from imaps://USER@HOST; see deploy/mailbox.md."),
    shared("--mailbox-password-command", default=None, metavar="COMMAND",
            help="Prints its password, also for the relay if its URL has none."),
    shared("--mailbox-auth", default="plain", type=click.Choice(("plain", "xoauth2")),
            help="xoauth2: the password is a token of OAuth 2."),
    shared("--mailbox-since", default=None, metavar="TIME",
            help="Leave mail alone that came before."),
    shared("--mailbox-daily", default=0, type=click.IntRange(min=0),
            help="The most mails to send within 24 hours; 0: any number."),
    shared("--mailbox-strict/--no-mailbox-strict", default=False, show_default="no",
            help="The provider takes mail from the bare address only."),
)  # fmt: skip


def shared_settings() -> list[SharedSetting]:
    """Return the settings that all commands share, in their order."""

    def take_all() -> None:
        """Take them, as a command does."""

    for option in (_AS_ROOT, *reversed(_SERVER_OPTIONS)):
        take_all = option(take_all)
    params: list[SharedSetting] = getattr(take_all, "__click_params__")  # noqa: B009 - click's name
    return params[::-1]


reason_option = setting(
    "--reason", default="", show_default=False, metavar="TEXT",
    help="The reason, for the players and for pbm audit.",
)  # fmt: skip
"""For a command that notifies players; put it above `signed`, or what includes it."""


_NOT_AS_ROOT = (
    "pbm refuses to run as root: it could leave files that its own user cannot read, and a bug "
    "would have the whole host. Run it as its own user (sudo -u pbm pbm ...), or add --as-root "
    "(PBM_AS_ROOT=1) if root is meant to run pbm here."
)


def login_name(uid: int, environment: Mapping[str, str]) -> str:
    """Return the name of the user with this `uid`, and of the one who became that user by sudo.

    The name does not come from the environment, which anybody can change.
    """
    name = user_name(uid)
    by_sudo = environment.get("SUDO_USER", "")
    return f"{name} ({by_sudo} by sudo)" if by_sudo else name


def endpoints(text: str) -> tuple[Endpoint, ...]:
    """Return the endpoints in a list with commas; raise ConfigError for a wrong one."""
    return tuple(read_endpoint(part.strip()) for part in text.split(",") if part.strip())
