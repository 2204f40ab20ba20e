"""Outcomes of answers, against the annotations and against the unchanged scene."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from snellen.contract.subject_annotations import present_in
from snellen.methods.requirements.evidence.run_evidence import outcomes_to_json
from snellen.methods.requirements.options import RequirementOptions
from snellen.subjects.subject import Prediction, Task
from snellen.vision.annotations import Annotations
from snellen.vision.decomposition.subtask_outcomes import SubtaskOutcomes
from snellen.vision.decomposition.task import (
    CLASSIFY,
    DETECTION,
    SEGMENT,
    label_outcomes,
    masks_overlap,
    same_label,
)
from snellen.vision.decomposition.task import DecomposedTask as VisionTask
from snellen.vision.detections import Detections
from snellen.vision.events import Event, compare_predictions
from snellen.vision.label_vector import LabelVector

Judged = Callable[[Detections, Annotations | Detections], SubtaskOutcomes]
CLASSIFICATION = "classification"


def change_events(
    before: Prediction, after: Prediction, options: RequirementOptions, score: float
) -> tuple[Event, ...]:
    """The relation: a changed scene gets the same answer as the unchanged one; what breaks it.

    score: the subject's threshold, or another one at which a run is judged again.
    """
    return compare_predictions(
        before, after, score=score, iou=options.iou, hysteresis=options.hysteresis
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
