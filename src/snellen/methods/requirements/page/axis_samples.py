"""One scene along an axis of visual change: real cases of a run, rebuilt from their recipes."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.changes.registry import recipe_from_json
from snellen.contract.verdict import TEST
from snellen.errors import SnellenError
from snellen.methods.requirements.own_numbers import CurveGroup
from snellen.objects.label_names import plain_name
from snellen.store.codec import prediction_from_text
from snellen.store.findings import Box, prediction
from snellen.store.journal import Journal
from snellen.store.opened_run import OpenedRun
from snellen.subjects.subject import Prediction
from snellen.vision.arrays import Image
from snellen.vision.detections import Detections
from snellen.vision.label_vector import LabelVector
from snellen.vision.visual_change.registry import visual_measure

log = logging.getLogger(__name__)

SHOWN = 5
"""Cases shown per axis, besides the unchanged scene."""
LOOKED_AT = 200
"""Units searched for the scene to show."""


@dataclass(frozen=True, eq=False)
class Sample:
    """One picture, H x W x 3. boxes: detections of the label, in pixels.

    found: how many, also if the subject gives no boxes.
    """

    delta_v: float
    image: Image
    boxes: tuple[Box, ...]
    found: int


@dataclass(frozen=True, eq=False)
class Strip:
    """The unchanged scene and some of its cases, least changed first."""

    scene: str
    samples: tuple[Sample, ...]


@dataclass(frozen=True)
class _Case:
    delta_v: float
    recipe: dict[str, Any]
    before: int
    after: int


def strip_of(journal: Journal, run: OpenedRun, group: CurveGroup) -> Strip | None:
    """The strip for one group of a summary's `reliability`; None if no case can be rebuilt.

    The scene with the largest object of the label is shown.
    """
    subject = journal.get("subject")
    wanted = _Wanted(tuple(subject["classes"]), group.label, subject["score"])
    unit = _chosen(journal, group, wanted)
    if unit is None:
        return None
    number, scene = unit
    try:
        return Strip(scene, _samples(journal, run, group, wanted, number, scene))
    except (SnellenError, OSError) as error:
        log.warning("cannot show samples of %s: %s", group.transformation, error)
        return None


@dataclass(frozen=True)
class _Wanted:
    """Objects of a label, or of any label, at the subject's threshold."""

    classes: tuple[str, ...]
    label: str
    score: float

    @property
    def ids(self) -> list[int]:
        every = enumerate(map(plain_name, self.classes))
        return [id for id, name in every if self.label == "any" or name == plain_name(self.label)]

    def found(self, answer: Prediction) -> tuple[tuple[Box, ...], int]:
        """The boxes of the objects found, and their number."""
        if isinstance(answer, LabelVector):
            return (), int(answer.present(self.score)[self.ids].sum())
        assert isinstance(answer, Detections)
        detections = answer.above(self.score)
        boxes = detections.boxes[np.isin(detections.labels, self.ids)].astype(float)
        return tuple(tuple(row) for row in boxes.tolist()), len(boxes)

    def size(self, answer: Prediction) -> float:
        """The area of the largest object in pixels; for labels, their number."""
        boxes, count = self.found(answer)
        return max([(x2 - x1) * (y2 - y1) for x1, y1, x2, y2 in boxes], default=float(count))


def _cases(journal: Journal, group: CurveGroup, unit: int) -> list[_Case]:
    """The tests of a unit on the group's axis, least changed first."""
    rows = journal.rows(
        "SELECT recipe, measurements, before, after FROM cases WHERE unit = ? AND role = ? "
        "ORDER BY number",
        (unit, TEST),
    )
    found = [
        _Case(json.loads(measured).get("delta_v", 0.0), json.loads(recipe), before, after)
        for recipe, measured, before, after in rows
    ]
    wanted = (group.transformation, visual_measure(group.measure).identity)
    on_axis = [
        one for one in found if (one.recipe.get("corruption"), one.recipe.get("measure")) == wanted
    ]
    return sorted(on_axis, key=lambda one: one.delta_v)


def _chosen(journal: Journal, group: CurveGroup, wanted: _Wanted) -> tuple[int, str] | None:
    """The number and scene of the unit to show."""
    rows = journal.rows(
        "SELECT units.number, units.scene, min(predictions.value) FROM units "
        "JOIN cases ON cases.unit = units.number JOIN predictions ON predictions.number = before "
        "WHERE role = ? AND json_extract(recipe, '$.corruption') = ? "
        "GROUP BY units.number ORDER BY units.number LIMIT ?",
        (TEST, group.transformation, LOOKED_AT),
    )
    sizes = [wanted.size(prediction_from_text(text)) for _, _, text in rows]
    if not sizes:
        return None
    number, scene, _ = rows[int(np.argmax(sizes))]
    return number, scene


def _samples(
    journal: Journal,
    run: OpenedRun,
    group: CurveGroup,
    wanted: _Wanted,
    unit: int,
    scene: str,
) -> tuple[Sample, ...]:
    cases = _cases(journal, group, unit)
    whole = run.scene(scene)
    before = prediction(journal, cases[0].before) if cases else None
    if before is None:
        return ()
    found = [Sample(0.0, whole.pixels(), *wanted.found(before))]
    for place in spaced([one.delta_v for one in cases], group.most):
        case = cases[place]
        after = prediction(journal, case.after)
        assert after is not None
        image = recipe_from_json(case.recipe).build(whole, run.materials)
        found.append(Sample(case.delta_v, image, *wanted.found(after)))
    return tuple(found)


def spaced(changes: Sequence[float], most: float, count: int = SHOWN) -> list[int]:
    """Indices of at most `count` changes, rising, spread as evenly as possible.

    >>> spaced([0.05, 0.1, 0.2, 0.5, 0.52, 0.9], 0.9, 3)
    [2, 4, 5]
    """
    left = list(range(len(changes)))
    taken = []
    for target in np.linspace(most / count, most, count):
        if left:
            best = min(left, key=lambda place: abs(changes[place] - target))
            taken.append(best)
            left.remove(best)
    return sorted(taken)
