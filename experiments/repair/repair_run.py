"""One repair of YOLOv4-tiny: its configuration, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.coco import scenes
from experiments.progress_log import ProgressLog
from experiments.repair.photograph_split import Uses
from experiments.repair.settings import THRESHOLD
from snellen.repair.repair_outcome import Outcome
from snellen.repair.repair_plan import plan_from
from snellen.repair.workflow import RepairRequest, run_repair
from snellen.starter.fetch import fetch

SEED = 1


def subject() -> dict[str, Any]:
    """YOLOv4-tiny as a torch module."""
    folder = fetch(["yolov4-tiny"])["yolov4-tiny"]
    files = {key: str(folder / name) for key, name in FILES.items()}
    return {"kind": "torch", "name": "YOLOv4-tiny", "score": THRESHOLD, **files}


FILES = {"cfg": "yolov4-tiny.cfg", "weights": "yolov4-tiny.weights", "names": "coco.names"}


def repair(
    data: Path,
    out: Path,
    parts: Uses,
    tested: Mapping[str, Any],
    options: Mapping[str, Any],
    arms: Sequence[str],
    *,
    fresh: bool,
) -> Outcome:
    """What a repair came to; goes on with what is in `out`.

    parts: the photographs. tested: the part `robustness:`. options: other parts. The annotations of
    each part are written beside `out`.
    """
    values = {
        "method": "robustness",
        "seed": SEED,
        "subject": subject(),
        "scenes": {
            use: scenes(data, out.parent / f"{use}.json", set(getattr(parts, use)))
            for use in ("train", "repair", "evaluate")
        },
        "robustness": dict(tested),
        "configurations": list(arms),
        "unchanged": True,
        "validation": 0.0,
        "fresh": fresh,
        "out": str(out.resolve()),
        **options,
    }
    plan = plan_from(values, out.parent / "repair.yaml")
    return run_repair(plan, RepairRequest(resume=True), ProgressLog())
