"""Settings: names, values in the forms that people type, and defaults."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbm.domain.errors import UnknownName
from pbm.domain.settings import SETTINGS, Setting, chosen, settings_of, style_of
from pbm.plugins import installed_games
from tests.tables import each

ZONES = ("America/New_York", "Asia/Kolkata", "Europe/Berlin", "UTC")
KNOWN = {setting.name: setting for setting in settings_of(installed_games(), ZONES)}
STYLED = next(game for game in installed_games() if len(game.info.styles) > 1)
PLAIN = next(game for game in installed_games() if len(game.info.styles) == 1)


@each(
    ("name", "text", "value"),
    [
        ("format", "HTML", "html"),
        ("picture", "Off", "no"),
        ("broadcast", "true", "yes"),
        ("zone", "utc", "UTC"),
        ("zone", "europe/berlin", "Europe/Berlin"),
        ("zone", "America/New York", "America/New_York"),
        ("zone", "\u00a0asia/kolkata ", "Asia/Kolkata"),
    ],
)
def test_a_value_is_read_in_the_forms_that_people_type(name: str, text: str, value: str) -> None:
    assert KNOWN[name].read(text) == value


@each(
    ("name", "text", "said"),
    [
        ("format", "pdf", "format can be html or text."),
        ("broadcast", "perhaps", "broadcast can be yes or no."),
        ("broadcast", "", "broadcast can be yes or no."),
        ("zone", "Mars/Base", "zone can be UTC or a name such as Europe/Berlin."),
    ],
)
def test_a_value_that_does_not_exist_is_refused_with_those_that_do(
    name: str, text: str, said: str
) -> None:
    with pytest.raises(UnknownName) as refusal:
        KNOWN[name].read(text)
    assert str(refusal.value) == said


def test_of_many_values_the_near_ones_are_named() -> None:
    zones = tuple(f"Area/Place{number}" for number in range(20))
    many = Setting("zone", (*zones, "Europe/Berlin"), "UTC", "", sample="a zone")
    for text in ("berlin", "Europe/Berln"):
        with pytest.raises(UnknownName, match=r"a zone\. Did you mean Europe/Berlin\?"):
            many.read(text)


@given(st.sampled_from(sorted(KNOWN)), st.text())
def test_any_text_gives_a_value_of_the_setting_or_a_refusal_that_does_not_repeat_it(
    name: str, text: str
) -> None:
    setting = KNOWN[name]
    assert outcome(setting, text) in (*setting.values, f"{name} can be {setting.choice}.")


def outcome(setting: Setting, text: str) -> str:
    try:
        return setting.read(text)
    except UnknownName as refusal:
        return str(refusal)


def test_the_default_of_every_setting_is_one_of_its_values() -> None:
    assert all(setting.default in setting.values for setting in KNOWN.values())


def test_what_is_stored_holds_as_long_as_it_exists() -> None:
    for setting in SETTINGS:
        assert chosen(setting, {}) == setting.default
        assert chosen(setting, {setting.name: setting.values[-1]}) == setting.values[-1]
        assert chosen(setting, {setting.name: "gone"}) == setting.default


def test_only_games_that_are_drawn_in_several_ways_have_a_style_to_set() -> None:
    assert f"style.{STYLED.info.key}" in KNOWN
    assert f"style.{PLAIN.info.key}" not in KNOWN


def test_the_style_of_a_game_is_the_one_set_for_it_or_its_first() -> None:
    key, styles = STYLED.info.key, STYLED.info.styles
    assert style_of(STYLED, {f"style.{key}": styles[-1]}) == styles[-1]
    assert style_of(STYLED, {f"style.{key}": "gone"}) == styles[0]
    assert style_of(STYLED, {"style": styles[-1]}) == styles[0]
