"""Each answer of a record, right or wrong by the annotations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from snellen.study.estimates.scores.box_scores import found_objects, object_in
from snellen.study.estimates.scores.outline_mask import mask_iou, outline_mask
from snellen.study.estimates.scores.score_options import ScoreOptions
from snellen.study.estimates.scores.scored_answer import ScoredAnswer, ScoredUnit
from snellen.study.estimates.scores.usable_answers import usable_answers
from snellen.study.record import GivenAnswer, PlannedTrial, StudyRecord, TrueObject
from snellen.study.trial import BoxesAnswer, ClassAnswer, OutlineAnswer, StudyTask
from snellen.vision.arrays import Bools
from snellen.vision.masks.rle_masks import Masks

NO_TRUTH = "nothing annotated to compare with"


@dataclass(frozen=True)
class ScoredStudy:
    """The scored answers of a record, and how many were left out for each reason.

    `rank` has no right answer and is not among them.
    """

    record: StudyRecord
    options: ScoreOptions
    answers: tuple[ScoredAnswer, ...]
    left_out: Counter[str]

    def of(self, answers: list[ScoredAnswer]) -> ScoredStudy:
        """The same study with some of its answers."""
        return replace(self, answers=tuple(answers))


def score_answers(record: StudyRecord, options: ScoreOptions | None = None) -> ScoredStudy:
    """The usable answers of all participants, in the order given."""
    rules = options or ScoreOptions()
    usable, left_out = usable_answers(record, rules)
    found: list[ScoredAnswer] = []
    for one in usable:
        trial = record.trials[one.trial]
        if trial.task is StudyTask.RANK:
            continue
        scored = list(_scored(one, trial, record, rules))
        if not scored:
            left_out[NO_TRUTH] += 1
        found += scored
    return ScoredStudy(record, rules, tuple(found), left_out)


def _scored(
    given: GivenAnswer, trial: PlannedTrial, record: StudyRecord, rules: ScoreOptions
) -> Iterator[ScoredAnswer]:
    if isinstance(given.answer, ClassAnswer):
        yield from _chosen(given, trial, given.answer, record)
    elif isinstance(given.answer, BoxesAnswer):
        yield from _drawn(given, trial, given.answer, record, rules)
    elif isinstance(given.answer, OutlineAnswer):
        yield from _outlined(given, trial, given.answer, record, rules)


def _head(given: GivenAnswer, trial: PlannedTrial, record: StudyRecord) -> ScoredAnswer:
    """What all parts of an answer have in common."""
    sample = record.samples[trial.samples[0]]
    return ScoredAnswer(
        given.participant,
        given.trial,
        given.place,
        trial.kind,
        trial.task,
        sample.scene,
        sample.transformation,
        max(sample.delta_v, 0.0),
        trial.label or "",
        trial.object,
        ScoredUnit.ANSWER,
        right=False,
        chance=0.0,
        response_ms=given.response_ms,
    )


def _chosen(
    given: GivenAnswer, trial: PlannedTrial, answer: ClassAnswer, record: StudyRecord
) -> Iterator[ScoredAnswer]:
    if not trial.right:
        return
    head = _head(given, trial, record)
    label = trial.right if trial.task is StudyTask.CLASSIFY_BOX else head.label
    yield replace(
        head,
        label=label,
        right=answer.choice == trial.right,
        chance=1 / len(trial.choices) if trial.choices else 0.0,
        choice=answer.choice,
    )


def _drawn(
    given: GivenAnswer,
    trial: PlannedTrial,
    answer: BoxesAnswer,
    record: StudyRecord,
    rules: ScoreOptions,
) -> Iterator[ScoredAnswer]:
    head = _head(given, trial, record)
    objects = record.objects.get(head.scene, ())
    found, hits = found_objects(answer.boxes, objects, rules.box_iou)
    for one, right in zip(objects, found, strict=True):
        unit = ScoredUnit.OBJECT
        yield replace(head, label=one.label, object=one.id, unit=unit, right=right)
    for right in hits:
        yield replace(head, label="", object=None, unit=ScoredUnit.BOX, right=right)


def _outlined(
    given: GivenAnswer,
    trial: PlannedTrial,
    answer: OutlineAnswer,
    record: StudyRecord,
    rules: ScoreOptions,
) -> Iterator[ScoredAnswer]:
    head = _head(given, trial, record)
    target = _target(trial, record.objects.get(head.scene, ()), rules)
    if target is None or target.mask is None:
        return
    mask = true_mask(target)
    right = mask_iou(outline_mask(answer, mask.shape), mask) >= rules.mask_iou
    yield replace(head, label=target.label, object=target.id, right=right, outline=answer)


def _target(
    trial: PlannedTrial, objects: tuple[TrueObject, ...], rules: ScoreOptions
) -> TrueObject | None:
    """The object to outline; of a box that people drew, one of the class that it fits."""
    if trial.object is not None:
        return next((one for one in objects if one.id == trial.object), None)
    wanted = [one for one in objects if trial.label in (None, one.label)]
    return object_in(trial.box, wanted, rules.box_iou) if trial.box is not None else None


def true_mask(target: TrueObject) -> Bools:
    """(H, W) the mask of an annotated object, which must have one."""
    assert target.mask is not None
    height, width = target.mask["size"]
    masks = Masks.from_coco([target.mask], (int(height), int(width)))
    return np.asarray(masks.to_array()[0])
