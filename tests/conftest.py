"""Hypothesis on a machine that other work shares: no deadline, and what fails once fails again."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "house", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")
