"""The corruption benchmark as a baseline: average precision at ImageNet-C's five severities.

Every scene is corrupted once at each severity, whether or not people could still recognise it, and
AP is pooled over all scenes. Predictions are cached.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from experiments.decompovision.tolerances import CONDITIONS, TRANSFORMATIONS, Condition
from snellen.changes.corruptions.corrupt import Corrupt
from snellen.changes.corruptions.corruption import SEVERITIES
from snellen.contract.questions import Answer, Question
from snellen.contract.subject_annotations import label_map, truths_of
from snellen.disk.cache import cache_folder
from snellen.engine.prediction_cache import open_predictions, question_key
from snellen.objects.label_names import plain_name
from snellen.scenes.scene import SceneSet
from snellen.subjects.subject import Subject
from snellen.vision.decomposition.subtask_curves import curves
from snellen.vision.decomposition.subtask_outcomes import pooled
from snellen.vision.decomposition.task import DETECTION, SEGMENTATION, DecomposedTask
from snellen.vision.detections import Detections

BATCH = 8


@dataclass(frozen=True)
class BenchmarkResult:
    """AP of a class at severities 1 to 5 of a transformation, as boxes and, if any, as masks."""

    label: str
    transformation: str
    boxes: tuple[float, ...]
    masks: tuple[float, ...] = ()


def run_benchmark(subject: Subject, scenes: SceneSet) -> list[BenchmarkResult]:
    """The benchmark of a subject, one result per class and transformation."""
    answers = {
        name: [
            _answers(subject, scenes, Corrupt(name, level, severity=severity))
            for severity, level in enumerate(SEVERITIES, start=1)
        ]
        for name in TRANSFORMATIONS
    }
    return [_result(subject, scenes, one, answers[one.transformation]) for one in CONDITIONS]


def _result(
    subject: Subject, scenes: SceneSet, of: Condition, answers: Sequence[Sequence[Detections]]
) -> BenchmarkResult:
    tasks = (DETECTION, SEGMENTATION) if subject.task == "segmentation" else (DETECTION,)
    found = [
        tuple(_precision(subject, scenes, one, task, of.label) for one in answers) for task in tasks
    ]
    print(f"   {of}: AP {' '.join(f'{one:.3f}' for one in found[0])}", flush=True)
    return BenchmarkResult(of.label, of.transformation, *found)


def _answers(subject: Subject, scenes: SceneSet, recipe: Corrupt) -> list[Detections]:
    """The subject's detections in every scene at one severity."""
    questions = [Question(scene, recipe) for scene in scenes]
    with closing(open_predictions(cache_folder("predictions"), subject.fingerprint)) as cache:
        new = [one for one in questions if cache.get(question_key(one), ()) is None]
        for start in range(0, len(new), BATCH):
            batch = new[start : start + BATCH]
            images = [one.recipe.build(one.scene, {}) for one in batch]
            cache.put(
                (question_key(one), Answer(detections.rounded().ranked()))
                for one, detections in zip(batch, _detections(subject.predict(images)), strict=True)
            )
        answers = [cache.get(question_key(one), ()) for one in questions]
    return _detections([one.prediction for one in answers if one is not None])


def _detections(predictions: Sequence[object]) -> list[Detections]:
    return [one for one in predictions if isinstance(one, Detections)]


def _precision(
    subject: Subject,
    scenes: SceneSet,
    answers: Sequence[Detections],
    task: DecomposedTask,
    label: str,
) -> float:
    labels = label_map(scenes, subject.classes)
    outcomes = [
        task.outcomes(answer, truths)
        for scene, answer in zip(scenes, answers, strict=True)
        if (truths := truths_of(scene, labels)) is not None
    ]
    wanted = [plain_name(name) for name in subject.classes].index(plain_name(label))
    stages = len(task.subtasks)
    return curves(pooled(outcomes), wanted, stages).average_precision(stages)
