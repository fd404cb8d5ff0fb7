"""A player's settings: changing them and showing them."""

import zoneinfo
from collections.abc import Iterator, Mapping
from dataclasses import replace

from pbm.domain.errors import UnknownName
from pbm.domain.player import Player
from pbm.domain.settings import STYLE, Setting, chosen, settings_of
from pbm.engine import listing
from pbm.service.commands.settings import Set
from pbm.service.context import Context
from pbm.service.handlers.base import Handler
from pbm.service.notices import Notice
from pbm.service.notices.settings import SettingsShown

_NO_ZONES = frozenset({"localtime", "Factory"})
"""Files of the time zone database that name no place."""


def change_setting(context: Context, command: Set) -> Iterator[Notice]:
    """Change one setting, if a name is given, and show all settings."""
    player = context.sender()
    known = settings_of(context.services.catalogue, zone_names())
    changed = ""
    if command.name:
        setting = _setting(context, command.name, known)
        try:
            value = setting.read(command.value)
        except UnknownName as error:
            example = f"set {player.userid} your-password {setting.name} {setting.default}"
            raise UnknownName(str(error), example) from error
        context.work.players.set_setting(player.id, setting.name, value)
        player = _with(player, setting.name, value)
        changed = setting.name
    values = tuple((setting, chosen(setting, player.settings)) for setting in known)
    yield SettingsShown(player, values, changed)


def zone_names() -> tuple[str, ...]:
    """Return the names of the time zones that this machine knows."""
    return tuple(sorted(zoneinfo.available_timezones() - _NO_ZONES))


def _setting(context: Context, name: str, known: tuple[Setting, ...]) -> Setting:
    """Return the setting; a bare `style` means that of the game named in the line."""
    head, _, game = name.partition(".")
    if head == STYLE:
        found = context.services.catalogue.find(game or context.game or "")
        name = f"{STYLE}.{found.info.key}" if found else ""
    for setting in known:
        if setting.name == name:
            return setting
    styles = [setting.name for setting in known if setting.name.startswith(f"{STYLE}.")]
    raise UnknownName(
        f"Boards can be drawn in several ways by {listing(styles)}."
        if styles
        else "No game here can be drawn in several ways."
    )


def _with(player: Player, name: str, value: str) -> Player:
    return replace(player, settings={**player.settings, name: value})


HANDLERS: Mapping[type, Handler] = {
    Set: change_setting,
}
