"""Long runs stay as fast and as small as they start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


def soak(method: str, cases: int, cache: Path | None = None) -> dict[str, float]:
    """What a soak in a process of its own measured. cache: the user's cache folder."""
    command = [sys.executable, "-m", "benchmarks.soak", method, str(cases)]
    given = {} if cache is None else {"SNELLEN_CACHE": str(cache)}
    environment = {**os.environ, **given}
    found = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    measured: dict[str, float] = json.loads(found.stdout.splitlines()[-1])
    return measured


def test_a_short_soak_counts_its_cases_and_bytes() -> None:
    found = soak("identity", 1_000)
    assert found["cases"] == 1_000
    assert found["errors"] == 0
    assert 100 < found["bytes_per_case"] < 400
    assert found["last_memory"] < 500


def test_answers_of_an_earlier_soak_do_not_make_the_first_cases_cheaper(tmp_path: Path) -> None:
    """They once did, so that 100,000 cases of `insertion` seemed to become slower."""
    first, second = (soak("insertion", 400, tmp_path) for _ in range(2))
    assert first["cases"] == second["cases"] > 300
    assert first["cache_hits"] == second["cache_hits"] < first["cases"] / 10


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("method", "cases", "size"), [("identity", 200_000, 200), ("insertion", 100_000, 520)]
)
def test_cases_take_the_same_time_and_memory_to_the_end(method: str, cases: int, size: int) -> None:
    found = soak(method, cases)
    assert found["cases"] == pytest.approx(cases, rel=0.01)
    assert found["errors"] == 0
    assert found["slowdown"] < 1.1
    assert found["last_memory"] < found["first_memory"] + 15
    assert found["bytes_per_case"] < size
