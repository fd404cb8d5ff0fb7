"""Houses under test keep their databases in memory here, too."""

from tests.service.conftest import tmp_path

__all__ = ["tmp_path"]
