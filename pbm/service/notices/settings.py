"""What is told of settings."""

from dataclasses import dataclass

from pbm.domain.settings import Setting
from pbm.service.notices import ToPlayer


@dataclass(frozen=True, slots=True)
class SettingsShown(ToPlayer):
    """All settings with the values that hold; `changed` names the one just set, or is ""."""

    idle = False

    settings: tuple[tuple[Setting, str], ...]
    changed: str = ""
