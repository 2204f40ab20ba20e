from __future__ import annotations

import subprocess
import sys
from typing import Any

import numba
import numpy as np
import pytest

from snellen.vision.compiled import compiled, still


def test_a_loop_compiles_where_nothing_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    real = numba.njit

    def njit(*args: Any, cache: bool = False, **options: Any) -> Any:
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return real(*args, **options)

    monkeypatch.setattr(numba, "njit", njit)

    @compiled
    def total(count: int) -> int:
        out = 0
        for k in range(count):
            out += k
        return out

    assert total(5) == 10


LIGHT = ("average_precision", "detections", "events", "exchange", "matching", "polygons", "tide")


def test_no_value_type_or_measure_loads_the_compiler_before_it_is_used() -> None:
    code = f"""
import importlib, sys
for name in {LIGHT}:
    importlib.import_module("snellen.vision." + name)
print(*(name for name in ("numba", "scipy", "cv2", "torch") if name in sys.modules))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []


def test_what_a_loop_reads_has_one_type_wherever_it_comes_from() -> None:
    typeof = numba.typeof
    own = np.arange(12.0).reshape(3, 4)
    locked = own.copy()
    locked.flags.writeable = False
    given = [own, locked, np.asfortranarray(own), np.repeat(own, 2, axis=1)[:, ::2]]
    assert {typeof(still(one)) for one in given} == {typeof(locked)}
    assert all(np.array_equal(still(one), own) for one in given)
    assert own.flags.writeable
