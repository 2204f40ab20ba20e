"""The runs of a subject: at the published score threshold, and at a common precision."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from experiments.decompovision.benchmark import BenchmarkResult, run_benchmark
from experiments.decompovision.subjects import SEGMENTER, scenes
from experiments.decompovision.tolerances import PERSON, write_requirement_file
from snellen.disk.atomic_file import write_atomically
from snellen.engine.campaign import Campaign, campaign_from
from snellen.engine.progress import display_run
from snellen.engine.run import run_campaign
from snellen.methods.human.subtasks import TaskName
from snellen.methods.requirements.checked_run import checked_run
from snellen.methods.requirements.checks.operating_points import point_with_precision
from snellen.methods.requirements.specification.requirement import MARGIN
from snellen.report.summary import write_summary
from snellen.scenes.registry import open_scenes
from snellen.store.journal import Journal
from snellen.store.run_folder import JOURNAL
from snellen.subjects.registry import open_subject

HERE = Path(__file__).parent
SCORE = 0.5
"""The published score threshold."""
PRECISION = 0.75
"""Precision of `person` boxes on unchanged scenes: the common operating point.

The segmenter's scores have only 28 levels, so that not every precision can be reached.
"""


WIDER = 0.05
"""A wider margin than the default of 2 points, which some 160 scenes with a person can decide."""


def requirement_run(
    name: str,
    subject: dict[str, Any],
    data: Path,
    limit: int | None,
    samples: int,
    folder: Path,
    margin: float = MARGIN,
) -> dict[str, Any]:
    """The summary of a run on all requirements; an interrupted run is resumed.

    margin: the loss of a whole task that is tolerated.
    """
    tasks: tuple[TaskName, ...] = ("detection",)
    if name == SEGMENTER:
        tasks = ("detection", "segmentation")
    file = folder.parent / f"requirements-{100 * margin:g}.yaml"
    values = {
        "method": "requirements",
        "seed": 1,
        "subject": subject,
        "scenes": scenes(data, limit),
        "skip_invalid": True,  # a few masks have more objects than their annotations
        "requirements": {
            "file": str(write_requirement_file(file, tasks, margin)),
            "samples": samples,
        },
        # In this process, so that all subjects share the calibrations of the scenes. The tables
        # use no explanations, which would double the questions.
        "engine": {"workers": 0, "explain": 0.0},
        "out": str(folder),
    }
    campaign = campaign_from(values, HERE / "experiment.yaml")
    print(f"== {name}, score {subject['score']:g}", flush=True)
    _run(campaign)
    return write_summary(folder).to_json()


def _run(campaign: Campaign) -> None:
    with display_run(campaign.method) as watcher:
        run_campaign(campaign, resume=True, watcher=watcher)


def matched_score(folder: Path) -> float:
    """The lowest threshold with the common precision of boxes on the unchanged scenes of a run."""
    with closing(Journal(folder / JOURNAL)) as journal:
        run = checked_run(journal)
    assert run is not None
    point = point_with_precision(run.tables["correctness"].evidence, PRECISION, PERSON, "detection")
    return round(point.score, 4)


def benchmark_run(
    name: str, subject: dict[str, Any], data: Path, limit: int | None, file: Path
) -> list[BenchmarkResult]:
    """The corruption benchmark of a subject, cached in a file."""
    if file.exists():
        return [BenchmarkResult(**one) for one in json.loads(file.read_text())]
    print(f"== {name}, five severities", flush=True)
    opened = open_scenes(scenes(data, limit), HERE, skip_invalid=True, where="scenes")
    with closing(open_subject(subject, HERE)) as asked:
        found = run_benchmark(asked, opened)
    write_atomically(file, json.dumps([asdict(one) for one in found]).encode())
    return found
