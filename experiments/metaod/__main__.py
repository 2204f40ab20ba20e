"""Guided against random insertion, and relocation: MetaOD's Sec. 4.3 and Tables 1, 3, 4.

    python -m experiments.metaod [--data FOLDER] [--scenes N] [--out FOLDER]

For each detector four runs: guided with relocation and random without, each judged as published
(AP = 100%, hard pastes, stretched) and by events (feathered pastes, margins, controls). Predictions
are cached. The tables are written to `results.md` next to this file.
"""

from __future__ import annotations

import argparse
import os
from datetime import date
from pathlib import Path
from typing import Any

from experiments.detectors import detectors
from experiments.metaod.tables import results_page
from snellen.cli.run_progress import display_run
from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.report.summary import write_summary

HERE = Path(__file__).parent
DATA = Path(os.environ.get("SNELLEN_DATA", HERE.parents[2] / "shared" / "data"))
SCORE = 0.5
"""The published threshold of the TensorFlow models."""


def subjects(data: Path) -> dict[str, dict[str, Any]]:
    """The detectors under test, by name."""
    order = ("NanoDet", "YOLOX-nano", "SSD-MobileNet", "YOLOv4-tiny")
    found = detectors(data)
    return {name: found[name] for name in order}


def campaign_values(data: Path, subject: dict[str, Any], scenes: int | None) -> dict[str, Any]:
    """The configuration that all runs of a detector share."""
    return {
        "method": "insertion",
        "seed": 1,
        "subject": {**subject, "score": SCORE},
        "scenes": {
            "kind": "coco",
            "annotations": str(data / "coco_val64" / "instances.json"),
            "images": str(data / "coco_val64" / "images"),
            "limit": scenes,
        },
    }


def objects(data: Path, prune: str) -> dict[str, Any]:
    """Objects cut along COCO's masks."""
    return {
        "kind": "coco",
        "annotations": str(data / "coco_train128" / "instances_train2017.json"),
        "images": str(data / "coco_train128" / "images"),
        "prune": prune,
    }


RUNS: dict[str, tuple[str, dict[str, Any]]] = {
    "published-guided": ("published", {"as_published": True, "measures": ["hog", "seam"]}),
    "published-random": (
        "published",
        {"as_published": True, "placement": "random", "relocate": False},
    ),
    "events-guided": ("quality", {"measures": ["hog", "seam"]}),
    "events-random": ("quality", {"placement": "random", "relocate": False}),
}

EXPLAINED = "events-guided"
"""The run whose findings are explained."""


def main() -> None:
    """Run what is missing, then write the tables."""
    parser = argparse.ArgumentParser(prog="python -m experiments.metaod")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--scenes", type=int, default=None, help="use only the first N scenes")
    parser.add_argument("--out", type=Path, default=Path("runs/metaod"))
    given = parser.parse_args()
    found: dict[str, dict[str, Path]] = {}
    for name, subject in subjects(given.data).items():
        for run, (prune, options) in RUNS.items():
            folder = given.out.resolve() / name / run
            values = {
                **campaign_values(given.data, subject, given.scenes),
                "objects": objects(given.data, prune),
                "insertion": options,
                "engine": {"explain": 0.3 if run == EXPLAINED else 0.0},
                "out": str(folder),
            }
            campaign = campaign_from(values, HERE / "experiment.yaml")
            print(f"== {name}, {run}", flush=True)
            with display_run(campaign) as watcher:
                run_campaign(campaign, resume=True, watcher=watcher)
            write_summary(folder)
            found.setdefault(name, {})[run] = folder
    text = results_page(found, date.today().isoformat(), "python -m experiments.metaod")
    (HERE / "results.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
