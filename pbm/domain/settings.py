"""Settings of the operator and of the players, each in one table."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from datetime import UTC as UTC_ZONE
from datetime import tzinfo
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pbm.domain.errors import UnknownName
from pbm.domain.invitations import Terms
from pbm.domain.player import Player
from pbm.engine import AnyGame, did_you_mean, fold, frozen, listing, near


@frozen
class Periods:
    """Times that the operator can choose, in days.

    `vacation` is what a player may take in a calendar year. Played and sent mails are kept for
    `keep`, mails that met a bug or were given up for `keep_dead`. `terms` are those of a match
    for which nobody asks for others.
    """

    vacation: int = 30
    keep: int = 30
    keep_dead: int = 90
    terms: Terms = field(default_factory=Terms)


USUAL_PERIODS = Periods()
"""The defaults."""

_MANY = 12
"""More values than this are not listed in a sentence."""

_YES_NO = ("yes", "no")

_SWITCH = (("on", "yes"), ("true", "yes"), ("off", "no"), ("false", "no"))


@frozen
class Setting:
    """A setting of players.

    `sample` describes `values` that are too many to be listed, and `common` are some of them that
    are offered. `same` are other words for values, each with its value.
    """

    name: str
    values: tuple[str, ...]
    default: str
    help: str
    sample: str = ""
    same: tuple[tuple[str, str], ...] = ()
    common: tuple[str, ...] = ()

    @property
    def choice(self) -> str:
        """The possible values, for a sentence: "yes or no"."""
        return self.sample or listing(self.values)

    def read(self, text: str) -> str:
        """Return the value for `text`, in any case; raise UnknownName, with the values in it."""
        folded = fold(text)
        wanted = dict(self.same).get(folded, folded)
        for value in self.values:
            if fold(value) in (wanted, wanted.replace(" ", "_")):
                return value
        # Berlin for Europe/Berlin.
        last = f"/{wanted.replace(' ', '_')}"
        ending = [value for value in self.values if fold(value).endswith(last)][:3]
        meant = (ending or near(wanted, self.values)) if len(self.values) > _MANY else ()
        raise UnknownName(f"{self.name} can be {self.choice}.{did_you_mean(meant)}")


STYLE = "style"
"""The prefix of the names of board styles: style.GAME."""

ZONE = "zone"
"""The setting of the time zone."""

UTC = "UTC"


def _switch(name: str, default: str, help_: str, more: tuple[str, ...] = ()) -> Setting:
    """Return a setting that is yes or no, or one of `more`."""
    return Setting(name, (*_YES_NO, *more), default, help_, same=_SWITCH)


BROADCAST = _switch("broadcast", "no", "whether you get what players write to everybody")

FORMAT = Setting(
    "format", ("html", "text"), "html",
    "html shows boards to tap on and has plain text beside it, so it is both; text is plain text "
    "alone",
    same=(("both", "html"),),
)  # fmt: skip

PICTURE = _switch(
    "picture", "yes",
    "whether html mails show boards without anything to tap as pictures; only: those to tap, too",
    ("only",),
)  # fmt: skip

ECHO = _switch(
    "echo", "yes",
    "whether you get a mail about each move of your own; if not, no mail means that the move was "
    "accepted",
)  # fmt: skip

DIGEST = _switch(
    "digest", "no",
    "whether moves that wait for your answer come together, once a day at 6 in the morning; your "
    "clock keeps running",
)  # fmt: skip

REMINDERS = Setting(
    "reminders", ("yes", "last"), "yes",
    "whether you are reminded of a turn early and again, or only the last time, before you would "
    "lose",
    same=(*_SWITCH[:2], *((word, "last") for word in ("no", "off", "false"))),
)  # fmt: skip

NEWS = _switch("news", "yes", "whether you get the news of the operator, and hear of outages")

UNPROVEN = _switch(
    "unproven", "yes",
    "whether mails in your name that nothing proves are answered; replies and passwords prove them",
)  # fmt: skip

PUBLIC = _switch(
    "public", "yes",
    "whether the web pages show you: your name, your boards, your results; if not, lists say "
    '"a player"',
)  # fmt: skip

SETTINGS: tuple[Setting, ...] = (
    FORMAT,
    PICTURE,
    ECHO,
    DIGEST,
    REMINDERS,
    Setting(ZONE, (UTC,), UTC, "the time zone of your deadlines",
            sample="UTC or a name such as Europe/Berlin",
            common=(UTC, "America/Los_Angeles", "America/New_York", "Europe/London",
                    "Europe/Berlin", "Asia/Kolkata", "Asia/Tokyo", "Australia/Sydney")),
    BROADCAST,
    NEWS,
    UNPROVEN,
    PUBLIC,
)  # fmt: skip
"""All settings except the board styles, which depend on the games of the server.

Only settings that work are here. A value that was stored for another setting stays stored, and
counts again once there is such a setting."""


def names(games: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the names of all settings, with those of the board styles of `games` (keys)."""
    return (*(setting.name for setting in SETTINGS), *(f"{STYLE}.{key}" for key in games))


def settings_of(
    games: Iterable[AnyGame], zones: Sequence[str], *, public: bool = True
) -> tuple[Setting, ...]:
    """Return all settings on a server with these games and time `zones`.

    `public` is whether players who have not chosen are on its web pages.
    """
    changed: Mapping[str, Mapping[str, Any]] = {
        ZONE: {"values": (UTC, *zones)},
        PUBLIC.name: {"default": _YES_NO[not public]},
    }
    general = (replace(setting, **changed.get(setting.name, {})) for setting in SETTINGS)
    styles = (
        Setting(f"{STYLE}.{game.info.key}", game.info.styles, game.info.styles[0],
                f"how boards of {game.info.title} are drawn")
        for game in games
        if len(game.info.styles) > 1
    )  # fmt: skip
    return (*general, *styles)


def chosen(setting: Setting, stored: Mapping[str, str]) -> str:
    """Return the stored value if it still exists, or the default."""
    value = stored.get(setting.name, setting.default)
    return value if value in setting.values else setting.default


def is_public(player: Player, *, default: bool) -> bool:
    """Return whether the web pages show `player`; by `default` if they have not chosen.

    A robot, which cannot choose, is always shown.
    """
    chose = player.settings.get(PUBLIC.name, _YES_NO[not (default or player.is_robot)])
    return player.active and chose != "no"


def style_of(game: AnyGame, stored: Mapping[str, str]) -> str:
    """Return the style in which a player sees boards of `game`."""
    value = stored.get(f"{STYLE}.{game.info.key}", "")
    return value if value in game.info.styles else game.info.styles[0]


def zone_of(player: Player) -> tzinfo:
    """Return the zone of `player`: UTC unless they have set one.

    A zone that this machine does not know, such as after a move to another one, is taken as UTC.
    """
    name = player.settings.get(ZONE, UTC)
    if name == UTC:
        return UTC_ZONE
    try:
        return ZoneInfo(name)
    except ZoneInfoNotFoundError:
        return UTC_ZONE
