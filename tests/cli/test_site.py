"""`pbm site build` removes and overwrites only files of its own."""

from pathlib import Path

import pytest

from tests.cli.terminal import done, refused

pytestmark = pytest.mark.usefixtures("table")

FOREIGN = Path("www/p/thesis.pdf")


def test_a_folder_of_others_is_refused_and_an_empty_one_is_taken() -> None:
    FOREIGN.parent.mkdir(parents=True)
    FOREIGN.write_text("thesis")
    assert "www holds p, and pbm has never built pages there." in refused("site", "build", "www")
    assert [each.name for each in Path("www").rglob("*.*")] == [".pbm-site.lock", "thesis.pdf"]
    Path("empty").mkdir()
    done("site", "build", "empty")


def test_what_others_put_among_the_pages_stays_and_pages_that_are_gone_go() -> None:
    assert "No site-url is set, so there are no feeds" in done("site", "build", "www")
    FOREIGN.write_text("thesis")
    done("user", "erase", "alice", "--yes")
    assert Path("www/p/alice.html").exists()
    done("site", "build", "www")
    assert FOREIGN.exists()
    assert not Path("www/p/alice.html").exists()
