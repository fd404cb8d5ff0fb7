"""What is told about settings."""

from dataclasses import dataclass

from pbm.domain.settings import Setting
from pbm.service.notices import ToPlayer


@dataclass(frozen=True, slots=True)
class SettingsShown(ToPlayer):
    """All settings with their present values; `changed` names the one just set, or is ""."""

    idle = False

    settings: tuple[tuple[Setting, str], ...]
    changed: str = ""
