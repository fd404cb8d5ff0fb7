"""A table of cases in one test: all rows are tried, and a failure names each row that fails."""

import pytest

from tests.tables import each


@pytest.fixture
def limit() -> int:
    return 3


@each("n", [1, 2, 3])
def test_a_fixture_is_given_to_every_row(n: int, limit: int) -> None:
    assert n <= limit


def test_all_rows_are_tried_and_each_that_fails_is_named() -> None:
    tried = []

    @each("n, word", [(1, "one"), (2, "two"), (3, "three")])
    def fails_but_for_two(n: int, word: str) -> None:
        tried.append(n)
        assert n == 2, word

    with pytest.raises(ExceptionGroup, match="2 of 3 rows fail") as told:
        fails_but_for_two()
    assert tried == [1, 2, 3]
    notes = [note for failure in told.value.exceptions for note in failure.__notes__]
    assert notes == ["in the row n=1, word='one'", "in the row n=3, word='three'"]


def test_what_pytest_fails_is_a_failure_of_its_row() -> None:
    @each("n", [1, 2], ids=["first", "second"])
    def fails_in_the_second(n: int) -> None:
        if n == 2:
            pytest.fail("no")

    with pytest.raises(ExceptionGroup) as told:
        fails_in_the_second()
    (failure,) = told.value.exceptions
    assert (str(failure), failure.__notes__) == ("no", ["in the row second"])


def test_a_row_may_have_a_name_and_rows_may_be_crossed() -> None:
    seen = []

    @each("a", [pytest.param(1, id="one"), 2])
    @each("b", [3, 4])
    def sees(a: int, b: int) -> None:
        seen.append((a, b))

    sees()
    assert seen == [(1, 3), (1, 4), (2, 3), (2, 4)]


def test_an_empty_table_is_no_test() -> None:
    with pytest.raises(AssertionError, match="tests nothing"):
        each("n", [])
