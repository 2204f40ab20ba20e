"""ICRAF's formats: the answers to images, and counts in bins of visual change."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from snellen.errors import UserError
from snellen.study.exports.csv_text import csv_text
from snellen.study.exports.exported_study import ExportedStudy, image_name, version_name
from snellen.study.record import ORIGINAL
from snellen.study.trial import ClassAnswer, StudyTask

COLUMNS = ("image_link", "transformation", "ground_truth", "human_label", "IQA")
BINS = {
    "c": ("IQA", "Accuracy", "Count", "Num_Accs"),
    "p": ("IQA", "Preserved", "Count", "Num_Pre"),
}
WIDTH = 0.01
"""Of a bin of visual change."""


class ClassRow(NamedTuple):
    """One answer of `classify`. image: of the scene and the class asked about."""

    image: str
    link: str
    transformation: str
    truth: str
    label: str
    delta_v: float


@dataclass(frozen=True)
class _Tally:
    """Counts in bins by their number: right or preserved, and asked."""

    right: Counter[int]
    asked: Counter[int]


def icraf_files(study: ExportedStudy) -> dict[str, bytes]:
    """The files of an export by name: answers, and bins by requirement and transformation."""
    rows = list(class_rows(study))
    if not rows:
        raise UserError(
            "--to icraf: ICRAF's formats hold answers of the task `classify`, and this study has "
            "none yet. Choose --to tables or --to decompovision."
        )
    files = {"answers.csv": answer_table(rows)}
    for kind, columns in BINS.items():
        for transformation, tally in _bins(rows, kind).items():
            files[f"study_{kind}_p_{transformation}.csv"] = _bin_table(tally, columns)
    return files


def class_rows(study: ExportedStudy) -> Iterator[ClassRow]:
    """The answers of `classify`. Questions about two classes of a scene count as two images."""
    for trial, sample, given in study.of(StudyTask.CLASSIFY):
        if isinstance(given.answer, ClassAnswer):
            image = image_name(sample.scene, trial.label or "")
            yield ClassRow(
                image,
                version_name(image, sample),
                sample.transformation,
                trial.right,
                given.answer.choice,
                sample.delta_v,
            )


def answer_table(rows: list[ClassRow]) -> bytes:
    """One row for each answer. `IQA` is 1 - visual change."""
    return csv_text(
        COLUMNS,
        [
            (one.link, one.transformation, one.truth, one.label, round(1 - one.delta_v, 6))
            for one in rows
        ],
    )


def _bins(rows: list[ClassRow], kind: str) -> dict[str, _Tally]:
    majority = _majority(rows)
    found: dict[str, _Tally] = defaultdict(lambda: _Tally(Counter(), Counter()))
    for one in rows:
        expected = one.truth if kind == "c" else majority.get(one.image)
        if one.transformation == ORIGINAL or expected is None:
            continue
        number = max(math.ceil(round(one.delta_v / WIDTH, 6)), 0)
        found[one.transformation].asked[number] += 1
        found[one.transformation].right[number] += one.label == expected
    return dict(sorted(found.items()))


def _majority(rows: list[ClassRow]) -> dict[str, str]:
    """The answer that most people gave to each unchanged image."""
    answers: dict[str, Counter[str]] = defaultdict(Counter)
    for one in rows:
        if one.transformation == ORIGINAL:
            answers[one.image][one.label] += 1
    return {image: labels.most_common(1)[0][0] for image, labels in answers.items()}


def _bin_table(tally: _Tally, columns: tuple[str, ...]) -> bytes:
    """`IQA` is the upper edge of a bin."""
    return csv_text(
        columns,
        [
            (round(number * WIDTH, 6), tally.right[number] / asked, asked, tally.right[number])
            for number, asked in sorted(tally.asked.items())
        ],
    )
