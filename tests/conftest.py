"""What many tests share: where the real data is, and where it is not, a reason to skip."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "snellen",
    deadline=None,
    print_blob=True,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("snellen")

DATA = Path(os.environ.get("SNELLEN_DATA", Path(__file__).parents[2] / "shared" / "data"))


@pytest.fixture(scope="session")
def shared() -> Callable[[str], Path]:
    """A path of the real data, or a skip that says why."""

    def find(relative: str) -> Path:
        path = DATA / relative
        if not path.exists():
            pytest.skip(f"real data '{relative}' is absent; set SNELLEN_DATA to where it is")
        return path

    return find
