"""Robustness: how often, and at what distance, a base instance is lost next to an insertion."""

from __future__ import annotations

from collections.abc import Generator as Yielding
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from numpy.random import Generator

from snellen.changes.identity import Identity
from snellen.changes.recipe import Materials
from snellen.contract.asked import Asked
from snellen.contract.explanation import Explaining, Explanation
from snellen.contract.fault_target import FaultTarget
from snellen.contract.method import Method, Setting, Unit
from snellen.contract.questions import (
    Answer,
    BudgetSpentError,
    Question,
    Questions,
    detections_in,
)
from snellen.contract.verdict import TEST, UNTESTED, Case, Verdict
from snellen.methods.controlled_cases import (
    ControlDraws,
    ControlledCases,
    ask_with_controls,
    enough_for,
)
from snellen.methods.kind import MethodKind
from snellen.methods.planned_case import (
    NO_BUDGET,
    NO_ROOM,
    NOTHING_DETECTED,
    PlannedCase,
    in_turn,
)
from snellen.methods.robustness import base_contours, stochastic_passes
from snellen.methods.robustness.base_contours import BaseContour
from snellen.methods.robustness.base_instances import BaseInstance, RobustnessScene
from snellen.methods.robustness.case_measurements import (
    case_measurements,
    object_notes,
    uncertainty_of,
)
from snellen.methods.robustness.insertions.level_plan import LevelInsertion, plan_levels
from snellen.methods.robustness.insertions.object_choice import (
    HashedLibrary,
    InsertionObject,
    alone_questions,
    choose_objects,
)
from snellen.methods.robustness.instance_explanation import explain_instance, struck_instance
from snellen.methods.robustness.instance_results import InstanceResult, instance_note
from snellen.methods.robustness.options import Contour, Passes, RobustnessOptions
from snellen.methods.robustness.prerequisites import check_subject, opened_library
from snellen.methods.robustness.relation import RobustnessRelation
from snellen.methods.robustness.repair_support import RobustnessRepairs
from snellen.objects.label_names import plain_name
from snellen.objects.library.library import (
    Library,
    ids_digest,
    object_class_ids,
    origin_facts,
)
from snellen.scenes.scene import Scene
from snellen.vision.detections import Detections
from snellen.vision.uncertainty import Uncertainty


@dataclass(frozen=True, eq=False)
class RobustnessMethod(Method):
    """Wang et al.'s method, per base instance, with controls and intervals."""

    options: RobustnessOptions
    setting: Setting
    library: Library
    hashed: HashedLibrary = field(init=False)

    def __post_init__(self) -> None:
        names = enumerate(self.setting.subject.classes)
        ids = {plain_name(name): label for label, name in names}
        object.__setattr__(self, "hashed", HashedLibrary(self.library, ids))

    @property
    def minimum(self) -> int:
        """A scene's answer, its passes and masks, and one base instance, tested at each level."""
        needed = alone_questions(self.options, self._how())
        return (
            self._overhead() + needed + enough_for(len(self.options.levels), self.options.controls)
        )

    @property
    def confirmations(self) -> int:
        """The option `confirmations`."""
        return self.options.confirmations

    @property
    def materials(self) -> Materials:
        """The library that recipes take their objects from."""
        return {"objects": self.library}

    @property
    def facts(self) -> Mapping[str, Any]:
        """The objects of the library, and what `auto` means here."""
        return {
            "objects": {"digest": ids_digest(self.library), **origin_facts(self.library)},
            "robustness": {
                "contour": str(self._contour()),
                "uncertainty": str(self._how()),
                "levels": list(self.options.shares),
                "tests_per_level": self.options.tests_per_level,
            },
        }

    def units(self) -> Sequence[Unit]:
        """Every scene."""
        return [Unit(scene.id, scene) for scene in self.setting.scenes]

    def examine(self, unit: Unit, rng: Generator) -> Questions:
        """Find base instances, their contours and uncertainty; insert around each, and judge."""
        scene, subject, options = unit.scene, self.setting.subject, self.options
        [before] = yield [Question(scene, Identity())]
        prepared = self.prepared_scene(scene, detections_in(before))
        bases = prepared.bases(options.score, options.per_scene, rng)
        if not bases:
            nothing = {"instances": [], UNTESTED: NOTHING_DETECTED}
            return Verdict((), {"objects": object_notes(prepared, None), **nothing})
        unsure = yield from stochastic_passes.sample_uncertainty(
            scene, prepared.objects, self._how(), options.passes, len(subject.classes)
        )
        edges = yield from base_contours.base_contours(prepared, bases, options, subject)
        found, tested = yield from self._tested(prepared, edges, unsure, before, rng)
        notes = {"objects": object_notes(prepared, unsure), **tested.notes}
        if not tested.cases:
            notes[UNTESTED] = NO_ROOM if found and all(one.why for one in found) else NO_BUDGET
        conclude = partial(self._concluded, notes, found, rng)
        return Verdict(tuple(tested.cases), conclude=conclude)

    def judge(self, asked: Asked) -> Case:
        """The base instance must be detected with the same class at the same place."""
        assert asked.before is not None
        prepared = self.prepared_scene(asked.scene, detections_in(asked.before))
        known = self.setting.annotated_objects(asked.scene)
        return RobustnessRelation(self.options, prepared, self.object_labels, known).judge(asked)

    @property
    def explains(self) -> bool:
        """Whether a finding's cause is the object, the place, the seam or any change."""
        return True

    def explain(self, case: Case, unit: Unit, rng: Generator) -> Explaining:
        """Paste something else, elsewhere, otherwise, and less of it."""
        assert isinstance(case.before, Detections)
        prepared = self.prepared_scene(unit.scene, case.before)
        return explain_instance(case, prepared, self.library, self.judge, rng)

    def struck(self, case: Case, classes: Sequence[str]) -> tuple[FaultTarget, ...]:
        """The base instance."""
        return (struck_instance(case, classes),)

    @cached_property
    def object_labels(self) -> dict[str, int]:
        """The subject's class id of each library object whose class it has, by object id."""
        return object_class_ids(self.library, self.hashed.class_ids)

    def _tested(
        self,
        prepared: RobustnessScene,
        edges: Sequence[tuple[BaseInstance, BaseContour]],
        unsure: list[Uncertainty] | None,
        before: Answer,
        rng: Generator,
    ) -> Yielding[list[Question], Sequence[Answer], tuple[list[InstanceResult], ControlledCases]]:
        """The result of each base instance, and the answered cases."""
        found: list[InstanceResult] = []
        tests: list[LevelInsertion] = []
        try:
            for base, edge in edges:
                chosen = yield from choose_objects(
                    self.hashed, prepared, base, edge, self.options, self._how(), rng
                )
                count = self.options.tests_per_level
                tests += plan_levels(base, edge, chosen, self.options, count, rng)
                found.append(self._examined(prepared, base, edge, unsure, chosen))
        except BudgetSpentError:
            return found, ControlledCases([])
        planned = [
            PlannedCase(
                Question(prepared.scene, test.recipe),
                facts=case_measurements(test, uncertainty_of(unsure, prepared, test.base.index)),
            )
            for test in tests
        ]
        draws = ControlDraws.of(prepared.around, self.options.controls, len(planned), rng)
        each = in_turn(planned, lambda one: (one.facts["base"], one.facts["level"]))
        tested = yield from ask_with_controls(planned, draws, before, self.judge, rng, worth=each)
        return found, tested

    def _examined(
        self,
        prepared: RobustnessScene,
        base: BaseInstance,
        edge: BaseContour,
        unsure: list[Uncertainty] | None,
        chosen: Sequence[InsertionObject],
    ) -> InstanceResult:
        return InstanceResult(
            base,
            edge,
            uncertainty_of(unsure, prepared, base.index),
            prepared.truth_iou(base.box, base.label),
            max((one.around.start for one in chosen), default=None),
            min((one.around.reach for one in chosen), default=None),
            "" if chosen else "no room near by, or no object fits",
        )

    def _concluded(
        self,
        unit_notes: Mapping[str, Any],
        found: Sequence[InstanceResult],
        rng: Generator,
        cases: Sequence[Case],
        explanations: Mapping[int, Explanation],
    ) -> Verdict:
        """The verdict with the results of each base instance, from confirmed failures."""
        own = {
            one.base.index: [
                case
                for case in cases
                if case.role == TEST and case.measurements["base"] == one.base.index
            ]
            for one in found
        }
        notes = [instance_note(one, own[one.base.index], self.options, rng) for one in found]
        return Verdict(tuple(cases), {**unit_notes, "instances": notes})

    def prepared_scene(self, scene: Scene, before: Detections) -> RobustnessScene:
        """The scene prepared for the method; before: the subject's answer about it."""
        subject = self.setting.subject
        known = self.setting.scenes.classes
        return RobustnessScene(scene, before, subject.score, subject.classes, known)

    def _contour(self) -> Contour:
        return base_contours.resolve_contour(self.options.contour, self.setting.subject)

    def _how(self) -> Passes:
        return stochastic_passes.resolve_passes(self.options.uncertainty, self.setting.subject)

    def _overhead(self) -> int:
        """Questions about a scene before the first test."""
        masks = self.options.saliency.masks if self._contour() == Contour.SALIENCY else 0
        return 1 + masks + (self.options.passes if self._how() != Passes.NONE else 0)


def prepare(options: RobustnessOptions, setting: Setting) -> RobustnessMethod:
    """The method for a subject and scenes, with its objects loaded."""
    check_subject(options, setting.subject)
    return RobustnessMethod(options, setting, opened_library(setting))


METHOD = MethodKind(
    RobustnessOptions,
    prepare,
    objects=True,
    view="snellen.methods.robustness.view:VIEW",
    exam="snellen.methods.robustness.exam_entry:ENTRY",
    repairs=RobustnessRepairs(),
)
