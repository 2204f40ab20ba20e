"""Peak memory of an insertion run, for few scenes and for many.

Each run is a process of its own on generated 1280x720 scenes. Target: under 1 GB, and flat in the
number of scenes.
"""

from __future__ import annotations

import multiprocessing
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

FEW, MANY = 8, 48


def run(scenes: int) -> None:
    from snellen.engine.campaign import campaign_from
    from snellen.engine.run import run_campaign

    with tempfile.TemporaryDirectory() as folder:
        campaign = campaign_from(
            {
                "method": "insertion",
                "subject": {"kind": "planted", "fault": "loses", "distance": 10},
                "scenes": {"kind": "synthetic", "count": scenes, "size": [720, 1280]},
                "objects": {"kind": "synthetic", "count": 12, "shade": "deep", "seed": 2},
                "insertion": {"relocate": False},
                "engine": {"cache": False, "workers": 1},
                "out": "run",
            },
            Path(folder) / "memory.yaml",
        )
        tally = run_campaign(campaign)
    for builder_process in multiprocessing.active_children():
        builder_process.join(10)
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    builder = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{scenes} {tally.cases} {own:.0f} {builder:.0f}")


def main() -> None:
    peaks = []
    for scenes in (FEW, MANY):
        command = [sys.executable, "-m", "benchmarks.insertion_memory", str(scenes)]
        words = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        own, builder = float(words[2]), float(words[3])
        peaks.append(own)
        print(f"{scenes} scenes, {words[1]} cases: {own:.0f} MB, its builder {builder:.0f} MB")
    ratio = peaks[1] / peaks[0]
    print(f"ratio {ratio:.2f} for {MANY // FEW} times the scenes (target: under 1000 MB, near 1)")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run(int(sys.argv[1]))
    else:
        main()
