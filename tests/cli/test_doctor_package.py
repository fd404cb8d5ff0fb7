"""`pbm doctor package`: whether what runs is this project's, and not a stranger's `pbm`."""

from pathlib import Path

import pytest

from pbm import __version__
from tests.cli.patients import found

pytestmark = pytest.mark.usefixtures("bare")


def put(folder: Path, name: str, version: str) -> None:
    """Put the record of an installed distribution into a folder."""
    record = folder / f"{name}-{version}.dist-info"
    record.mkdir(parents=True)
    (record / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")


def test_the_package_of_this_tree_is_ours() -> None:
    level, text = found("package")
    assert (level, text.partition(";")[0]) == ("ok", f"pbm-server {__version__}")


def test_a_strangers_package_of_the_name_pbm_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "site", "pbm", "0.6.4")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    level, text = found("package")
    assert level == "FAIL"
    assert "a package called pbm, 0.6.4," in text
    assert "pip uninstall pbm" in text
    assert "--force-reinstall" in text


def test_an_installation_elsewhere_than_what_runs_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    put(site, "pbm_server", "99.0")
    (site / "pbm_server-99.0.dist-info" / "RECORD").write_text("pbm/__init__.py,,\n")
    (site / "pbm").mkdir()
    (site / "pbm" / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(site))
    level, text = found("package")
    assert level == "FAIL"
    assert f"pbm-server is installed in {site / 'pbm'}, but what runs is " in text
