"""Tables of cases that are one test, because pytest takes longer for a test than for most cases.

To collect a test, set it up and report it takes some 3 ms of CPU in all processes of the suite. So
where cases share nothing that one of them could change, they are rows of one test. All rows are
tried, whatever fails, and each failure names its row. Where a case needs a fixture of its own, or
takes long, `pytest.mark.parametrize` makes it a test.
"""

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any

import pytest

Test = Callable[..., None]
_Row = type(pytest.param())
"""The rows that `pytest.param` makes, with a name."""

Labels = Callable[[Any], object] | Iterable[str] | None


def each(
    names: str | Sequence[str], rows: Iterable[Any], ids: Labels = None
) -> Callable[[Test], Test]:
    """Return a decorator that tries a test with each of `rows`, as values of `names`.

    It takes what `pytest.mark.parametrize` takes, and other arguments remain fixtures.
    """
    keys = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    cases = [_case(keys, row) for row in rows]
    assert cases, "a table without rows tests nothing"
    labels = _labels(cases, ids)

    def decorate(test: Test) -> Test:
        @wraps(test)
        def whole_table(**others: Any) -> None:
            tried = zip(cases, labels, strict=True)
            told = [_failure(test, case | others, label) for case, label in tried]
            failures = [failure for failure in told if failure]
            if failures:
                raise ExceptionGroup(f"{len(failures)} of {len(cases)} rows fail", failures)

        asked = inspect.signature(test)
        kept = [argument for name, argument in asked.parameters.items() if name not in keys]
        vars(whole_table)["__signature__"] = asked.replace(parameters=kept)
        return whole_table

    return decorate


def _case(keys: Sequence[str], row: Any) -> dict[str, Any]:
    """Return the arguments that a row stands for."""
    if isinstance(row, _Row):
        assert not row.marks, "a row has no marks; pytest.mark.parametrize has"
        row = row.values if len(keys) > 1 else row.values[0]
    return dict(zip(keys, row, strict=True)) if len(keys) > 1 else {keys[0]: row}


def _labels(cases: Sequence[dict[str, Any]], ids: Labels) -> list[str]:
    """Return what each row is called in a failure."""
    if ids is None or callable(ids):
        name = ids or repr
        return [", ".join(f"{key}={name(value)}" for key, value in case.items()) for case in cases]
    return list(ids)


def _failure(test: Test, arguments: dict[str, Any], label: str) -> Exception | None:
    """Try one row; return what it raised, with the name of the row."""
    try:
        test(**arguments)
    except (Exception, pytest.fail.Exception) as raised:  # noqa: BLE001 - the other rows go on
        failed = raised if isinstance(raised, Exception) else AssertionError(str(raised))
        failed.add_note(f"in the row {label}")
        return failed
    return None
