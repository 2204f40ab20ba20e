"""Fusion: insert one physical object into camera and LiDAR; all else must be detected as before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from numpy.random import Generator

from snellen.changes.identity import Identity
from snellen.changes.insert3d.seed_frame import seed_frame
from snellen.changes.recipe import Materials, Recipe
from snellen.contract.asked import Asked
from snellen.contract.explanation import Explaining, Explanation
from snellen.contract.fault_target import FaultTarget
from snellen.contract.method import Method, Setting, Unit
from snellen.contract.questions import Answer, BudgetSpentError, Question, Questions
from snellen.contract.verdict import PART, Case, Status, Verdict
from snellen.errors import UserError
from snellen.methods.fusion.explanation.climb import climb
from snellen.methods.fusion.explanation.ladder import InsertionLadder
from snellen.methods.fusion.explanation.struck_target import fault_targets
from snellen.methods.fusion.frame_checks import frame_checks
from snellen.methods.fusion.frame_truth import truth_of
from snellen.methods.fusion.null_controls import NullControls, NullMaker
from snellen.methods.fusion.options import FusionOptions
from snellen.methods.fusion.prepared_frame import MeshChoice, PreparedFrame, choices_of, placed_by
from snellen.methods.fusion.relation import FusionRelation, detections3d_in
from snellen.methods.fusion.repair_support import FusionRetrains
from snellen.methods.fusion.road_masks import RoadMasks, road_masks
from snellen.methods.fusion.search.chain_search import SearchResult, search_frame
from snellen.methods.kind import MethodKind
from snellen.objects.label_names import plain_name
from snellen.objects.meshes.mesh_library import open_library
from snellen.objects.meshes.mesh_set import CachedMeshes, MeshSet, ParametricMeshes
from snellen.scenes.scene import Scene
from snellen.subjects.subject import Task
from snellen.vision.detections3d import Detections3D


@dataclass(frozen=True, eq=False)
class FusionMethod(Method):
    """MultiTest's method, with explicit events, margins, controls, and true labels."""

    options: FusionOptions
    setting: Setting
    meshes: MeshSet
    choices: tuple[MeshChoice, ...]
    class_ids: dict[str, int]
    roads: RoadMasks

    @property
    def materials(self) -> Materials:
        """The meshes that recipes name."""
        return {"meshes": self.meshes}

    @property
    def facts(self) -> Mapping[str, Any]:
        """The meshes."""
        return {"meshes": [choice.name for choice in self.choices]}

    def units(self) -> Sequence[Unit]:
        """Every frame."""
        return [Unit(scene.id, scene) for scene in self.setting.scenes]

    @property
    def confirmations(self) -> int:
        """The option `confirmations`."""
        return self.options.confirmations

    @property
    def minimum(self) -> int:
        """Three questions: the frame, one insertion, and its null."""
        return 3

    @property
    def explains(self) -> bool:
        """True."""
        return True

    def examine(self, unit: Unit, rng: Generator) -> Questions:
        """Search one frame for insertions that break the relation, with nulls and checks."""
        [before] = yield [Question(unit.scene, Identity())]
        frame = self._frame(unit.scene)
        relation = self._relation(unit.scene, detections3d_in(before))
        wanted = self.options.objects * self.options.tries
        [own] = rng.spawn(1)
        checks = frame_checks(frame, self.options.checks, own)
        maker = NullMaker.of(unit.scene, relation.truth, relation.before, relation.score)
        nulls = NullControls(maker, self.options.controls, own, checks, wanted)
        found = yield from search_frame(frame, relation, rng, wanted, nulls)
        cases = nulls.cases(before, self.judge)
        conclude = partial(_concluded, found, frame, relation)
        return Verdict((*found.cases, *cases), conclude=conclude)

    def judge(self, asked: Asked) -> Case:
        """Existing objects must be detected as before, and inserted ones must be detected."""
        assert asked.before is not None
        return self._relation(asked.scene, detections3d_in(asked.before)).case(
            asked, placed_by(asked.recipe, self.choices)
        )

    def struck(self, case: Case, classes: Sequence[str]) -> tuple[FaultTarget, ...]:
        """Objects of the frame, and inserted ones that are missed by class."""
        return fault_targets(case, classes)

    def explain(self, case: Case, unit: Unit, rng: Generator) -> Explaining:
        """Why its worst hard event occurs: which sensor, occlusion, or any change of the place."""
        scene, before = unit.scene, case.before
        assert isinstance(before, Detections3D)

        def judge(recipe: Recipe, answer: Answer) -> Case:
            return self.judge(Asked(scene, recipe, answer, Answer(before), PART))

        ladder = InsertionLadder.of(
            case, self._frame(scene), self._relation(scene, before), judge, rng
        )
        with suppress(BudgetSpentError):
            yield from climb(ladder)
        return ladder.explanation

    def _frame(self, scene: Scene) -> PreparedFrame:
        truth, road = truth_of(scene, self.class_ids), self.roads.of(scene.id)
        return PreparedFrame.of(scene, truth, self.choices, self.options, road)

    def _relation(self, scene: Scene, before: Detections3D) -> FusionRelation:
        frames, truth = seed_frame(scene).frames, truth_of(scene, self.class_ids)
        return FusionRelation(
            self.options, self.setting.subject.score, before, truth, frames, scene.size
        )


def _concluded(
    found: SearchResult,
    frame: PreparedFrame,
    relation: FusionRelation,
    cases: Sequence[Case],
    _: Mapping[int, Explanation],
) -> Verdict:
    """The verdict with the results of the search, counted by confirmed failures."""
    kept = [chain[-1] for chain in found.chains if chain]
    notes = {
        "labelled": len(frame.truth.boxes),
        "search": str(frame.options.search),
        "fitness_before": round(relation.fitness_before, 6),
        "insertions": len(found.cases),
        "chains": found.chains,
        "kept": kept,
        "failing_kept": sum(cases[number].status == Status.FAILING for number in kept),
        "no_room": found.full,
    }
    return Verdict(tuple(cases), notes)


def prepare(options: FusionOptions, setting: Setting) -> FusionMethod:
    """The method for a subject and frames, with its meshes loaded."""
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


METHOD = MethodKind(
    FusionOptions,
    prepare,
    view="snellen.methods.fusion.view:VIEW",
    exam="snellen.methods.fusion.exam_entry:ENTRY",
    repairs=FusionRetrains(),
)
