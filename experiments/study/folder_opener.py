"""Opens a real study: its folder, pictures and database."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from experiments.study.coverage import OpenStudy
from snellen.configuration import parse
from snellen.study.data.opened_study import OpenedStudy
from snellen.study.data.record_reader import read_record
from snellen.study.design.creation import create_study
from snellen.study.options import StudyOptions

SCENES: dict[str, Any] = {
    "kind": "synthetic",
    "count": 130,
    "size": [64, 80],
    "sides": [16, 24],
    "objects": [1, 2],
}
CONFIG: dict[str, Any] = {
    "name": "simulated",
    "contact": "owner@example.org",
    "classes": ["lemon", "lime"],
    "tasks": ["classify"],
    "corruptions": ["contrast"],
    "samples": 110,
    "batch": 20,
    "batches": 2,
    "sanity": 2,
    "practice": 0,
    "qualification": 0,
    "answers": 24,
    "originals": 0.15,
    "least_side": 12,
    "measure": "vifp(sigma_nsq=0.4)",
}


def folder_opener(seed: int, parent: Path) -> OpenStudy:
    """A study of generated scenes in a new folder of `parent`, two batches of each participant."""
    folder = parent / f"study-{seed}"
    values = {**CONFIG, "seed": seed, "scenes": {**SCENES, "seed": seed}}
    create_study(parse(StudyOptions, values, "study.yaml"), parent, folder)
    return OpenStudy(read_record(folder), OpenedStudy(folder), lambda: read_record(folder))
