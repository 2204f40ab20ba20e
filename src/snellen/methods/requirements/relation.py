"""Outcomes of answers, against the annotations and against the unchanged scene."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from snellen.contract.subject_annotations import present_in
from snellen.methods.requirements.evidence.run_evidence import outcomes_to_json
from snellen.methods.requirements.options import RequirementOptions
from snellen.subjects.subject import Prediction, Task
from snellen.vision.annotations import Annotations
from snellen.vision.arrays import Bools
from snellen.vision.boxes.box_geometry import area
from snellen.vision.boxes.matching import overlaps
from snellen.vision.decomposition.subtask_outcomes import SubtaskOutcomes
from snellen.vision.decomposition.task import (
    CLASSIFY,
    DETECTION,
    LOCALISE,
    SEGMENT,
    label_outcomes,
    masks_overlap,
    same_label,
)
from snellen.vision.decomposition.task import DecomposedTask as VisionTask
from snellen.vision.detections import Detections
from snellen.vision.events import Event, compare_predictions
from snellen.vision.label_vector import LabelVector
from snellen.vision.object_events import compare_objects, objects_of

Judged = Callable[[Detections, Annotations | Detections], SubtaskOutcomes]
CLASSIFICATION = "classification"


def change_events(
    before: Prediction, after: Prediction, options: RequirementOptions, score: float
) -> tuple[Event, ...]:
    """The relation: a changed scene gets the same answer as the unchanged one; what breaks it.

    score: the subject's threshold, or another one at which a run is judged again. The objects of a
    segmenter are the same if both their boxes and their masks overlap enough.
    """
    if isinstance(before, Detections) and isinstance(after, Detections):
        masks = (before.masks, after.masks)
        if len(before) and len(after) and None not in masks:
            return _segment_events(before, after, options, score)
    return compare_predictions(
        before, after, score=score, iou=options.iou, hysteresis=options.hysteresis
    )


def _segment_events(
    before: Detections, after: Detections, options: RequirementOptions, score: float
) -> tuple[Event, ...]:
    """Events of objects with masks; a mask counts as overlapping from `mask_iou` on."""
    boxes, masks = (np.asarray(overlaps(before, after, masks=one)) for one in (False, True))
    ious = np.minimum(boxes, np.clip(masks + options.iou - options.mask_iou, 0, 1))
    sides = (objects_of(one, score, area(one.boxes)) for one in (before, after))
    return compare_objects(
        before, after, ious, *sides, iou=options.iou, hysteresis=options.hysteresis
    )


@dataclass(frozen=True)
class RequirementsRelation:
    """Judges the answers about one scene. before: the answer about the unchanged scene."""

    task: Task
    options: RequirementOptions
    score: float
    labels: int
    truths: Annotations | None
    before: Prediction

    def outcomes(self, after: Prediction) -> dict[str, Any]:
        """Outcomes by kind of requirement, as plain values."""
        outcomes: dict[str, Any] = {"preservation": outcomes_to_json(self._preserved(after))}
        if self.truths is not None:
            outcomes["correctness"] = outcomes_to_json(self._correct(after, self.truths))
        return outcomes

    def broken_subtask(self, after: Prediction, event: Event) -> str:
        """The first subtask that fails for the object of an event.

        A label vector is only classified; an object that appeared was localised where none was.
        """
        if isinstance(after, LabelVector):
            return CLASSIFY
        if event.before is None:
            return LOCALISE
        found = self._preserved(after).above(self.score)
        assert isinstance(self.before, Detections)
        place = int(np.count_nonzero(self._reported()[: event.before]))
        assert found.object is not None
        level = int(found.stage[found.object == place].max(initial=0))
        stages = vision_task(self.task, self.options).subtasks
        return stages[min(level, len(stages) - 1)]

    def _reported(self) -> Bools:
        """(N,) which detections of the unchanged scene are above the threshold."""
        assert isinstance(self.before, Detections)
        return np.asarray(self.before.scores >= np.float32(self.score))

    def _correct(self, after: Prediction, truths: Annotations) -> SubtaskOutcomes:
        if isinstance(after, LabelVector):
            return label_outcomes(after, present_in(truths, self.labels))
        assert isinstance(after, Detections)
        return vision_task(self.task, self.options).outcomes(after, truths)

    def _preserved(self, after: Prediction) -> SubtaskOutcomes:
        if isinstance(after, LabelVector):
            assert isinstance(self.before, LabelVector)
            return label_outcomes(after, self.before.present(self.score))
        assert isinstance(after, Detections)
        assert isinstance(self.before, Detections)
        return vision_task(self.task, self.options).outcomes(after, self.before.above(self.score))


def vision_task(task: Task, options: RequirementOptions) -> VisionTask:
    """The subtasks of a detector's or a segmenter's task, with the configured IoU thresholds."""
    if task == Task.SEGMENTATION:
        masks = partial(masks_overlap, iou=options.mask_iou)
        return VisionTask("segmentation", ((CLASSIFY, same_label), (SEGMENT, masks)), options.iou)
    return VisionTask(DETECTION.name, DETECTION.checks, options.iou)


def subtasks_of(task: Task, options: RequirementOptions) -> tuple[str, ...]:
    """The names of the subtasks of a subject's task."""
    if task == Task.LABELS:
        return (CLASSIFY,)
    return vision_task(task, options).subtasks


def tasks_of(task: Task) -> tuple[str, ...]:
    """The tasks that a subject's answers can be checked for."""
    found = {
        Task.LABELS: (CLASSIFICATION,),
        Task.DETECTION: ("detection",),
        Task.SEGMENTATION: ("detection", "segmentation"),
    }
    return found[task]
