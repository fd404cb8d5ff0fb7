"""Shared by the tests of the service: a house of their own for each, as their module begins it."""

from pathlib import Path

import pytest

from tests.house import HouseUnderTest


@pytest.fixture
def house(begun: HouseUnderTest, tmp_path: Path) -> HouseUnderTest:
    """Return a house that is as the one that the module has `begun`, for one test alone."""
    return begun.twin(tmp_path)
