"""Long runs stay as fast and as small as they start."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest


def soak(method: str, cases: int) -> dict[str, float]:
    """What a soak in a process of its own measured."""
    command = [sys.executable, "-m", "benchmarks.soak", method, str(cases)]
    found = subprocess.run(command, check=True, capture_output=True, text=True)
    measured: dict[str, float] = json.loads(found.stdout.splitlines()[-1])
    return measured


def test_a_short_soak_counts_its_cases_and_bytes() -> None:
    found = soak("identity", 1_000)
    assert found["cases"] == 1_000
    assert found["errors"] == 0
    assert 100 < found["bytes_per_case"] < 400
    assert found["last_memory"] < 500


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_two_hundred_thousand_cases_take_the_same_time_and_memory_to_the_end() -> None:
    found = soak("identity", 200_000)
    assert found["cases"] == 200_000
    assert found["errors"] == 0
    slowdown = found["last_milliseconds"] / found["first_milliseconds"] / found["yardstick"]
    assert slowdown < 1.1
    assert found["last_memory"] < found["first_memory"] + 15
    assert found["bytes_per_case"] < 200
