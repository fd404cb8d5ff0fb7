"""The alerts in deploy/prometheus ask for figures that the server shows, and say what to do."""

import re
from pathlib import Path

from pbm.cli import COMMANDS
from pbm.domain.mail import Fate
from pbm.service.ports.mail import Handover
from tests.tables import each
from tests.test_dashboard import shown

FOLDER = Path(__file__).resolve().parent.parent / "deploy" / "prometheus"

ALERTS = [
    dict(re.findall(r"(\w+): +(.+)", part))
    for part in (FOLDER / "pbm.rules.yml").read_text("utf-8").split("- alert:")[1:]
]
"""The keys of each alert: PyYAML would be a dependency for two files."""


def test_there_is_an_alert_for_each_way_in_which_a_server_fails() -> None:
    assert len(ALERTS) == 11


@each("alert", ALERTS, ids=lambda alert: str(alert["expr"]))
def test_an_alert_names_figures_that_there_are_and_commands_that_help(
    alert: dict[str, str],
) -> None:
    figures = shown()
    names = re.findall(r"\bpbm_[a-z_]+", alert["expr"])
    assert names or alert["expr"].startswith("up{")
    assert set(names) <= set(figures)
    for label, value in re.findall(r'[{,](\w+)!?="([^"]+)"', alert["expr"]):
        assert label == "job" or all(label in figures[name] for name in names)
        if label == "verdict":
            assert value in {*Handover, *Fate}
    assert set(re.findall(r"\bpbm ([a-z]+)", alert["action"])) <= set(COMMANDS)
    assert alert["labels"] in ("{severity: page}", "{severity: ticket}")
