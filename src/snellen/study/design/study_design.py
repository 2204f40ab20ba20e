"""A study's design: every picture, trial and batch, as it is stored and served."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from snellen.study.options import StudyOptions
from snellen.study.record import PlannedTrial, StudySample, TrueObject
from snellen.study.trial import ShownPicture, StudyTask, TrialKind


@dataclass(frozen=True)
class StudyDesign:
    """All that is fixed before anyone comes.

    measure: the identity of the measure of visual change. pictures: size of each sample, by its
    name. masks: the noise masks of each size, by (width, height). trials: in the order of the
    batches. slots: for a sanity trial, the place among a participant's batches of its task, from 0.
    versions: of the libraries that rendered the pictures. added: trials about boxes that people
    drew, each in place of a planned one.
    """

    options: StudyOptions
    measure: str
    samples: Mapping[str, StudySample]
    pictures: Mapping[str, ShownPicture]
    masks: Mapping[tuple[int, int], tuple[ShownPicture, ...]]
    objects: Mapping[str, tuple[TrueObject, ...]]
    trials: Mapping[str, PlannedTrial]
    slots: Mapping[str, int] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    added: Mapping[str, PlannedTrial] = field(default_factory=dict)

    def of_kind(self, kind: TrialKind, task: StudyTask | None = None) -> list[PlannedTrial]:
        """The trials of a kind and, if given, of a task, in order."""
        return [
            one
            for one in self.trials.values()
            if one.kind == kind and (task is None or one.task == task)
        ]

    @cached_property
    def batches(self) -> Mapping[int, tuple[PlannedTrial, ...]]:
        """The test trials of each batch of a fixed design."""
        found: dict[int, list[PlannedTrial]] = {}
        for trial in self.of_kind(TrialKind.TEST):
            if trial.batch is not None:
                found.setdefault(trial.batch, []).append(trial)
        return {number: tuple(trials) for number, trials in found.items()}

    def scene_of(self, trial: PlannedTrial) -> str:
        """The id of the scene that a trial shows."""
        return self.samples[trial.samples[0]].scene
