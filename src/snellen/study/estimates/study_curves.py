"""The answers of a study by task, class and corruption, each a curve to be fitted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from snellen.study.estimates.curve.judged_trials import JudgedTrials
from snellen.study.estimates.scores.scored_answer import ScoredAnswer, ScoredUnit
from snellen.study.estimates.scores.task_scores import ScoredStudy
from snellen.study.estimates.scores.trial_table import trial_table
from snellen.study.trial import StudyTask, TrialKind

ANY = "any"
"""All classes together."""


@dataclass(frozen=True, order=True)
class CurveKey:
    """What a curve is about."""

    task: StudyTask
    label: str
    transformation: str


def measured_answers(study: ScoredStudy) -> list[ScoredAnswer]:
    """The answers that a curve is fitted to: no practice, no sanity images, no boxes drawn.

    An object that was not found stands for itself; a box on nothing tells no curve.
    """
    return [
        one
        for one in study.answers
        if one.kind is TrialKind.TEST and one.unit is not ScoredUnit.BOX
    ]


def curve_trials(study: ScoredStudy) -> dict[CurveKey, JudgedTrials]:
    """The answers behind each curve: those to changed pictures, and to originals.

    There is a curve for all classes together and, with several, for each.
    """
    changed: dict[CurveKey, list[ScoredAnswer]] = defaultdict(list)
    unchanged: dict[tuple[StudyTask, str], list[ScoredAnswer]] = defaultdict(list)
    answers = measured_answers(study)
    labels = _labels(answers)
    for one in answers:
        for label in (ANY, one.label) if len(labels[one.task]) > 1 else (ANY,):
            if one.unchanged:
                unchanged[one.task, label].append(one)
            else:
                changed[CurveKey(one.task, label, one.transformation)].append(one)
    return {
        key: trial_table([*unchanged[key.task, key.label], *changed[key]])
        for key in sorted(changed)
    }


def _labels(answers: list[ScoredAnswer]) -> Mapping[StudyTask, set[str]]:
    found: dict[StudyTask, set[str]] = defaultdict(set)
    for one in answers:
        found[one.task].add(one.label)
    return found
