"""The method: ask about the scene and its mirror image; the boxes must be mirrored."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.random import Generator
from pydantic import Field

from snellen.api import (
    CONTROL,
    TEST,
    UNEXPLAINED,
    Answer,
    Asked,
    Case,
    Event,
    Explaining,
    Explanation,
    FaultTarget,
    Identity,
    Method,
    MethodKind,
    Options,
    Question,
    Questions,
    Reencode,
    Rung,
    Setting,
    Severity,
    Task,
    Unit,
    UserError,
    Verdict,
    case_events,
    clip,
    status_of,
)
from snellen_mirror.halves import half_counts
from snellen_mirror.recipe import Mirror

OBJECT, SCENE = "object", "scene"
"""Causes: the object breaks when it alone is mirrored, or only with the whole scene."""
ALONE = "the object alone, mirrored in its place"
"""The rung of every explanation."""


class MirrorOptions(Options):
    """Options of the method `mirror`."""

    iou: float = Field(0.5, gt=0, le=1, description="IoU from which two boxes are the same object")
    tolerated: float = Field(
        0.05, ge=0, lt=1, description="share of scenes that may break; a gate decides by it"
    )


@dataclass(frozen=True)
class MirrorMethod(Method):
    """Mirrors each scene once; a control compresses it instead."""

    options: MirrorOptions
    setting: Setting

    @property
    def facts(self) -> Mapping[str, Any]:
        """What the requirement needs, kept in the journal."""
        return {"tolerated": self.options.tolerated}

    @property
    def explains(self) -> bool:
        """Every failure is followed by a counterfactual question."""
        return True

    def units(self) -> Sequence[Unit]:
        """Every scene."""
        return [Unit(scene.id, scene) for scene in self.setting.scenes]

    def examine(self, unit: Unit, rng: Generator) -> Questions:
        """The scene, its mirror image, and a control."""
        [before] = yield [Question(unit.scene, Identity())]
        planned = {TEST: Mirror(), f"{CONTROL}reencode": Reencode("jpeg", 95)}
        answers = yield [Question(unit.scene, recipe) for recipe in planned.values()]
        cases = [
            self.judge(Asked(unit.scene, recipe, after, before, role))
            for (role, recipe), after in zip(planned.items(), answers, strict=False)
        ]
        return Verdict(tuple(cases), conclude=concluded)

    def judge(self, asked: Asked) -> Case:
        """Everything found in the scene must be found where the recipe moves it, and no more."""
        assert asked.before is not None
        before, after = asked.before.prediction, asked.after.prediction
        score = self.setting.subject.score
        known = self.setting.annotated_objects(asked.scene)
        events = case_events(asked, score=score, iou=self.options.iou, known=known)
        measured = {**asked.facts, **half_counts(before, events, asked.scene.size, score)}
        status = status_of(events)
        return Case(asked.recipe, asked.role, status, after, before, events, measured, asked.parent)

    def explain(self, case: Case, unit: Unit, rng: Generator) -> Explaining:
        """Whether the object struck hardest breaks when it alone is mirrored, in its place."""
        worst = _worst(case)
        if worst is None or worst.box is None or case.before is None:
            return Explanation()
        recipe = Mirror(_window(worst, case, unit.scene.size))
        [answer] = yield [Question(unit.scene, recipe)]
        alone = self.judge(Asked(unit.scene, recipe, answer, Answer(case.before)))
        if any((one.kind, one.label) == (worst.kind, worst.label) for one in _hard(alone)):
            rung = Rung(ALONE, alone, persists=True)
            return Explanation(OBJECT, (rung,), smallest=alone, about=(worst,))
        return Explanation(SCENE, (Rung(ALONE, alone, persists=False),), about=(worst,))

    def struck(self, case: Case, classes: Sequence[str]) -> tuple[FaultTarget, ...]:
        """What was struck, by kind and class: the same in every scene."""
        names = sorted({f"{one.kind} {classes[one.label]}" for one in _hard(case)})
        return tuple(FaultTarget(name, name, shared=True) for name in names)


def concluded(cases: Sequence[Case], explanations: Mapping[int, Explanation]) -> Verdict:
    """The cases with the measurement `alone`, 1 where the object breaks alone."""
    told = [_explained(case, explanations.get(number)) for number, case in enumerate(cases)]
    return Verdict(tuple(told))


def _explained(case: Case, found: Explanation | None) -> Case:
    if found is None or found.cause == UNEXPLAINED:
        return case
    return replace(case, measurements={**case.measurements, "alone": float(found.cause == OBJECT)})


def _hard(case: Case) -> list[Event]:
    return [event for event in case.events if event.severity == Severity.HARD]


def _worst(case: Case) -> Event | None:
    return max(_hard(case), key=lambda event: event.margin, default=None)


def _window(event: Event, case: Case, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """The box of an event in whole pixels of the scene, within it."""
    boxes = np.array([event.box], dtype=np.float32)
    if event.before is None:  # then the box is one of the case; mirrored again, of the scene
        boxes = case.recipe.moved_boxes(boxes, size)
    x1, y1, x2, y2 = clip(boxes, size)[0].tolist()
    return math.floor(x1), math.floor(y1), math.ceil(x2), math.ceil(y2)


def prepare(options: MirrorOptions, setting: Setting) -> MirrorMethod:
    """The method for a subject and its scenes."""
    if setting.subject.task == Task.DETECTION_3D:
        raise UserError(
            "method: mirror changes images, but the subject asks for camera+LiDAR frames. Choose "
            "a subject that takes images."
        )
    return MirrorMethod(options, setting)


METHOD = MethodKind(MirrorOptions, prepare, view="snellen_mirror.view:VIEW")
