"""Time and peak memory of a piece of work, measured in a process of its own."""

from __future__ import annotations

import gc
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import Any, Self


@dataclass(frozen=True)
class Cost:
    """wall, cpu: seconds. peak: MB of the process, its imports included. before: MB before it."""

    wall: float
    cpu: float
    peak: float
    before: float

    def __str__(self) -> str:
        return (
            f"{self.wall:.2f} s, {self.cpu:.2f} s of CPU, {self.peak:.0f} MB at the most "
            f"({self.before:.0f} MB before)"
        )

    @classmethod
    def best(cls, costs: list[Self]) -> Self:
        """The least of each over repetitions."""
        return cls(*(min(column) for column in zip(*map(astuple, costs), strict=True)))


def cost_of(work: Callable[[], Any]) -> Cost:
    """What a piece of work costs this process; print it as JSON for `measured`."""
    gc.collect()
    before, wall, cpu = _memory("VmRSS"), time.perf_counter(), time.process_time()
    kept = work()
    cost = Cost(time.perf_counter() - wall, time.process_time() - cpu, _memory("VmHWM"), before)
    del kept
    return cost


def print_cost(work: Callable[[], Any]) -> None:
    """Print what a piece of work costs, for `measured`."""
    print(json.dumps(asdict(cost_of(work))))


def measured(module: str, *words: str) -> Cost:
    """What a process of a benchmark printed with `print_cost`."""
    command = [sys.executable, "-m", module, *words]
    found = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return Cost(**json.loads(found.stdout.splitlines()[-1]))


def _memory(key: str) -> float:
    # Not ru_maxrss: a process starts with the peak of the one that forked it.
    text = Path("/proc/self/status").read_text()
    found = re.search(rf"^{key}:\s+(\d+) kB", text, re.MULTILINE)
    assert found is not None
    return int(found[1]) / 1024
