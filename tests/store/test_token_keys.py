"""Which keys have signed, in the order in which they began to."""

from datetime import timedelta

from tests.store.conftest import Begin
from tests.store.samples import NOW


def test_each_key_is_remembered_once_and_the_latest_comes_last(begin: Begin) -> None:
    with begin() as unit:
        assert unit.token_keys.all() == ()
        unit.token_keys.add("f" * 16, NOW)
        unit.token_keys.add("a" * 16, NOW)
        unit.commit()
    with begin() as unit:
        unit.token_keys.add("f" * 16, NOW + timedelta(days=1))
        assert unit.token_keys.all() == ("f" * 16, "a" * 16)
