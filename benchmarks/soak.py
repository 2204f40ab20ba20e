"""A long run: whether time per case, memory and bytes per case stay the same to its end.

    python -m benchmarks.soak [METHOD [CASES]]

METHOD is `identity` (default) or `insertion`, CASES about how many (200,000), asked of a planted
subject in this process. Times are CPU time, each relative to that of a fixed piece of work done
just before and after, so that other work on the machine counts less; the medians of the first and
the last tenth are compared. The prediction cache is empty at first: answers left by a shorter run
would make the first cases cheaper than the last. Target: within 10%, memory flat.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from snellen.engine.campaign import campaign_from
from snellen.engine.progress import RunTally, SilentWatcher
from snellen.engine.run import run_campaign
from snellen.store.journal import UnitEnd
from snellen.store.run_folder import JOURNAL

CASES = 200_000
SETTINGS: dict[str, tuple[dict[str, Any], int]] = {
    "identity": ({"identity": {"repeats": 20}}, 20),
    "insertion": (
        {
            "insertion": {"relocate": False, "per_object": 10, "controls": 0.2},
            "objects": {"kind": "synthetic", "count": 12, "shade": "deep", "seed": 2},
        },
        20,
    ),
}
"""The configuration of a method, and about how many cases a scene gives."""
SUBJECTS = {
    "identity": {"kind": "planted", "fault": "restless", "rate": 0.1},
    "insertion": {"kind": "planted", "fault": "loses", "rate": 0.1},
}
WINDOWS = 400


@dataclass
class Samples(SilentWatcher):
    """What was measured after some units. memory: MB resident.

    cpu: seconds, without those of the yardstick, `spent`. yardstick: seconds the fixed work took.
    """

    every: int
    cases: list[int] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    yardstick: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    spent: float = 0.0

    def update(self, tally: RunTally, end: UnitEnd | None) -> None:
        """Take a sample."""
        if end is not None and tally.ended % self.every == 0:
            self.cases.append(tally.cases)
            self.cpu.append(time.process_time() - self.spent)
            start = time.thread_time()  # other threads go on building and asking
            _fixed_work()
            self.yardstick.append(time.thread_time() - start)
            self.spent += self.yardstick[-1]
            self.memory.append(_resident())


def _fixed_work() -> None:
    """Some milliseconds of what a run does, always the same."""
    rows = [{"box": [n / 7, n / 3], "name": str(n)} for n in range(2_000)]
    boxes = np.array([row["box"] for row in json.loads(json.dumps(rows))])
    np.sort(np.hypot(boxes[:, 0], boxes[:, 1]))


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


@dataclass(frozen=True)
class Soak:
    """milliseconds: CPU time per case, medians. memory: MB resident, medians of tenths.

    yardstick: the time of the fixed work in the last tenth over that in the first. slowdown: the
    time per case, in units of the fixed work's, in the last tenth over that in the first.
    """

    cases: int
    errors: int
    cache_hits: int
    first_milliseconds: float
    last_milliseconds: float
    first_memory: float
    last_memory: float
    yardstick: float
    slowdown: float
    bytes_per_case: float
    wall: float

    @property
    def growth(self) -> float:
        """MB by which the process has grown since the second tenth."""
        return self.last_memory - self.first_memory


def soak(method: str, cases: int, folder: Path) -> Soak:
    """Run a method on generated scenes for about so many cases."""
    settings, per_scene = SETTINGS[method]
    scenes = max(20, cases // per_scene)
    look = {"size": [72, 72], "objects": [1, 2], "sides": [16, 20], "gap": 4}
    campaign = campaign_from(
        {
            "method": method,
            **settings,
            "subject": SUBJECTS[method],
            "scenes": {"kind": "synthetic", "count": scenes, **look},
            "engine": {"workers": 0, "explain": 0},
            "out": "run",
        },
        folder / "soak.yaml",
    )
    os.environ["SNELLEN_CACHE"] = str(folder / "cache")
    samples = Samples(max(1, scenes // WINDOWS))
    start = time.perf_counter()
    tally = run_campaign(campaign, watcher=samples)
    wall = time.perf_counter() - start
    size = (folder / "run" / JOURNAL).stat().st_size
    return _measured(samples, tally, size / tally.cases, wall)


def _measured(samples: Samples, tally: RunTally, size: float, wall: float) -> Soak:
    spans = list(zip(samples.cpu, samples.cpu[1:], samples.cases, samples.cases[1:], strict=False))
    each = [1000 * (end - start) / max(1, after - before) for start, end, before, after in spans]
    sticks = samples.yardstick
    pairs = zip(each, sticks, sticks[1:], strict=False)
    equal = [own / (before + after) for own, before, after in pairs]
    tenth = max(1, len(each) // 10)
    first, last = statistics.median(each[:tenth]), statistics.median(each[-tenth:])
    slowdown = statistics.median(equal[-tenth:]) / statistics.median(equal[:tenth])
    early = statistics.median(samples.memory[tenth : 2 * tenth])
    late = statistics.median(samples.memory[-tenth:])
    stick = statistics.median(sticks[-tenth:]) / statistics.median(sticks[:tenth])
    return Soak(
        tally.cases, tally.errors, tally.cache_hits, first, last, early, late, stick, slowdown,
        size, wall,
    )  # fmt: skip


def main() -> None:
    method = sys.argv[1] if len(sys.argv) > 1 else "identity"
    cases = int(sys.argv[2]) if len(sys.argv) > 2 else CASES
    with tempfile.TemporaryDirectory() as folder:
        found = soak(method, cases, Path(folder))
    print(
        f"{method}: {found.cases} cases in {found.wall:.0f} s, {found.errors} units with errors\n"
        f"  CPU per case: {found.first_milliseconds:.3f} ms in the first tenth, "
        f"{found.last_milliseconds:.3f} in the last; ratio {found.slowdown:.3f} with the machine "
        f"at {1 / found.yardstick:.2f} of its speed (target within 10%)\n"
        f"  memory: {found.first_memory:.0f} MB in the second tenth, {found.last_memory:.0f} in "
        f"the last\n  journal: {found.bytes_per_case:.0f} bytes per case"
    )
    print(json.dumps(asdict(found)))


if __name__ == "__main__":
    main()
