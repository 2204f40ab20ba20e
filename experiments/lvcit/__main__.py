"""Label combinations against random photographs: LV-CIT's Tables III to VI.

    python -m experiments.lvcit [--data FOLDER] [--images N] [--out FOLDER]

Three detectors are used as classifiers of 80 labels. For each, one run over compositions of COCO
train objects, and its answers on 64 photographs of COCO val. Predictions are cached, and an
interrupted run resumes. The tables are written to `results.md` next to this file.
"""

from __future__ import annotations

import argparse
import os
import time
from datetime import date
from pathlib import Path
from typing import Any

from experiments.detectors import detectors
from experiments.lvcit.answers import Answers, composition_answers, photograph_answers
from experiments.lvcit.tables import SubjectResults, results_page
from snellen.engine.campaign import campaign_from
from snellen.engine.progress import display_run
from snellen.engine.run import run_campaign
from snellen.report.report import write_report
from snellen.scenes.registry import open_scenes
from snellen.subjects.registry import open_subject

HERE = Path(__file__).parent
DATA = Path(os.environ.get("SNELLEN_DATA", HERE.parents[2] / "shared" / "data"))
SCORE = 0.3
TESTED = ("YOLOX-nano", "NanoDet", "YOLOv4-tiny")
IMAGES = 10
"""Compositions per row, as published."""


def subjects(data: Path) -> dict[str, dict[str, Any]]:
    """The detectors under test, by name, as classifiers."""
    found = detectors(data)
    return {name: {**found[name], "score": SCORE, "read_as": "labels"} for name in TESTED}


def training(data: Path) -> dict[str, Any]:
    """The images that objects are cut from and training counts are based on."""
    return {
        "kind": "coco",
        "annotations": str(data / "coco_train128" / "instances_train2017.json"),
        "images": str(data / "coco_train128" / "images"),
    }


def photographs(data: Path, subject: dict[str, Any]) -> Answers:
    """The subject's answers on the photographs."""
    scenes = open_scenes(
        {
            "kind": "coco",
            "annotations": str(data / "coco_val64" / "instances.json"),
            "images": str(data / "coco_val64" / "images"),
        },
        HERE,
    )
    opened = open_subject(subject, HERE)
    try:
        return photograph_answers(opened, scenes)
    finally:
        opened.close()


def run_subject(data: Path, subject: dict[str, Any], images: int, folder: Path) -> SubjectResults:
    """Run or resume one subject on compositions and photographs."""
    values = {
        "method": "combinations",
        "seed": 1,
        "subject": subject,
        "objects": training(data),
        "combinations": {"images": images, "training": training(data)},
        "out": str(folder),
    }
    campaign = campaign_from(values, HERE / "experiment.yaml")
    with display_run(campaign.method) as watcher:
        run_campaign(campaign, resume=True, watcher=watcher)
    summary = write_report(folder).to_json()
    return SubjectResults(summary, composition_answers(folder), photographs(data, subject))


def main() -> None:
    """Run what is missing, then write the tables."""
    parser = argparse.ArgumentParser(prog="python -m experiments.lvcit")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--images", type=int, default=IMAGES, help="compositions per row")
    parser.add_argument("--out", type=Path, default=Path("runs/lvcit"))
    given = parser.parse_args()
    found: dict[str, SubjectResults] = {}
    for name, subject in subjects(given.data).items():
        print(f"== {name}", flush=True)
        start = time.monotonic()
        found[name] = run_subject(given.data, subject, given.images, given.out.resolve() / name)
        print(f"{time.monotonic() - start:.0f} s", flush=True)
    command = "python -m experiments.lvcit"
    facts = f"seed 1, score threshold {SCORE}, {given.images} compositions a row"
    text = results_page(found, f"Made on {date.today().isoformat()} by `{command}` ({facts}).")
    (HERE / "results.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
