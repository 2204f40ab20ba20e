"""What a study was made of and what people answered: all that an estimate is made from.

`data/` writes and reads it; `estimates/` and the exports take it and know no file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from snellen.study.trial import Exposure, StudyAnswer, StudyBox, StudyTask, StudyValue, TrialKind

ORIGINAL = "original"


class StudySample(StudyValue):
    """One picture of the experiment, changed or as it was.

    scene: the id of its scene; versions of one scene share it. transformation: the kind of
    corruption, or `original`; pipelines of `rank` have their own names. level: of the corruption,
    None for an original. delta_v: visual change by the study's measure, 0 for an original.
    recipe: how to build it again, as a run's journal keeps recipes.
    """

    sample: str
    scene: str
    transformation: str
    level: float | None
    delta_v: float
    recipe: Mapping[str, Any]


class TrueObject(StudyValue):
    """An annotated object of a scene. mask: COCO RLE with `counts` as text, None without one."""

    id: str
    label: str
    box: StudyBox
    mask: Mapping[str, Any] | None = None


class PlannedTrial(StudyValue):
    """One trial and its truth.

    samples: one, or for `rank` those to be ordered. label: the class asked about in `classify`
    (whether it is there decides what is right) and `segment`. right: the right choice of
    `classify` and `classify-box`, empty elsewhere. object: the id of the annotated object whose
    box is shown, None for a box that people drew. box: what is shown for `classify-box` and
    `segment`. batch: the batch of a fixed design; None where trials are dealt as people come.
    """

    trial: str
    task: StudyTask
    kind: TrialKind
    samples: tuple[str, ...]
    label: str | None = None
    choices: tuple[str, ...] = ()
    right: str = ""
    object: str | None = None
    box: StudyBox | None = None
    batch: int | None = None


class GivenAnswer(StudyValue):
    """One answer as it was kept. place: its rank among the participant's answers, from 0.

    response_ms: from the end of the flash, or the appearance of the picture, to the answer.
    received: Unix time in seconds.
    """

    participant: str
    trial: str
    place: int
    answer: StudyAnswer
    exposure: Exposure
    response_ms: float
    received: float


@dataclass(frozen=True)
class StudyRecord:
    """A study's design and answers, in the order in which these were kept.

    measure: the id of the measure of visual change with its parameters and version.
    flash_ms: the exposure aimed at. objects: by scene.
    """

    name: str
    seed: int
    measure: str
    flash_ms: float
    samples: Mapping[str, StudySample]
    objects: Mapping[str, tuple[TrueObject, ...]]
    trials: Mapping[str, PlannedTrial]
    answers: tuple[GivenAnswer, ...]
