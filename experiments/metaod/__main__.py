"""Guided against random insertion, and relocation: MetaOD's Sec. 4.3 and Tables 1, 3, 4.

    python -m experiments.metaod [--data FOLDER] [--scenes N] [--out FOLDER]

For each detector, on photographs of COCO and of Pascal VOC, four runs: guided with relocation and
random without, each judged as published (AP = 100%, hard pastes, stretched) and by events
(natural pastes, margins, controls). Predictions are cached. The tables are written to
`results.md` next to this file.
"""

from __future__ import annotations

import argparse
import os
from datetime import date
from pathlib import Path
from typing import Any

from experiments.detectors import detectors
from experiments.metaod.photographs import COCO, VOC, object_section, scene_sections
from experiments.metaod.tables import results_page
from snellen.engine.campaign import Campaign, campaign_from
from snellen.engine.progress import display_run
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
    parser.add_argument(
        "--scenes", type=int, default=None, help="use only the first N scenes of each set"
    )
    parser.add_argument("--sets", nargs="*", default=[COCO, VOC], choices=(COCO, VOC))
    parser.add_argument("--out", type=Path, default=Path("runs/metaod"))
    given = parser.parse_args()
    out = given.out.resolve()
    sections, objects = scene_sections(given.data, out), object_section(given.data, out)
    found: dict[str, dict[str, Path]] = {}
    for data_set in given.sets:
        for name, subject in subjects(given.data).items():
            for run, (prune, options) in RUNS.items():
                folder = out / data_set / name / run
                values = {
                    "method": "insertion",
                    "seed": 1,
                    "subject": {**subject, "score": SCORE},
                    "scenes": {**sections[data_set], "limit": given.scenes},
                    "objects": {**objects, "prune": prune},
                    "insertion": options,
                    "engine": {"explain": 0.3 if run == EXPLAINED else 0.0},
                    "out": str(folder),
                }
                print(f"== {data_set}, {name}, {run}", flush=True)
                _run(campaign_from(values, HERE / "experiment.yaml"))
                write_summary(folder)
                found.setdefault(f"{name}, {data_set}", {})[run] = folder
    text = results_page(found, date.today().isoformat(), "python -m experiments.metaod")
    (HERE / "results.md").write_text(text, encoding="utf-8")
    print(text)


def _run(campaign: Campaign) -> None:
    with display_run(campaign.method) as watcher:
        run_campaign(campaign, resume=True, watcher=watcher)


if __name__ == "__main__":
    main()
