"""A study's record as exports see it: the answers to keep, and names for its images."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from snellen.study.data.record_reader import read_record
from snellen.study.estimates.raters.rater_filter import rate
from snellen.study.estimates.raters.rater_rule import RaterRule
from snellen.study.estimates.scores.score_options import ScoreOptions
from snellen.study.estimates.scores.task_scores import score_answers
from snellen.study.estimates.scores.usable_answers import usable_answers
from snellen.study.record import (
    GivenAnswer,
    PlannedTrial,
    StudyRecord,
    StudySample,
    TrueObject,
)
from snellen.study.trial import ShownPicture, StudyTask, TrialKind

_PLAIN = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True)
class ExportedStudy:
    """A record, and the answers of it that are exported.

    pictures: the size of each sample's picture. classes: of the study.
    """

    record: StudyRecord
    answers: tuple[GivenAnswer, ...]
    pictures: dict[str, ShownPicture]

    def of(self, task: StudyTask) -> Iterator[tuple[PlannedTrial, StudySample, GivenAnswer]]:
        """The answers to test trials of a task."""
        for one in self.answers:
            trial = self.record.trials[one.trial]
            if trial.task == task and trial.kind == TrialKind.TEST:
                yield trial, self.record.samples[trial.samples[0]], one

    def has(self, task: StudyTask) -> bool:
        """Whether a task has answers."""
        return next(self.of(task), None) is not None

    def objects(self, sample: StudySample) -> tuple[TrueObject, ...]:
        """The annotated objects of a picture."""
        return self.record.objects.get(sample.scene, ())

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The classes that people were asked about: choices, or labels of outlines."""
        found: dict[str, None] = {}
        for trial in self.record.trials.values():
            if trial.task == StudyTask.CLASSIFY_BOX:
                found |= dict.fromkeys(trial.choices)
            elif trial.label is not None:
                found[trial.label] = None
        return tuple(found)


def exported_study(folder: Path, *, every: bool = False) -> ExportedStudy:
    """The record of a study's folder with the answers that estimates use.

    every: also those of inattentive participants and of exposures that missed their target.
    """
    from snellen.study.data.design_rows import read_design
    from snellen.study.data.study_file import readable_study

    record = read_record(folder)
    with readable_study(folder) as db:
        pictures = dict(read_design(db).pictures)
    answers = record.answers if every else _attentive(record)
    return ExportedStudy(record, answers, pictures)


def image_name(scene: str, *more: str) -> str:
    """A name without dots or slashes for a scene's images, its own for each scene.

    >>> image_name("street")
    'street'
    """
    text = "_".join([scene, *more])
    if _PLAIN.fullmatch(text):
        return text
    digest = hashlib.blake2b(text.encode(), digest_size=4).hexdigest()
    return f"{re.sub(r'[^A-Za-z0-9_-]+', '_', text).strip('_')}-{digest}"


def version_name(image: str, sample: StudySample) -> str:
    """The file name of one version of an image; that of its original for one without a change."""
    if sample.level is None:
        return f"{image}.png"
    return f"{image}.{sample.transformation}_{sample.sample}.png"


def _attentive(record: StudyRecord) -> tuple[GivenAnswer, ...]:
    usable, _ = usable_answers(record, ScoreOptions())
    report = rate(score_answers(record), RaterRule())
    failed = {name for name, tests in report.failed.items() if tests}
    return tuple(one for one in usable if one.participant not in failed)
