from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

import snellen.vision.compilation
from snellen.disk.lock import try_lock
from snellen.vision.compilation import compiled, loop_for, read_only


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


TOGETHER = """
import sys, time
from numba.core import event
from loops import total

class Slow(event.Listener):
    def on_start(self, what): time.sleep(0.3)
    def on_end(self, what): pass

event.register("numba:compile", Slow())
print("ready", flush=True)
sys.stdin.readline()
answer = total(5)
print(answer, sum(total.stats.cache_misses.values()))
"""


def test_of_processes_that_start_together_one_compiles_a_loop(tmp_path: Path) -> None:
    (tmp_path / "loops.py").write_text(
        "from snellen.vision.compilation import compiled\n\n"
        "@compiled\ndef part(k):\n    return k\n\n"
        "@compiled\ndef total(count):\n"
        "    out = 0\n    for k in range(count):\n        out += part(k)\n    return out\n"
    )
    paths = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    there = {**os.environ, "PYTHONPATH": paths, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", TOGETHER],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=there,
        )
        for _ in range(2)
    ]  # fmt: skip
    for run in runs:
        assert run.stdout is not None
        assert run.stdout.readline() == "ready\n"
    for run in runs:
        assert run.stdin is not None
        print(file=run.stdin, flush=True)
    said = [run.communicate()[0] for run in runs]
    assert sorted(said) == ["10 0\n", "10 1\n"]


@pytest.mark.parametrize("trouble", ["held", "folder"])
def test_a_lock_that_cannot_be_had_stops_no_loop(
    trouble: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(snellen.vision.compilation, "PATIENCE", 0.1)

    @compiled
    def total(count: int) -> int:
        return count * 2

    loop: Any = total
    line = loop.py_func.__code__.co_firstlineno
    lock = Path(loop.stats.cache_path) / f"{Path(__file__).stem}.total-{line}.lock"
    lock.parent.mkdir(exist_ok=True)
    if trouble == "folder":
        lock.mkdir()
        assert total(3) == 6
    else:
        with try_lock(lock) as mine:
            assert mine
            assert total(3) == 6
    assert list(lock.parent.glob("*.lock")) == [lock]


def test_a_loop_runs_uncompiled_for_those_who_look_for_a_mistake_in_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(numba.config, "DISABLE_JIT", True)

    @compiled
    def double(count: int) -> int:
        return count * 2

    assert not hasattr(double, "py_func")
    assert double(3) == 6


LIGHT = (
    "precision.average_precision",
    "detections",
    "events",
    "detection_formats",
    "boxes.matching",
    "masks.polygons",
    "precision.tide",
)


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
    assert {typeof(read_only(one)) for one in given} == {typeof(locked)}
    assert all(np.array_equal(read_only(one), own) for one in given)
    assert own.flags.writeable


@pytest.fixture
def nothing_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a process that has just started."""
    monkeypatch.setattr("snellen.vision.compilation._steps", Counter())
    monkeypatch.setattr("snellen.vision.compilation.FEW", 10)


@compiled
def inverse(value: float) -> float:
    return 1.0 / value


@compiled
def sum_of_inverses(values: Any) -> float:
    out = 0.0
    for value in values:
        out += inverse(value)
    return out


@pytest.mark.usefixtures("nothing_done")
def test_a_loop_with_little_to_do_is_not_compiled_and_one_with_much_is() -> None:
    values = np.array([1.0, 2.0, 0.0])
    loops: list[Any] = [sum_of_inverses, inverse]
    for steps, compilations in ((4, 0), (4, 0), (4, 1)):
        assert loop_for(sum_of_inverses, steps)(values) == np.inf, "division follows numpy"
        assert [len(loop.signatures) for loop in loops] == [compilations] * 2


ANNOUNCED = """
import sys
from loops import total
from snellen.vision.compilation import announce_compilation
announce_compilation(lambda: print("compiling"))
print(total(5), total(5.0))
"""


def test_a_compilation_is_announced_once_and_a_cached_loop_is_not(tmp_path: Path) -> None:
    (tmp_path / "loops.py").write_text(
        "from snellen.vision.compilation import compiled\n\n"
        "@compiled\ndef total(count):\n    return count + count\n"
    )
    paths = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    there = {**os.environ, "PYTHONPATH": paths, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    said = [
        subprocess.run(
            [sys.executable, "-c", ANNOUNCED], capture_output=True, text=True, env=there, check=True
        ).stdout
        for _ in range(2)
    ]
    assert said == ["compiling\n10 10.0\n", "10 10.0\n"]
