from pbm.domain.settings import SETTINGS, Setting
from pbm.features.settings import settings_table
from pbm.service.letters import letter
from pbm.service.tokens import player_token
from tests.domain.matches import ALICE, PEOPLE

STYLES = Setting("style.noughts", ("large", "small"), "large", "how its boards are drawn")
TABLE = settings_table((setting, setting.default) for setting in (*SETTINGS, STYLES))

LETTERS = tuple(
    letter(
        PEOPLE[ALICE], "settings/shown", changed=changed, value=value, table=TABLE,
        reply=player_token(ALICE),
    )
    for changed, value in (("", ""), ("echo", "yes"))
)  # fmt: skip
