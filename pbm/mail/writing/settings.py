"""What the mail about settings says."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbm.mail.writing.wording import Wording
from pbm.service.notices.settings import SettingsShown


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A setting, laid out: its name, its value, what it does and what it can be."""

    name: str
    value: str
    help: str


@dataclass(frozen=True, slots=True)
class SettingsMail:
    """`changed` and `value` tell what has just been set; "" if nothing was."""

    template: ClassVar[str] = "settings/shown.txt.j2"
    userid: str
    changed: str
    value: str
    rows: tuple[SettingRow, ...]


def _settings(notice: SettingsShown, _address: str) -> Wording:
    rows = tuple(
        SettingRow(f"{setting.name:<14}", value, f"{setting.help} ({setting.choice})")
        for setting, value in notice.settings
    )
    value = next((v for setting, v in notice.settings if setting.name == notice.changed), "")
    context = SettingsMail(notice.to.userid, notice.changed, value, rows)
    return Wording("Your settings", context)


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    SettingsShown: _settings,
}
"""What is said for each kind of notice of settings."""
