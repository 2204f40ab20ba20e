"""Average precision and errors against the labels, before and with insertions.

Events compare two answers. The numbers here compare answers with the labels, as MultiTest does:
KITTI's average precision at 40 recall points, and its three error classes. The cases are the ends
of chains of insertions, rebuilt from their recipes for their labels.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from snellen.changes.insert3d.insert3d import Insert3D
from snellen.changes.insert3d.seed_frame import seed_frame
from snellen.changes.recipe import Materials
from snellen.changes.registry import recipe_from_json
from snellen.methods.fusion.own_numbers import (
    CountChange,
    PrecisionDrop,
    PrecisionNumbers,
    Procedure,
    ViewPrecision,
)
from snellen.scenes.kitti.evaluation_objects import evaluated_objects
from snellen.scenes.scene import Scene
from snellen.store.codec import prediction_from_text
from snellen.store.journal import Journal
from snellen.store.opened_run import OpenedRun
from snellen.vision.detections3d import Detections3D
from snellen.vision.kitti.ap40 import RECALLS, KittiAP, average_precision, min_overlap
from snellen.vision.kitti.evaluation_pairs import OverlapMetric
from snellen.vision.kitti.ground_truth import KittiObjects
from snellen.vision.kitti.multitest_errors import ErrorClass, solid_errors

MOST = 240
"""The maximum number of cases rebuilt for these numbers, evenly spread."""


@dataclass(frozen=True, eq=False)
class PrecisionSide:
    """Answers and the labels of their frames."""

    detections: tuple[Detections3D, ...]
    known: tuple[KittiObjects, ...]

    def precision(
        self,
        classes: Sequence[str],
        name: str,
        metric: OverlapMetric,
        overlap: float | None = None,
        procedure: Procedure = "definition",
    ) -> KittiAP:
        """KITTI's average precision of a class, at its moderate level."""
        return average_precision(
            self.detections,
            self.known,
            classes=classes,
            name=name,
            metric=metric,
            overlap=overlap,
            procedure=procedure,
        )

    def errors(
        self, classes: Sequence[str], name: str, metric: OverlapMetric, score: float
    ) -> Counter[ErrorClass]:
        """The number of errors of each class among detections at the score threshold."""
        counts: Counter[ErrorClass] = Counter()
        for detections, known in zip(self.detections, self.known, strict=True):
            made = solid_errors(
                detections, known, classes=classes, name=name, metric=metric, score=score
            )
            counts.update(one.kind for one in made)
        return counts


def labelled(scene: Scene) -> KittiObjects:
    """The labels of an original frame."""
    seed = seed_frame(scene)
    return evaluated_objects(seed.rows or (), seed.frames)


def labelled_with(scene: Scene, recipe: Insert3D, materials: Materials) -> KittiObjects:
    """The labels of a case: those of the frame after occlusion, and the insertions."""
    changed, _ = recipe.change_frame(scene, materials)
    return evaluated_objects([one.row for one in changed.labelled_objects], changed.seed.frames)


def precision_numbers(journal: Journal, run: OpenedRun) -> PrecisionNumbers:
    """Average precision and errors by class and view, before and with insertions."""
    ends = _ends(journal)
    subject = journal.get("subject")
    classes, score = subject["classes"], subject["score"]
    sides = _sides(ends, run)
    names = [name for name in classes if any(one.of_type(name).any() for one in sides[1].known)]
    return PrecisionNumbers(
        cases=len(ends),
        classes={
            name: {
                metric: _compared(sides, classes, name, metric, score)
                for metric in (OverlapMetric.SOLID, OverlapMetric.IMAGE)
            }
            for name in names
        },
    )


def _compared(
    sides: tuple[PrecisionSide, PrecisionSide],
    classes: Sequence[str],
    name: str,
    metric: OverlapMetric,
    score: float,
) -> ViewPrecision:
    """One class in one view, by the benchmark's procedure if both sides have enough objects."""
    made = [side.precision(classes, name, metric) for side in sides]
    enough = min(one.objects for one in made) > RECALLS
    procedure: Procedure = "benchmark" if enough else "definition"
    if enough:
        made = [side.precision(classes, name, metric, None, procedure) for side in sides]
    first, second = (one.percent for one in made)
    wrong = [side.errors(classes, name, metric, score) for side in sides]
    return ViewPrecision(
        overlap=min_overlap(name, metric),
        procedure=procedure,
        objects=CountChange(before=made[0].objects, after=made[1].objects),
        ap=PrecisionDrop(before=_plain(first), after=_plain(second), drop=_plain(first - second)),
        errors={
            kind: CountChange(before=wrong[0][kind], after=wrong[1][kind]) for kind in ErrorClass
        },
    )


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 2)


def _ends(journal: Journal) -> list[tuple[str, Insert3D, str, str]]:
    """Scene, recipe, answers before and after of the ends of chains, evenly spread."""
    kept = {
        (unit, number)
        for unit, notes in journal.rows("SELECT number, notes FROM units WHERE status = 'done'")
        for number in json.loads(notes).get("kept", ())
    }
    rows = journal.rows(
        "SELECT c.unit, c.number, u.scene, c.recipe, b.value, a.value FROM cases c "
        "JOIN units u ON u.number = c.unit JOIN predictions b ON b.number = c.before "
        "JOIN predictions a ON a.number = c.after WHERE c.role = 'test' ORDER BY 1, 2"
    )
    ends = []
    for unit, number, scene, recipe, before, after in rows:
        read = recipe_from_json(json.loads(recipe)) if (unit, number) in kept else None
        if isinstance(read, Insert3D):
            ends.append((scene, read, before, after))
    chosen = np.linspace(0, len(ends) - 1, min(MOST, len(ends))).round().astype(int)
    return [ends[place] for place in chosen]


def _sides(
    ends: Sequence[tuple[str, Insert3D, str, str]], run: OpenedRun
) -> tuple[PrecisionSide, PrecisionSide]:
    known = {scene: labelled(run.scene(scene)) for scene, *_ in ends}
    before = PrecisionSide(
        tuple(_solids(text) for _, _, text, _ in ends), tuple(known[one[0]] for one in ends)
    )
    after = PrecisionSide(
        tuple(_solids(text) for *_, text in ends),
        tuple(labelled_with(run.scene(id), recipe, run.materials) for id, recipe, *_ in ends),
    )
    return before, after


def _solids(text: str) -> Detections3D:
    detections = prediction_from_text(text)
    assert isinstance(detections, Detections3D)
    return detections
