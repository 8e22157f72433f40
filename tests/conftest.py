"""Compiling a kernel takes longer than any deadline, and a suite must not depend on luck."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "league",
    deadline=None,
    derandomize=True,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("league")
