"""Compiling a kernel takes longer than any deadline, and a suite must not depend on luck."""

from hypothesis import settings

settings.register_profile("rate", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("rate")
