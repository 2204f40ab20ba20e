"""What reuse saves when requirements are checked: real runs of a segmenter, timed.

Requirements of detection and of instance segmentation, each a conjunction of thresholds, are
checked in four ways: each requirement in a run of its own, as if nothing were shared; each task in
a run of its own; segmentation after detection, on the answers that were kept; and both in one run.
Seconds are those of the clock, from opening the subject to the written verdicts.

The subject is the segmenter of the shared data on COCO photographs; without them a planted one on
generated scenes that takes as long as it is told to.

Run: python -m benchmarks.requirement_reuse
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.methods.human.people import ThresholdSource
from snellen.methods.human.subtasks import TaskName
from snellen.methods.requirements.specification.generation import (
    KnownThresholds,
    generate_requirements,
)
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.methods.requirements.specification.requirement_file import write_requirements
from snellen.report.summary import write_summary

DATA = Path(os.environ.get("SNELLEN_DATA", Path(__file__).parents[2] / "shared" / "data"))
SCENES, SAMPLES, SLEEP_MS = 12, 3, 80
THRESHOLDS = {"localise": 0.9, "classify": 0.8, "segment": 0.6}


@dataclass(frozen=True)
class Bench:
    """What is tested, in which folder."""

    subject: dict[str, Any]
    scenes: dict[str, Any]
    label: str
    folder: Path

    def run(self, requirements: list[Requirement], cache: str) -> float:
        """Seconds of a run on some requirements, with the answers that a cache has and gets."""
        place = Path(tempfile.mkdtemp(dir=self.folder))
        write_requirements(place / "demands.yml", tuple(requirements))
        values = {
            "method": "requirements",
            "subject": self.subject,
            "scenes": self.scenes,
            "requirements": {"file": "demands.yml", "samples": SAMPLES, "controls": 0},
            "engine": {"workers": 1},
            "out": "run",
        }
        with _cache(self.folder / cache):
            begin = time.perf_counter()
            run_campaign(campaign_from(values, place / "run.yaml"))
            summary = write_summary(place / "run")
            spent = time.perf_counter() - begin
        assert len(summary.requirements) == len(requirements)
        return spent

    def demands(self, *tasks: TaskName) -> list[Requirement]:
        """The requirements of tasks."""
        source = ThresholdSource(study="made up")
        thresholds: Any = {name: (value, source) for name, value in THRESHOLDS.items()}
        known = KnownThresholds(
            self.label, "frost", "correctness", "vifp(sigma_nsq=2)", thresholds, {}
        )
        return list(generate_requirements([known], list(tasks)))


@contextmanager
def _cache(folder: Path) -> Iterator[None]:
    before = os.environ.get("SNELLEN_CACHE")
    os.environ["SNELLEN_CACHE"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ["SNELLEN_CACHE"]
        else:
            os.environ["SNELLEN_CACHE"] = before


def bench(folder: Path) -> Bench:
    """The segmenter of the shared data, or a planted one."""
    model = DATA / "segmenters" / "yolov8n-seg_int8.tflite"
    if not model.exists():
        slow = {"kind": "planted", "task": "segmentation", "sleep_ms": SLEEP_MS}
        made = {"kind": "synthetic", "count": SCENES, "size": [480, 640]}
        return Bench(slow, made, "any", folder)
    photographs = DATA / "coco_val64"
    scenes = {
        "kind": "coco",
        "annotations": str(photographs / "instances.json"),
        "images": str(photographs / "images"),
        "limit": SCENES,
    }
    return Bench({"kind": "tflite", "model": str(model), "score": 0.5}, scenes, "person", folder)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        tested = bench(Path(folder))
        detection, both = tested.demands("detection"), tested.demands("detection", "segmentation")
        segmentation = tested.demands("segmentation")
        tested.run(detection[:1], "warm")  # compiles what is compiled at the first use
        apart = sum(tested.run([one], f"apart {number}") for number, one in enumerate(both))
        first = tested.run(detection, "shared")
        alone = tested.run(segmentation, "alone")
        after = tested.run(segmentation, "shared")
        together = tested.run(both, "together")
    print(f"{tested.subject['kind']}, {SCENES} scenes, {1 + SAMPLES} questions each:")
    print(f"  each of {len(both)} requirements in a run of its own: {apart:.1f} s")
    print(f"  detection {first:.1f} s; segmentation by itself {alone:.1f} s")
    print(
        f"  segmentation on the answers of detection {after:.1f} s: {1 - after / alone:.0%} less "
        "(published: 81-87%)"
    )
    print(
        f"  both in one run {together:.1f} s: {1 - together / (first + alone):.0%} less than apart "
        f"by task, {1 - together / apart:.0%} less than apart by requirement"
    )


if __name__ == "__main__":
    main()
