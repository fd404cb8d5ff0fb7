"""What a bug leaves in the log and in the shunt."""

from errno import EMFILE

import pytest

from pbm.service.bugs import trace_of


@pytest.mark.parametrize(
    ("bug", "named"),
    [
        (OSError(EMFILE, "Too many open files", "secret-word"), "OSError: EMFILE"),
        (OSError(554, "secret-word"), "OSError"),
        (ValueError("secret-word"), "ValueError"),
    ],
)
def test_a_bug_is_named_by_its_kind_and_an_error_of_the_system_by_its_name(
    bug: Exception, named: str
) -> None:
    assert trace_of(bug) == named
