"""Small studies of generated scenes, made once, and people who answer them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from snellen.configuration import parse
from snellen.study.data.opened_study import OpenedStudy
from snellen.study.design.creation import create_study
from snellen.study.options import StudyOptions
from snellen.study.trial import (
    BoxesAnswer,
    ClassAnswer,
    Exposure,
    OutlineAnswer,
    RankAnswer,
    ShownTrial,
    Stage,
    StudyAnswer,
    StudyTask,
)

SCENES: dict[str, Any] = {
    "kind": "synthetic",
    "count": 40,
    "size": [96, 128],
    "sides": [20, 28],
    "objects": [1, 3],
}
SMALL: dict[str, Any] = {
    "name": "small",
    "contact": "owner@example.org",
    "scenes": SCENES,
    "classes": ["tomato", "lemon", "lime"],
    "tasks": ["classify", "localise", "classify-box", "segment"],
    "corruptions": ["brightness", "contrast"],
    "samples": 16,
    "batch": 4,
    "sanity": 1,
    "practice": 1,
    "qualification": 1,
    "answers": 2,
    "least_side": 16,
    "measure": "rmse",
}
SEEN = Exposure(shown_ms=200.0, frame_ms=16.7)


def options_of(**changes: Any) -> StudyOptions:
    return parse(StudyOptions, {**SMALL, **changes}, "study.yaml")


def create(out: Path, **changes: Any) -> Path:
    create_study(options_of(**changes), out.parent, out)
    return out


@cache
def _made(changes: str) -> Path:
    return create(Path(mkdtemp(prefix="snellen-study-")) / "study", **eval(changes))


def made_study(out: Path, **changes: Any) -> Path:
    """A copy of a study that is made once for all tests."""
    shutil.copytree(_made(repr(changes)), out)
    return out


def right_answer(study: OpenedStudy, trial: ShownTrial) -> StudyAnswer:
    """What somebody who sees everything answers."""
    planned = study._trial(trial.trial)
    if trial.task in (StudyTask.CLASSIFY, StudyTask.CLASSIFY_BOX):
        return ClassAnswer(choice=planned.right)
    if trial.task == StudyTask.LOCALISE:
        objects = study._design.objects[study._design.scene_of(planned)]
        return BoxesAnswer(boxes=tuple(one.box for one in objects))
    if trial.task == StudyTask.SEGMENT:
        assert trial.box is not None
        x1, y1, x2, y2 = trial.box
        return OutlineAnswer(polygons=(((x1, y1), (x2, y1), (x2, y2), (x1, y2)),))
    return RankAnswer(order=tuple(one.name for one in trial.pictures))


Answering = Callable[[OpenedStudy, ShownTrial], StudyAnswer]


def begin(study: OpenedStudy, **source: str) -> str:
    code = study.enrol(source)
    study.pass_stage(code, Stage.CONSENT)
    study.pass_stage(code, Stage.INSTRUCTIONS)
    return code


def take_part(
    study: OpenedStudy, answering: Answering = right_answer, most: int = 10_000, **source: str
) -> tuple[str, list[ShownTrial]]:
    """A participant who answers at most so many trials; the code, and the trials."""
    code = begin(study, **source)
    seen: list[ShownTrial] = []
    while len(seen) < most and (trial := study.next_trial(code)) is not None:
        study.record(code, trial.trial, answering(study, trial), SEEN, 700.0)
        seen.append(trial)
    return code, seen
