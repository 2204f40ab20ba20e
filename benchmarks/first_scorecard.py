"""Time to a first finding: from `pip install` into an empty environment to a scorecard.

    python -m benchmarks.first_scorecard [--minutes 1.5]

Builds a virtual environment, installs this checkout with its default dependencies from the
configured package index, and examines YOLOX-nano on `coco_val64` with empty caches. Prints the
seconds of CPU and of wall time of each step, and the CPU time in all as a share of five minutes.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DATA = Path(os.environ.get("SNELLEN_DATA", Path(__file__).parents[2] / "shared" / "data"))
ROOT = Path(__file__).parents[1]
GOAL = 300.0
"""Seconds of CPU."""
ALLOWED = (0, 1)
"""Exit codes of an exam that ends in a scorecard."""


def timed(what: str, command: list[str], folder: Path) -> float:
    """Run a command in a folder with caches of its own; its seconds of CPU."""
    own = {name: str(folder / name.lower()) for name in ("SNELLEN_CACHE", "NUMBA_CACHE_DIR")}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, cwd=folder, env={**os.environ, **own}, check=False)
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - start
    if done.returncode not in ALLOWED:
        sys.exit(f"{what} failed with exit code {done.returncode}")
    cpu = (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)
    print(f"{what:12} {cpu:6.1f} s of CPU {wall:6.1f} s", flush=True)
    return cpu


def main() -> None:
    """Install, examine, and print the sum."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.first_scorecard")
    parser.add_argument("--minutes", type=float, default=1.5, help="time of the exam")
    given = parser.parse_args()
    model, scenes = DATA / "detectors" / "yolox_nano.onnx", DATA / "coco_val64"
    if not model.is_file() or not scenes.is_dir():
        print("the model or the photographs are absent; set SNELLEN_DATA to where they are")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        python = folder / "venv" / "bin" / "python"
        install = [str(python), "-m", "pip", "install", "--quiet", str(ROOT)]
        exam = ["exam", str(model), str(scenes), "--minutes", str(given.minutes), "--out", "exam"]
        cpu = timed("environment", [sys.executable, "-m", "venv", str(folder / "venv")], folder)
        cpu += timed("install", install, folder)
        cpu += timed("exam", [str(python.with_name("snellen")), *exam], folder)
    print(f"{cpu:.0f} s of CPU to the scorecard, {cpu / GOAL:.2f} times the goal of five minutes")


if __name__ == "__main__":
    main()
