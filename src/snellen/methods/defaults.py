"""The methods that a command takes where none is named. No imports: commands read it at start."""

from __future__ import annotations

INIT_METHOD = "insertion"
"""Which method `snellen init` writes a configuration for."""
REPAIR_METHOD = "robustness"
"""Which method `snellen repair` tests with."""
