"""DecompoVision's formats: raw exports of Mechanical Turk, with the originals' annotations."""

from __future__ import annotations

import base64
import io
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from PIL import Image as Pillow

from snellen.errors import UserError
from snellen.study.estimates.scores.outline_mask import outline_mask
from snellen.study.exports.csv_text import csv_text
from snellen.study.exports.exported_study import ExportedStudy, image_name, version_name
from snellen.study.record import ORIGINAL, PlannedTrial, StudySample
from snellen.study.trial import (
    BoxesAnswer,
    ClassAnswer,
    OutlineAnswer,
    StudyAnswer,
    StudyBox,
    StudyTask,
)
from snellen.vision.arrays import Bools

IMAGES, PLACES, LABELS, MASKS = (
    "images_transformations_info_500.csv",
    "500_L.csv",
    "500_C|L.csv",
    "500_S.csv",
)
TASKS = "Answer.taskAnswers"
MASK_COLUMNS = (
    "Input.image_url",
    "Input.class",
    "Input.bbox",
    "Answer.annotatedResult.labeledImage.pngImageData",
)

Shown = tuple[PlannedTrial, StudySample, StudyAnswer]


def decompovision_files(study: ExportedStudy) -> dict[str, bytes]:
    """The files of an export by name; those of tasks without answers are left out."""
    if not study.has(StudyTask.CLASSIFY_BOX):
        raise UserError(
            "--to decompovision: DecompoVision's exports need answers of the task `classify-box`, "
            "and this study has none yet. Choose --to tables or --to icraf."
        )
    files = {IMAGES: _images(study), LABELS: _labels(study)}
    if study.has(StudyTask.LOCALISE):
        files[PLACES] = _places(study)
    if study.has(StudyTask.SEGMENT):
        files[MASKS] = _masks(study)
    return files


def _images(study: ExportedStudy) -> bytes:
    """The changed pictures, each once. `IQA` is 1 - visual change."""
    rows = []
    for sample in study.record.samples.values():
        if sample.transformation != ORIGINAL and sample.level is not None:
            image = image_name(sample.scene)
            rows.append(
                (
                    version_name(image, sample),
                    f"{image}.png",
                    sample.transformation,
                    json.dumps(dict(sample.recipe), sort_keys=True),
                    round(1 - sample.delta_v, 6),
                )
            )
    columns = ("img_name", "original_name", "transformation_name", "arguments", "IQA")
    return csv_text(columns, rows)


def _places(study: ExportedStudy) -> bytes:
    rows = []
    for shown in _sessions(study, StudyTask.LOCALISE):
        answers: dict[str, Any] = {}
        for number, (_, sample, answer) in enumerate(shown):
            assert isinstance(answer, BoxesAnswer)
            answers[f"url-{number}"] = _link(sample)
            answers[f"bbox-{number}"] = json.dumps([_sides(box) for box in answer.boxes])
            answers[f"scale-{number}"] = 1
        rows.append([json.dumps([answers])])
    return csv_text((TASKS,), rows)


def _labels(study: ExportedStudy) -> bytes:
    sessions = list(_sessions(study, StudyTask.CLASSIFY_BOX))
    most = max(map(len, sessions))
    rows = []
    for shown in sessions:
        answers: dict[str, Any] = {}
        boxes = [""] * most
        for number, (trial, sample, answer) in enumerate(shown):
            assert isinstance(answer, ClassAnswer)
            assert trial.box is not None
            answers[f"url-{number}"] = _link(sample)
            answers[f"class-{number}"] = answer.choice
            boxes[number] = json.dumps([_sides(trial.box)])
        rows.append([*boxes, json.dumps([answers])])
    return csv_text([*(f"Input.bbox{one + 1}" for one in range(most)), TASKS], rows)


def _masks(study: ExportedStudy) -> bytes:
    rows = []
    for trial, sample, given in study.of(StudyTask.SEGMENT):
        assert isinstance(given.answer, OutlineAnswer)
        assert trial.box is not None
        picture = study.pictures[sample.sample]
        mask = outline_mask(given.answer, (picture.height, picture.width))
        box = json.dumps([round(side, 3) for side in trial.box])
        rows.append((_link(sample), trial.label, box, _png(mask)))
    return csv_text(MASK_COLUMNS, rows)


def _sessions(study: ExportedStudy, task: StudyTask) -> Iterator[Sequence[Shown]]:
    """What each person answered in a task: a row of the export, without who it was."""
    found: dict[str, list[Shown]] = defaultdict(list)
    for trial, sample, given in study.of(task):
        found[given.participant].append((trial, sample, given.answer))
    return iter(found.values())


def _link(sample: StudySample) -> str:
    return version_name(image_name(sample.scene), sample)


def _sides(box: StudyBox) -> list[float]:
    """x, y, width and height."""
    x1, y1, x2, y2 = (round(side, 3) for side in box)
    return [x1, y1, round(x2 - x1, 3), round(y2 - y1, 3)]


def _png(mask: Bools) -> str:
    buffer = io.BytesIO()
    Pillow.fromarray(mask.astype(np.uint8) * 255).save(buffer, "PNG", optimize=True)
    return base64.b64encode(buffer.getvalue()).decode()
