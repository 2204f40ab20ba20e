"""Checking 50 batches of 400 images against a row-by-row reference.

The reference does what the published procedure does: for every batch it goes through the detections
of all its images row by row, from the highest score down, compares each with the objects of its
image, and keeps the counts of each subtask; then it compares the two curves point by point. It is
run on rows of a pandas frame, as published, where pandas is installed, and on plain tuples, which
is as fast as Python rows get. It is timed on some batches, and all batches cost it the same.

What reuse of answers saves, `benchmarks.requirement_reuse` measures.

Run: python -m benchmarks.reliability
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from benchmarks.box_ap import synthetic_set
from snellen.methods.requirements.curves.area_loss import areas
from snellen.methods.requirements.curves.curve_rows import CurveRows, curve_rows
from snellen.methods.requirements.curves.reliability_distance import distances
from snellen.methods.requirements.evidence.arms import arms
from snellen.methods.requirements.evidence.case_table import case_table
from snellen.methods.requirements.evidence.run_evidence import RunEvidence
from snellen.methods.requirements.evidence.subtask_counts import SubtaskCounts
from snellen.vision.annotations import Annotations
from snellen.vision.decomposition.task import DETECTION
from snellen.vision.detections import Detections

TARGET = 100
SCENES, BATCHES, SIZE, TIMED = 1000, 50, 400, 2
LABEL = 0
STEPS = ((0, 1), (1, 2), (0, 2))


class Row(NamedTuple):
    """A detection or an object."""

    image: int
    score: float
    label: int
    xmin: float
    ymin: float
    xmax: float
    ymax: float


Rows = list[Row]
Answers = Sequence[Detections]
Truths = Sequence[Annotations]
Points = list[tuple[float, float]]


def main() -> None:
    before, truths = synthetic_set(SCENES, per_image=8)
    after = _worse(before)
    draws = np.random.default_rng(3).integers(0, SCENES, (BATCHES, SIZE))
    weights = np.stack([np.bincount(row, minlength=SCENES) for row in draws]).astype(float)
    evidence = _evidence(before, after, truths)
    found = _ours(evidence, weights)
    judging = _seconds(lambda: _evidence(before, after, truths))
    checking = _seconds(lambda: _ours(evidence, weights))
    ours = judging + checking
    print(
        f"{BATCHES} batches of {SIZE} images of {SCENES} scenes; localise, classify, detect: "
        f"{ours:.2f} s, of which {judging:.2f} s to match each image once"
    )
    kinds: dict[str, Callable[[Rows], Any]] = {"plain tuples": lambda rows: rows}
    if importlib.util.find_spec("pandas"):
        kinds["pandas rows"] = _frame
    for name, container in kinds.items():
        each, seen = _reference(before, after, truths, draws[:TIMED], container)
        print(
            f"row by row, {name}: {each * BATCHES:.1f} s, {each * BATCHES / ours:.0f} times as "
            f"long (target: {TARGET}, on pandas rows); mean distances there {_told(seen)}, ours "
            f"{_told([one[:TIMED].mean() for one in found[: len(STEPS)]])}"
        )


def _worse(answers: Answers) -> list[Detections]:
    rng = np.random.default_rng(2)
    return [one[rng.random(len(one)) < 0.85] for one in answers]


def _seconds(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _evidence(before: Answers, after: Answers, truths: Truths) -> RunEvidence:
    both = [*zip(before, truths, strict=True), *zip(after, truths, strict=True)]
    rng = np.random.default_rng(4)
    return RunEvidence(
        "correctness",
        DETECTION.subtasks,
        np.tile(np.arange(len(truths)), 2),
        np.repeat(np.array(["", "frost"]), len(truths)),
        np.concatenate([np.zeros(len(truths)), rng.uniform(0, 0.9, len(truths))]),
        tuple(DETECTION.outcomes(*one) for one in both),
        0.05,
        tuple(f"label {one}" for one in range(80)),
    )


def _ours(evidence: RunEvidence, weights: Any) -> list[Any]:
    """Distances and areas of every subtask in every batch."""
    table = case_table(evidence)
    part = SubtaskCounts(table, LABEL, 0, 2, 2, table.counts(LABEL))
    rows = curve_rows(part, arms(evidence, "frost", -1.0, 0.9))
    none = np.zeros_like(weights)
    sides = np.hstack([weights, none]), np.hstack([none, weights])
    found = [distances(rows, *step, *sides) for step in STEPS]
    return found + [_areas(rows, end, weights) for end in (1, 2)]


def _areas(rows: CurveRows, end: int, weights: Any) -> Any:
    return areas(rows.arm(False), end, weights) - areas(rows.arm(True), end, weights)


def _told(values: Sequence[float]) -> str:
    return ", ".join(f"{one:.2f}" for one in values)


def _reference(
    before: Answers,
    after: Answers,
    truths: Truths,
    draws: Any,
    container: Callable[[Rows], Any],
) -> tuple[float, list[float]]:
    """Seconds a batch, and the mean distances; rows are gathered outside the clock.

    An object may be found twice there, and once here, so the distances are alike and not equal.
    """
    total, found = 0.0, []
    for batch in draws:
        sides = [
            (
                container(_rows([answers[k] for k in batch])),
                [container(_rows([truths[k]])) for k in batch],
            )
            for answers in (before, after)
        ]
        start = time.process_time()
        found.append(_batch_by_rows(sides))
        total += time.process_time() - start
    return total / len(draws), np.mean(found, axis=0).tolist()


def _rows(images: Sequence[Any]) -> Rows:
    """Every box of some images, highest score first."""
    found = [
        Row(image, float(score), int(label), *box)
        for image, one in enumerate(images)
        for score, label, box in zip(
            getattr(one, "scores", np.ones(len(one))), one.labels, one.boxes.tolist(), strict=True
        )
    ]
    return sorted(found, key=lambda row: -row.score)


def _frame(rows: Rows) -> Any:
    frame = importlib.import_module("pandas").DataFrame(rows, columns=list(Row._fields))
    return frame.iloc


def _batch_by_rows(sides: list[tuple[Any, list[Any]]]) -> list[float]:
    original, changed = (_curves_by_rows(*side) for side in sides)
    return [_below(original[step], changed[step]) for step in range(len(STEPS))]


def _curves_by_rows(detections: Any, truths: list[Any]) -> list[Points]:
    """Recall and precision of localise, classify and detect, detection by detection."""
    objects = sum(_at(one, k).label == LABEL for one in truths for k in range(_length(one)))
    said = said_found = both = found = 0
    points: list[Points] = [[], [], []]
    for k in range(_length(detections)):
        row = _at(detections, k)
        near, nearest = _overlaps(row, truths[int(row.image)])
        found += nearest
        said += row.label == LABEL
        said_found += row.label == LABEL and near
        both += row.label == LABEL and nearest
        points[0].append((_share(found, objects), _share(said_found, said)))
        points[1].append((_share(both, found), _share(both, said_found)))
        points[2].append((_share(both, objects), _share(both, said)))
    return points


def _overlaps(row: Any, truths: Any) -> tuple[bool, bool]:
    """Whether a detection overlaps any object, and one of the label, by more than a half."""
    near = nearest = False
    for k in range(_length(truths)):
        truth = _at(truths, k)
        width = min(row.xmax, truth.xmax) - max(row.xmin, truth.xmin) + 1
        height = min(row.ymax, truth.ymax) - max(row.ymin, truth.ymin) + 1
        if width <= 0 or height <= 0:
            continue
        areas = [(b.xmax - b.xmin + 1) * (b.ymax - b.ymin + 1) for b in (row, truth)]
        if width * height / (sum(areas) - width * height) > 0.5:
            near, nearest = True, nearest or truth.label == LABEL
    return near, nearest


def _at(rows: Any, place: int) -> Any:
    return rows[place]


def _length(rows: Any) -> int:
    return len(rows) if isinstance(rows, list) else len(rows.obj)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _below(original: Points, changed: Points) -> float:
    """The share of the changed curve's points below the original, by envelopes."""
    first, second = (_envelope(one) for one in (original, changed))
    below = place = 0
    for recall, precision in second:
        while place < len(first) and first[place][0] < recall:
            place += 1
        below += place < len(first) and precision < first[place][1]
    return below / len(second)


def _envelope(points: Points) -> Points:
    best = 0.0
    out: Points = []
    for recall, precision in sorted(points, reverse=True):
        best = max(best, precision)
        if out and out[-1][0] == recall:
            out[-1] = (recall, best)
        else:
            out.append((recall, best))
    return out[::-1]


if __name__ == "__main__":
    main()
