"""Average precision of two subjects on unchanged scenes, paired by scene."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.objects.label_names import plain_name
from snellen.repair.evaluation.change import Change
from snellen.repair.evaluation.evaluation_sides import SceneAnswers
from snellen.scenes.scene import Scene, SceneSet
from snellen.statistics.ap_bootstrap import paired_difference, precision_interval
from snellen.vision.annotations import Annotations
from snellen.vision.detections import Detections
from snellen.vision.precision.matched_set import MatchedSet
from snellen.vision.precision.set_matching import match_set


@dataclass(frozen=True)
class CleanPrecision:
    """COCO's average precision before and after. scenes: those evaluated; of: all annotated.

    They differ if a side is a run that was not replayed, which has no answers on scenes without
    cases.
    """

    change: Change
    scenes: int
    of: int

    def to_json(self) -> dict[str, Any]:
        """JSON values."""
        return {**self.change.to_json(), "scenes": self.scenes, "annotated_scenes": self.of}


def clean_precision(
    before: SceneAnswers, after: SceneAnswers, scenes: SceneSet, seed: int
) -> CleanPrecision | None:
    """The AP of both sides on the annotated scenes that both answered; None without any.

    Classes are matched by name; annotated objects of classes unknown to the subject are ignored.
    """
    found = matched_sides(before, after, scenes)
    if found is None:
        return None
    sides, of = found
    change = Change(
        precision_interval(sides[0], np.random.default_rng(seed)),
        precision_interval(sides[1], np.random.default_rng(seed)),
        paired_difference(sides[0], sides[1], np.random.default_rng(seed)),
    )
    return CleanPrecision(change, sides[0].images, of)


def matched_sides(
    before: SceneAnswers, after: SceneAnswers, scenes: SceneSet
) -> tuple[tuple[MatchedSet, MatchedSet], int] | None:
    """Both sides matched with the annotations; and the number of annotated scenes."""
    annotated = {scene.id: scene for scene in scenes if scene.annotations is not None}
    first, second = before.answers(), after.answers()
    units = [
        unit
        for unit, scene in before.scenes.items()
        if scene in annotated and unit in first and unit in second
    ]
    ids = _ids(scenes.classes, before.subject["classes"])
    truths = [_truth(annotated[before.scenes[unit]], ids) for unit in units]
    if not any(len(truth) for truth in truths):
        return None
    count = len(before.subject["classes"])
    old, new = (
        match_set([_ranked(answers[unit]) for unit in units], truths, classes=count)
        for answers in (first, second)
    )
    return (old, new), len(annotated)


def _ranked(answer: Detections) -> Detections:
    return answer.ranked()


def _ids(classes: tuple[str, ...], subject: list[str]) -> Mapping[int, int]:
    """The subject's id of each class of the scenes that it knows."""
    own = {plain_name(name): label for label, name in enumerate(subject)}
    names = enumerate(map(plain_name, classes))
    return {label: own[name] for label, name in names if name in own}


def _truth(scene: Scene, ids: Mapping[int, int]) -> Annotations:
    truth = scene.annotations
    assert truth is not None
    labels = np.array([ids.get(label, -1) for label in truth.labels.tolist()], dtype=np.int64)
    own = labels >= 0
    return Annotations(
        truth.boxes[own], labels[own], None, truth.crowd[own], truth.ignore[own], truth.areas[own]
    )
