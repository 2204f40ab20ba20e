"""A method as a plug-in brings it: an object beside a detected one must not hide it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.random import Generator
from pydantic import Field

from snellen.changes.identity import Identity
from snellen.changes.paste.insert import Insert
from snellen.changes.recipe import Materials
from snellen.configuration import Options
from snellen.contract.asked import Asked
from snellen.contract.instances import InstanceKey
from snellen.contract.method import Method, Setting, Unit
from snellen.contract.questions import Question, Questions, detections_in
from snellen.contract.verdict import Case, Status, Verdict
from snellen.methods.kind import MethodKind
from snellen.methods.paste.paste_repairs import PasteRepairs
from snellen.objects.library.library import Library
from snellen.objects.library.open_objects import open_objects
from snellen.subjects.subject import Subject
from snellen.vision.boxes.matching_detection import matching_detection

NAME = "nearby"
SIDE = 16


class NearbyOptions(Options):
    """How many objects are put beside each detected one."""

    tests: int = Field(4, ge=1, description="insertions for each detected object")


@dataclass(frozen=True, eq=False)
class NearbyMethod(Method):
    """Puts objects beside detected ones, the detected one being the case's instance."""

    options: NearbyOptions
    setting: Setting
    library: Library

    @property
    def materials(self) -> Materials:
        return {"objects": self.library}

    def units(self) -> Sequence[Unit]:
        return [Unit(scene.id, scene) for scene in self.setting.scenes]

    def examine(self, unit: Unit, rng: Generator) -> Questions:
        [before] = yield [Question(unit.scene, Identity())]
        detections = detections_in(before)
        strong = np.flatnonzero(detections.scores >= np.float32(self.setting.subject.score))
        planned = [
            (self._beside(detections.boxes[index], unit.scene.size, rng), {"victim": float(index)})
            for index in strong.tolist()
            for _ in range(self.options.tests)
        ]
        answers = yield [Question(unit.scene, recipe) for recipe, _ in planned]
        return Verdict(
            tuple(
                self.judge(Asked(unit.scene, recipe, answer, before, facts=facts))
                for (recipe, facts), answer in zip(planned, answers, strict=False)
            )
        )

    def judge(self, asked: Asked) -> Case:
        """The instance is found after as before; of a case judged again, where it is now."""
        assert asked.before is not None
        score, index = self.setting.subject.score, int(asked.facts["victim"])
        before, after = detections_in(asked.before), detections_in(asked.after)
        known: int | None = index
        if asked.earlier is not None:
            seen: Any = asked.earlier.before
            known = matching_detection(seen, index, before, score=score, overlap=0.5)
        kept = known is None or (
            matching_detection(before, known, after, score=score, overlap=0.5) is not None
        )
        status = Status.HOLDS if kept else Status.FAILING
        facts = {**asked.facts, "kept": float(kept)}
        return Case(asked.recipe, asked.role, status, after, before, (), facts)

    def _beside(self, box: Any, size: tuple[int, int], rng: Generator) -> Insert:
        """An object of the library that touches the box on the left or on the right."""
        entries = [one for label in self.library.labels() for one in self.library.entries(label)]
        x1, y1, x2, _ = np.rint(box).astype(int).tolist()
        x = x2 if x2 + SIDE <= size[1] else max(0, x1 - SIDE)
        y = int(np.clip(y1 + rng.integers(-6, 7), 0, size[0] - SIDE))
        return Insert(entries[rng.integers(len(entries))].id, x, y, SIDE, SIDE, "hard", 0.0)


class NearbyRepairs(PasteRepairs):
    """What a plug-in has to add to what all pasting methods share."""

    @property
    def instances(self) -> InstanceKey:
        return InstanceKey("victim")

    @property
    def outcomes(self) -> tuple[str, ...]:
        return ("kept",)

    def for_subject(
        self, method: NearbyMethod, subject: Subject, facts: Mapping[str, Any]
    ) -> NearbyMethod:
        return replace(method, setting=replace(method.setting, subject=subject))


def prepare(options: NearbyOptions, setting: Setting) -> NearbyMethod:
    assert setting.objects is not None
    library = open_objects(setting.objects, setting.folder, setting.subject, "objects")
    return NearbyMethod(options, setting, library)


METHOD = MethodKind(NearbyOptions, prepare, objects=True, repairs=NearbyRepairs())
