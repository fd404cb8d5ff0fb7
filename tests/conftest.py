"""Hypothesis for a shared machine: no deadline, and a failure that always repeats.

Tests may run as root, in CI for example, and so may the servers that they start.
"""

import gc
import os
import shutil

import pytest
from hypothesis import HealthCheck, settings

from tests.dialect import share_statements

settings.register_profile(
    "house", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")

os.environ["PBM_AS_ROOT"] = "1"

share_statements()

# Tests end processes, never the machine, so their folders may lie in memory: on a disk thousands
# of commits would wait for it. A container may have next to none.
MEMORY = "/dev/shm"
if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > 4 << 30:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", MEMORY)

# A worker holds ten thousand tests until its end. Python would look through them for garbage
# again and again, which took a sixth of the time.
gc.set_threshold(50_000, 20, 100)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Leave out of every search for garbage what has been imported and collected."""
    del session
    gc.freeze()
