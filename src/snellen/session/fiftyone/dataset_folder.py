"""The findings of a run written as a folder that `fiftyone.Dataset.from_dir` reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from snellen import __version__
from snellen.disk.atomic_file import new_folder
from snellen.errors import UserError
from snellen.scenes.pictures import write_picture
from snellen.session.fiftyone.field_schema import (
    CLASSIFICATIONS,
    DETECTIONS,
    DatasetFacts,
    dataset_document,
)
from snellen.session.fiftyone.finding_sample import finding_sample
from snellen.session.run import Run
from snellen.session.run_finding import RunFinding
from snellen.subjects.subject import Task

DATA, METADATA, SAMPLES = "data", "metadata.json", "samples.json"


def write_fiftyone(run: Run, out: str | Path) -> int:
    """Write the findings of a run to the new folder `out`; their number.

    Each is a sample whose image is the case. Findings that are not counted are included and
    tagged.
    """
    task = Task(run.subject_traits["task"])
    if task == Task.DETECTION_3D:
        raise UserError(
            f"{run.folder}: is a run on camera+LiDAR frames, and FiftyOne's samples are images. "
            "Use --to kitti, or --to parquet for tables."
        )
    found = list(run.findings)
    if not found:
        raise UserError(f"{run.folder}: has no findings, so there is nothing to export.")
    with new_folder(Path(out)) as draft:
        (draft / DATA).mkdir()
        samples = [_sample(run, one, draft) for one in found]
        answers = CLASSIFICATIONS if task == Task.LABELS else DETECTIONS
        facts = DatasetFacts(f"snellen-{run.folder.resolve().name}", answers, _info(run))
        _write(draft / METADATA, dataset_document(facts))
        _write(draft / SAMPLES, {"samples": samples})
    return len(found)


def _sample(run: Run, finding: RunFinding, draft: Path) -> dict[str, Any]:
    file = f"{DATA}/{finding.id}.png"
    image = finding.after
    write_picture(draft / file, image)
    classes = run.subject_traits["classes"]
    return finding_sample(finding, file, image.shape[:2], classes, [run.summary.method])


def _info(run: Run) -> dict[str, Any]:
    summary = run.summary
    return {
        "snellen_version": __version__,
        "run": str(run.folder),
        "method": summary.method,
        "subject": summary.subject.name,
        "verdict": summary.verdict.sentence,
    }


def _write(path: Path, document: dict[str, Any]) -> None:
    path.write_text(json.dumps(document, sort_keys=True), encoding="utf-8")
