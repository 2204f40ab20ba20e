"""Insertion: insert an object into a scene; everything else must be detected as before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from numpy.random import Generator

from snellen.changes.identity import Identity
from snellen.changes.measures.registry import MEASURES
from snellen.changes.paste.insert import Insert
from snellen.changes.recipe import Materials
from snellen.contract.asked import Asked
from snellen.contract.explanation import Explaining, unexplained
from snellen.contract.method import Method, Setting, Unit
from snellen.contract.questions import Question, Questions, detections_in
from snellen.contract.verdict import TEST, UNTESTED, Case, Verdict
from snellen.errors import UserError
from snellen.methods.controlled_cases import ControlDraws, ask_with_controls
from snellen.methods.insertion.options import Footing, InsertionOptions
from snellen.methods.insertion.plan import InsertionScene, PlannedInsertion, plan_insertions
from snellen.methods.insertion.relation import judge_insertion
from snellen.methods.insertion.repair_support import InsertionRepairs
from snellen.methods.insertion.scene_relocations import relocate_failures
from snellen.methods.kind import MethodKind
from snellen.methods.paste.paste_counterfactuals import PasteCounterfactuals
from snellen.methods.paste.paste_ladder import PasteLadder, struck_boxes
from snellen.methods.planned_case import (
    NO_BUDGET,
    NO_OBJECT,
    NO_PLACE,
    NO_ROOM,
    NOTHING_DETECTED,
    in_turn,
)
from snellen.objects.cooccurrence import CoOccurrence
from snellen.objects.label_names import plain_name
from snellen.objects.library.library import (
    Library,
    ids_digest,
    object_class_ids,
    origin_facts,
)
from snellen.objects.library.open_objects import CUTTING, open_objects, pruned_as_published
from snellen.objects.selection import Policy
from snellen.objects.typical_heights import hangs
from snellen.subjects.subject import Task
from snellen.vision.detections import Detections


@dataclass(frozen=True, eq=False)
class InsertionMethod(Method):
    """MetaOD's method, with explicit events, margins and controls."""

    options: InsertionOptions
    setting: Setting
    library: Library
    table: CoOccurrence | None = None

    @cached_property
    def class_ids(self) -> dict[str, int]:
        """The subject's class ids by normalised name."""
        return {plain_name(name): id for id, name in enumerate(self.setting.subject.classes)}

    @cached_property
    def object_labels(self) -> dict[str, int]:
        """The subject's class id of each library object whose class it has, by object id."""
        return object_class_ids(self.library, self.class_ids)

    @property
    def minimum(self) -> int:
        """Three: the scene, an insertion and its control."""
        return 3

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
        """The objects of the library."""
        return {"objects": {"digest": ids_digest(self.library), **origin_facts(self.library)}}

    def units(self) -> Sequence[Unit]:
        """Every scene."""
        return [Unit(scene.id, scene) for scene in self.setting.scenes]

    def examine(self, unit: Unit, rng: Generator) -> Questions:
        """Insert around each object that the subject finds, judge, and relocate what fails."""
        scene, subject = unit.scene, self.setting.subject
        [before] = yield [Question(scene, Identity())]
        objects = detections_in(before).above(subject.score)
        known = self.setting.annotated_objects(scene)
        prepared = InsertionScene.of(scene, objects, subject.classes, self.options, known)
        planned = self._planned(prepared, rng)
        tests = [one.case(scene, self.options.measures) for one in planned]
        draws = ControlDraws.of(prepared.around, self.options.controls, len(tests), rng)
        each = in_turn(tests, lambda one: one.facts["target"])
        found = yield from ask_with_controls(tests, draws, before, self.judge, rng, worth=each)
        cases = found.cases
        notes: dict[str, object] = {
            "objects": len(prepared.objects),
            "insertions": sum(case.role == TEST for case in cases),
            **found.notes,
        }
        if not cases:
            notes[UNTESTED] = self._untested(prepared, planned)
        if self.options.relocate and not found.spent:
            moves = yield from relocate_failures(prepared, self.judge, before, planned, cases)
            cases = [*cases, *moves.cases]
            notes["relocations"] = moves.notes
        return Verdict(tuple(cases), notes)

    def judge(self, asked: Asked) -> Case:
        """Everything but the inserted object must be detected as before."""
        recipe = asked.recipe
        label = self.object_labels.get(recipe.object) if isinstance(recipe, Insert) else None
        known = self.setting.annotated_objects(asked.scene)
        return judge_insertion(asked, label, self.options, self.setting.subject.score, known)

    @property
    def explains(self) -> bool:
        """Whether a finding's cause is the object, the place, the seam or any change."""
        return True

    def explain(self, case: Case, unit: Unit, rng: Generator) -> Explaining:
        """Paste something else, elsewhere, otherwise, and less of it."""
        recipe, before = case.recipe, case.before
        if not isinstance(recipe, Insert) or not isinstance(before, Detections):
            return (yield from unexplained())
        subject = self.setting.subject
        objects = before.above(subject.score)
        prepared = InsertionScene.of(unit.scene, objects, subject.classes, self.options)
        room = prepared.room(self.library.cutout(recipe.object).label, recipe.height)
        made = PasteCounterfactuals(recipe, prepared.around, struck_boxes(case), self.library, room)
        return (yield from PasteLadder(case, made, self.judge, {}).climb(rng))

    def _untested(self, prepared: InsertionScene, planned: Sequence[PlannedInsertion]) -> str:
        """Why a scene without cases has none."""
        if planned:
            return NO_BUDGET
        if len(prepared.objects) == 0:
            return NOTHING_DETECTED
        wanted = prepared.options.labels
        if wanted != Policy.PRESENT:
            return NO_ROOM
        known = {plain_name(label) for label in self.library.labels()}
        present = known & {plain_name(one) for one in prepared.names}
        held = prepared.options.footing == Footing.PERSPECTIVE and all(map(hangs, present))
        return (NO_PLACE if held else NO_ROOM) if present else NO_OBJECT

    def _planned(self, prepared: InsertionScene, rng: Generator) -> list[PlannedInsertion]:
        if len(prepared.objects) == 0:
            return []
        return plan_insertions(prepared, self.library, self.class_ids, rng, self.table)


def prepare(options: InsertionOptions, setting: Setting) -> InsertionMethod:
    """The method for a subject and scenes, with its objects loaded."""
    if setting.subject.task == Task.LABELS:
        raise UserError(
            "method insertion tests detectors and segmenters, but the subject answers with labels: "
            "it is a classifier. Use a detector, another method, or no `read_as: labels`."
        )
    if setting.objects is None:
        raise UserError(
            "method insertion needs `objects`: a library, or scenes with masks to cut them from. "
            "Read: snellen docs objects"
        )
    for name in options.measures:
        MEASURES.check(name, "insertion.measures")
    bare = [scene.id for scene in setting.scenes if scene.region is None]
    if options.footing == Footing.REGION and bare:
        raise UserError(
            f"insertion.footing: found 'region', but scene '{bare[0]}' has no mask. "
            "Read scenes with `kind: masks`, or choose another footing."
        )
    objects = pruned_as_published(setting.objects) if options.as_published else setting.objects
    library = open_objects(
        objects,
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
    InsertionOptions,
    prepare,
    objects=True,
    view="snellen.methods.insertion.view:VIEW",
    exam="snellen.methods.insertion.exam_entry:ENTRY",
    repairs=InsertionRepairs(),
)
