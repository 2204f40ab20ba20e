"""Fusion: put one physical object into camera and LiDAR alike; all else must be seen as before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Generator as Yielding
from dataclasses import dataclass
from typing import Any

from numpy.random import Generator

from snellen.changes.identity import Identity
from snellen.changes.insert3d.seed_frame import seed_frame
from snellen.changes.recipe import Materials
from snellen.contract.method import Setting, Unit
from snellen.contract.questions import Answer, Question, Questions
from snellen.contract.verdict import CONTROL, TEST, Case, Status, Verdict
from snellen.errors import UserError
from snellen.methods.fusion.confirmation import confirmed
from snellen.methods.fusion.frame_controls import FrameControl, frame_controls
from snellen.methods.fusion.frame_truth import FrameTruth, truth_of
from snellen.methods.fusion.options import FusionOptions
from snellen.methods.fusion.prepared_frame import MeshChoice, PreparedFrame, choices_of, placed_by
from snellen.methods.fusion.relation import FusionRelation, detections3d_in
from snellen.methods.fusion.road_masks import RoadMasks, road_masks
from snellen.methods.fusion.search.chain_search import SearchResult, search_frame
from snellen.methods.kind import MethodKind
from snellen.objects.label_names import plain_name
from snellen.objects.meshes.mesh_library import open_library
from snellen.objects.meshes.mesh_set import CachedMeshes, MeshSet, ParametricMeshes
from snellen.scenes.scene import Scene
from snellen.subjects.subject import Prediction, Task
from snellen.vision.detections3d import Detections3D

CONFIRMING_SHARE = 0.3
"""The part of a budget that is kept for asking again, where the subject is unsteady."""


@dataclass(frozen=True, eq=False)
class FusionMethod:
    """MultiTest's method, with explicit events, margins, controls, and true labels."""

    options: FusionOptions
    setting: Setting
    meshes: MeshSet
    choices: tuple[MeshChoice, ...]
    class_ids: dict[str, int]
    roads: RoadMasks
    minimum: int = 2

    @property
    def materials(self) -> Materials:
        """The meshes that recipes name."""
        return {"meshes": self.meshes}

    @property
    def facts(self) -> Mapping[str, Any]:
        """Which meshes there are."""
        return {"meshes": [choice.name for choice in self.choices]}

    def units(self) -> Sequence[Unit]:
        """Every frame."""
        return [Unit(scene.id, scene) for scene in self.setting.scenes]

    def examine(self, unit: Unit, rng: Generator, allowance: int | None) -> Questions:
        """Search one frame for insertions that break the relation, with controls beside them."""
        subject = self.setting.subject
        [first] = yield [Question(unit.scene, Identity())]
        truth = truth_of(unit.scene, self.class_ids)
        road = self.roads.of(unit.scene.id)
        stage = PreparedFrame.of(unit.scene, truth, self.choices, self.options, road)
        judge = self._judge(unit.scene, detections3d_in(first), stage.truth)
        wanted, checks = self._shares(stage, rng, None if allowance is None else allowance - 1)
        found = yield from search_frame(stage, judge, rng, wanted)
        cases = [*found.cases, *(yield from self._checked(judge, checks))]
        if not subject.deterministic:
            asked = 1 + len(cases)
            left = None if allowance is None else allowance - asked
            times = self.options.confirmations
            cases = yield from confirmed(unit.scene, cases, times, left, self._holds(judge))
        return Verdict(tuple(cases), _notes(found, stage, judge))

    def judged_again(self, case: Case, of: Scene, scene: Prediction, answer: Prediction) -> Case:
        """The case as it is judged by what the subject says now."""
        assert isinstance(scene, Detections3D)
        judge = self._judge(of, scene, truth_of(of, self.class_ids))
        placed = placed_by(case.recipe, self.choices)
        said = Answer(answer, case.measurements)
        if case.role == TEST:
            return judge.insertion(case.recipe, placed, said)
        return judge.control(case.role.removeprefix(CONTROL), case.recipe, placed, said)

    def _judge(self, scene: Scene, before: Detections3D, truth: FrameTruth) -> FusionRelation:
        frames = seed_frame(scene).frames
        return FusionRelation(
            self.options, self.setting.subject.score, before, truth, frames, scene.size
        )

    def _holds(self, judge: FusionRelation) -> Callable[[Case, Prediction], bool]:
        def holds(case: Case, answer: Prediction) -> bool:
            return judge.holds_with(case, placed_by(case.recipe, self.choices), answer)

        return holds

    def _shares(
        self, stage: PreparedFrame, rng: Generator, limit: int | None
    ) -> tuple[int, list[FrameControl]]:
        """How many insertions to ask about, and the controls."""
        wanted = self.options.objects * self.options.tries
        if limit is not None:
            steady = self.setting.subject.deterministic
            room = limit if steady else int((1 - CONFIRMING_SHARE) * limit)
            wanted = min(wanted, max(1, int(room / (1 + self.options.controls))))
        share = wanted * self.options.controls
        count = int(share) + int(rng.random() < share - int(share))
        if limit is not None:
            count = min(count, max(0, limit - wanted))
        return wanted, frame_controls(stage, count, rng)

    def _checked(
        self, judge: FusionRelation, checks: list[FrameControl]
    ) -> Yielding[list[Question], Sequence[Answer], list[Case]]:
        if not checks:
            return []
        answers = yield [check.question for check in checks]
        return [
            judge.control(check.name, check.question.recipe, check.placed, answer)
            for check, answer in zip(checks, answers, strict=True)
        ]


def _notes(found: SearchResult, stage: PreparedFrame, judge: FusionRelation) -> dict[str, Any]:
    kept = [chain[-1] for chain in found.chains if chain]
    return {
        "labelled": len(stage.truth.boxes),
        "search": str(stage.options.search),
        "fitness_before": round(judge.fitness_before, 6),
        "insertions": len(found.cases),
        "chains": found.chains,
        "kept": kept,
        "failing_kept": sum(found.cases[number].status == Status.FAILING for number in kept),
        "no_room": found.full,
    }


def prepare(options: FusionOptions, setting: Setting) -> FusionMethod:
    """The method for a subject and frames, its meshes at hand."""
    subject = setting.subject
    if subject.task != Task.DETECTION_3D:
        raise UserError(
            f"method fusion tests camera+LiDAR systems, but the subject's task is {subject.task}. "
            "Choose a subject of task detection-3d, or another method."
        )
    bare = [
        scene.id for scene in setting.scenes if scene.sweep is None or scene.sweep.labels() is None
    ]
    if bare:
        raise UserError(
            f"method fusion needs frames with point clouds and labels; scene '{bare[0]}' lacks "
            "them. Use scenes of kind kitti with points and labels required."
        )
    if setting.objects is not None:
        raise UserError(
            "method fusion takes no `objects`: meshes are named by fusion.meshes and "
            "fusion.mesh_folder."
        )
    class_ids = {plain_name(name): number for number, name in enumerate(subject.classes)}
    meshes: MeshSet
    if options.mesh_folder is not None:
        meshes = CachedMeshes(open_library(setting.folder / options.mesh_folder))
    else:
        meshes = ParametricMeshes(variants=options.variants)
    choices = choices_of(meshes, class_ids, options.meshes)
    roads = road_masks(options.road, options.road_class, setting)
    return FusionMethod(options.published(), setting, meshes, choices, class_ids, roads)


METHOD = MethodKind(FusionOptions, prepare, view="snellen.methods.fusion.view:VIEW")
