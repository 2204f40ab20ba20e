"""Insertion: put an object into a scene, everything else must be detected as before."""

from __future__ import annotations

from collections.abc import Generator as Yielding
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from numpy.random import Generator

from snellen.changes.identity import Identity
from snellen.changes.measures.registry import MEASURES
from snellen.changes.paste.insert import Insert
from snellen.changes.recipe import Materials
from snellen.contract.method import Setting, Unit
from snellen.contract.questions import Answer, Question, Questions
from snellen.contract.verdict import TEST, Case, Verdict
from snellen.errors import UserError
from snellen.methods.confirmation import confirmed
from snellen.methods.insertion.options import Footing, InsertionOptions
from snellen.methods.insertion.plan import InsertionScene, PlannedInsertion, plan_insertions
from snellen.methods.insertion.rejudging import rejudge
from snellen.methods.insertion.relation import InsertionRelation
from snellen.methods.insertion.scene_relocations import relocate_failures
from snellen.methods.kind import MethodKind
from snellen.methods.paste_controls import PasteControl, SceneObstacles, paste_controls
from snellen.objects.cooccurrence import CoOccurrence
from snellen.objects.label_names import plain_name
from snellen.objects.library.library import Library, ids_digest
from snellen.objects.library.open_objects import open_objects
from snellen.objects.selection import Policy
from snellen.scenes.scene import Scene
from snellen.subjects.subject import Prediction, Task
from snellen.vision.detections import Detections

CUTTING = "cutting objects out of scenes"
FIRST_SHARE = 0.7
"""The part of a budget for insertions and controls; the rest confirms and relocates."""


@dataclass(frozen=True, eq=False)
class InsertionMethod:
    """MetaOD's method, with explicit events, margins, controls and confirmation."""

    options: InsertionOptions
    setting: Setting
    library: Library
    table: CoOccurrence | None = None
    minimum: int = 3
    class_ids: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        names = enumerate(self.setting.subject.classes)
        object.__setattr__(self, "class_ids", {plain_name(name): id for id, name in names})

    @property
    def materials(self) -> Materials:
        """The library that recipes take their objects from."""
        return {"objects": self.library}

    @property
    def facts(self) -> Mapping[str, Any]:
        """Which objects there are."""
        return {"objects": {"digest": ids_digest(self.library)}}

    def units(self) -> Sequence[Unit]:
        """Every scene."""
        return [Unit(scene.id, scene) for scene in self.setting.scenes]

    def examine(self, unit: Unit, rng: Generator, allowance: int | None) -> Questions:
        """Insert around each object that the subject finds, judge, confirm and relocate."""
        scene, subject = unit.scene, self.setting.subject
        [first] = yield [Question(scene, Identity())]
        before = first.prediction
        assert isinstance(before, Detections)
        stage = InsertionScene.of(scene, before.above(subject.score), subject.classes, self.options)
        limit = None if allowance is None else int(FIRST_SHARE * (allowance - 1))
        planned, checks = self._planned(stage, rng, limit)
        judge = InsertionRelation(self.options, subject.score, before)
        cases = yield from self._asked(stage, planned, checks, judge)
        left = None if allowance is None else allowance - 1 - len(planned) - len(checks)
        if not subject.deterministic:
            cases, left = yield from confirmed(judge.steady(scene), cases, left)
        notes: dict[str, object] = {"objects": len(stage.objects), "insertions": len(planned)}
        if self.options.relocate:
            moves = yield from relocate_failures(
                stage, judge, planned, cases, left, subject.deterministic
            )
            cases = [*cases, *moves.cases]
            notes["relocations"] = moves.notes
        return Verdict(tuple(cases), notes)

    def judged_again(
        self,
        case: Case,
        of: Scene,
        scene: Prediction,
        answer: Prediction,
    ) -> Case:
        """The case as it is judged by what the subject says now."""
        assert isinstance(scene, Detections)
        assert isinstance(answer, Detections)
        label = None
        if isinstance(case.recipe, Insert):
            name = self.library.cutout(case.recipe.object).label
            names = enumerate(self.setting.subject.classes)
            label = {plain_name(one): id for id, one in names}.get(plain_name(name))
        judge = InsertionRelation(self.options, self.setting.subject.score, scene)
        return rejudge(judge, case, label, answer)

    def _planned(
        self, stage: InsertionScene, rng: Generator, limit: int | None
    ) -> tuple[list[PlannedInsertion], list[PasteControl]]:
        if len(stage.objects) == 0:
            return [], []
        share = self.options.controls
        room = None if limit is None else max(1, int(limit / (1 + share)))
        planned = plan_insertions(stage, self.library, self.class_ids, rng, room, self.table)
        wanted = len(planned) * share
        count = int(wanted) + int(rng.random() < wanted - int(wanted))
        if limit is not None:
            count = min(count, limit - len(planned))
        around = SceneObstacles(stage.scene, stage.objects.boxes, stage.obstacles)
        return planned, paste_controls(around, [one.recipe for one in planned], count, rng)

    def _asked(
        self,
        stage: InsertionScene,
        planned: list[PlannedInsertion],
        checks: list[PasteControl],
        judge: InsertionRelation,
    ) -> Yielding[list[Question], Sequence[Answer], list[Case]]:
        questions = [Question(stage.scene, one.recipe, self.options.measures) for one in planned]
        questions += [check.question for check in checks]
        answers = yield questions
        cases = [
            judge.insertion(one, answer, TEST)
            for one, answer in zip(planned, answers[: len(planned)], strict=True)
        ]
        for check, answer in zip(checks, answers[len(planned) :], strict=True):
            cases.append(judge.control(check, answer))
        return cases


def prepare(options: InsertionOptions, setting: Setting) -> InsertionMethod:
    """The method for a subject and scenes, its objects at hand."""
    if setting.subject.task == Task.LABELS:
        raise UserError(
            "method insertion tests detectors and segmenters, but the subject answers with labels. "
            "Choose another method, or take `read_as: labels` away."
        )
    if setting.objects is None:
        raise UserError(
            "method insertion needs `objects`: a library, or scenes with masks to cut them from. "
            "See docs/how-to/objects.md"
        )
    for name in options.measures:
        MEASURES.check(name, "insertion.measures")
    bare = [scene.id for scene in setting.scenes if scene.region is None]
    if options.footing == Footing.REGION and bare:
        raise UserError(
            f"insertion.footing: found 'region', but scene '{bare[0]}' has no mask. "
            "Read scenes with `kind: masks`, or choose another footing."
        )
    library = open_objects(
        setting.objects,
        setting.folder,
        setting.subject,
        "objects",
        skip_invalid=setting.skip_invalid,
        progress=partial(setting.progress, CUTTING) if setting.progress else None,
    )
    if options.labels == Policy.CO_OCCURRING:
        return InsertionMethod(options.published(), setting, library, library.co_occurrence())
    return InsertionMethod(options.published(), setting, library)


METHOD = MethodKind(
    InsertionOptions, prepare, objects=True, view="snellen.methods.insertion.view:VIEW"
)
