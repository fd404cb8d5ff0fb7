"""Hypothesis for a shared machine: no deadline, and a failure that always repeats.

Tests may run as root, in CI for example, and so may the servers that they start.
"""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "house", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")

os.environ["PBM_AS_ROOT"] = "1"
