"""Combinations: show labels in every combination; the answer must be exactly those labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from numpy.random import Generator

from snellen.changes.compose.compose import Compose
from snellen.changes.identity import Identity
from snellen.changes.recipe import Materials, Recipe
from snellen.contract.asked import Asked
from snellen.contract.explanation import Explaining
from snellen.contract.method import Method, Setting, Unit
from snellen.contract.questions import Question, Questions
from snellen.contract.verdict import BASELINE, TEST, UNTESTED, Case, Verdict
from snellen.errors import UserError
from snellen.methods.combinations.composition.arrangement import alone_recipe
from snellen.methods.combinations.composition.canvas import row_scene
from snellen.methods.combinations.composition.compositions import Arrangement, compositions
from snellen.methods.combinations.composition.object_assignment import RowObjects
from snellen.methods.combinations.composition.object_controls import controlled, objects_alone
from snellen.methods.combinations.dataset.baseline import COMPARED
from snellen.methods.combinations.explanation.inquiry import inquire
from snellen.methods.combinations.explanation.ladder import CompositionLadder
from snellen.methods.combinations.explanation.row_verdict import concluded
from snellen.methods.combinations.explanation.substitutes import Substitutes
from snellen.methods.combinations.object_validation.single_objects import SINGLE
from snellen.methods.combinations.object_validation.validated_library import ValidatedLibrary
from snellen.methods.combinations.options import CombinationOptions
from snellen.methods.combinations.preparation import (
    PreparedRows,
    objects_by_label,
    prepare_rows,
)
from snellen.methods.combinations.relation import CombinationsRelation
from snellen.methods.kind import MethodKind
from snellen.methods.planned_case import PlannedCase
from snellen.objects.label_names import plain_name
from snellen.objects.library.library import Entry, Library, object_class_ids
from snellen.subjects.subject import Task


@dataclass(frozen=True, eq=False)
class CombinationRow:
    """One row of the array. present: ids of its labels. hands: the objects assigned to each.

    singles: objects to test alone instead of composing any. photograph: to ask about instead.
    """

    unit: Unit
    present: tuple[int, ...]
    hands: RowObjects
    singles: tuple[Entry, ...] = ()
    photograph: bool = False


@dataclass(frozen=True, eq=False)
class CombinationsMethod(Method):
    """LV-CIT's method, with margins, controls, and an explanation of every failure."""

    options: CombinationOptions
    setting: Setting
    ready: PreparedRows
    rows: dict[str, CombinationRow] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", {row.unit.id: row for row in self._rows()})

    @property
    def materials(self) -> Materials:
        """The objects, those that are tested alone included, and the background photographs."""
        return {"objects": self._whole_library, "backgrounds": self.ready.backgrounds}

    @property
    def _whole_library(self) -> Library:
        """The library with the objects that are in no row."""
        library = self.ready.library
        return library.library if isinstance(library, ValidatedLibrary) else library

    @property
    def facts(self) -> Mapping[str, Any]:
        """The coverage of the array, the labels with objects, and the training counts."""
        return self.ready.facts

    @property
    def arrangement(self) -> Arrangement:
        """The layout options of compositions."""
        return self.options.arrangement(tuple(self.ready.backgrounds))

    def units(self) -> Sequence[Unit]:
        """Every row."""
        return [row.unit for row in self.rows.values()]

    def _rows(self) -> list[CombinationRow]:
        names, side = self.setting.subject.classes, self.options.longest
        made = []
        for number, (present, hands) in enumerate(
            zip(self.ready.rows, self.ready.hands, strict=True), start=1
        ):
            shown = " + ".join(names[label] for label in present) or "nothing"
            id = f"row-{number:04d} {shown}"
            made.append(CombinationRow(Unit(id, row_scene(id, side)), present, hands))
        for label, singles in self.ready.singles.items():
            id = f"alone {names[label]}"
            unit = Unit(id, row_scene(id, side))
            made.append(CombinationRow(unit, (label,), (), singles))
        for one in self.ready.photographs:
            unit = Unit(f"photograph {one.scene.id}", one.scene)
            made.append(CombinationRow(unit, tuple(sorted(one.shown)), (), photograph=True))
        return made

    @property
    def minimum(self) -> int:
        """One composition."""
        return 1

    @property
    def confirmations(self) -> int:
        """The option `confirmations`."""
        return self.options.confirmations

    @property
    def baseline(self) -> Recipe | None:
        """None: the labels of a composition are known."""
        return None

    def examine(self, unit: Unit, rng: Generator) -> Questions:
        """Compose the row's images, judge the answers, and show some of the objects alone."""
        row, count = self.rows[unit.id], self.options.images
        if row.photograph:
            return (yield from self._examine_photograph(row))
        if row.singles:
            return (yield from self._examine_singles(row))
        made = compositions(
            [hand[:count] for hand in row.hands],
            self.ready.library,
            rng,
            count=count,
            arrangement=self.arrangement,
            candidates=self.options.candidates,
        )
        tests = [
            PlannedCase(Question(unit.scene, one.recipe), facts={"overlap": round(one.overlap, 4)})
            for one in made
        ]
        alone = objects_alone(made, unit.scene) if self.options.controls else {}
        cases = yield from controlled(tests, alone, self.options.controls, self.judge, rng)
        return self._verdict(row, cases)

    def _examine_singles(self, row: CombinationRow) -> Questions:
        """Show each object alone, as it was in validation."""
        tests = [
            PlannedCase(Question(row.unit.scene, alone_recipe(one, self.arrangement)), SINGLE)
            for one in row.singles
        ]
        answers = yield [one.question for one in tests]
        pairs = zip(tests, answers, strict=False)
        return self._verdict(row, [self.judge(one.asked(None, answer)) for one, answer in pairs])

    def _examine_photograph(self, row: CombinationRow) -> Questions:
        """Ask about the photograph as it is."""
        planned = PlannedCase(Question(row.unit.scene, Identity()), BASELINE)
        [answer] = yield [planned.question]
        return Verdict((self.judge(planned.asked(None, answer)),), {UNTESTED: COMPARED})

    def _verdict(self, row: CombinationRow, cases: Sequence[Case]) -> Verdict:
        names = self.setting.subject.classes
        notes = {
            "labels": [names[label] for label in row.present],
            "images": sum(case.role == TEST for case in cases),
        }
        if not self.explains:
            return Verdict(tuple(cases), notes)
        return Verdict(tuple(cases), conclude=partial(concluded, notes, names))

    @property
    def explains(self) -> bool:
        """Whether failures are explained."""
        return self.options.diagnose

    @property
    def explained_findings(self) -> int | None:
        """None: every failure is explained, since causes are counted."""
        return None

    def explain(self, case: Case, unit: Unit, rng: Generator) -> Explaining:
        """Ask about parts and variations of a failing composition: why it fails, and what fails."""
        assert isinstance(case.recipe, Compose)
        subject = self.setting.subject
        labels = tuple(self.object_labels[id] for id, *_ in case.recipe.placed)
        ladder = CompositionLadder(
            case, labels, subject.classes, unit.scene, self.judge, subject.score
        )
        substitutes = Substitutes(self.objects, self.object_labels, self.arrangement, rng)
        return inquire(ladder, substitutes, self.ready.library, strict=self.relation.strict)

    def judge(self, asked: Asked) -> Case:
        """The labels output must be exactly those of the objects shown."""
        if isinstance(asked.recipe, Identity):
            return self.relation.case(asked, self.labels_of_photographs[asked.scene.digest])
        assert isinstance(asked.recipe, Compose)
        shown = {self.object_labels[id] for id, *_ in asked.recipe.placed}
        return self.relation.case(asked, shown)

    @cached_property
    def object_labels(self) -> dict[str, int]:
        """The subject's class id of each object."""
        ids = {plain_name(name): id for id, name in enumerate(self.setting.subject.classes)}
        return object_class_ids(self._whole_library, ids)

    @cached_property
    def labels_of_photographs(self) -> dict[str, frozenset[int]]:
        """The class ids of what is in each photograph, by its digest."""
        return {one.scene.digest: one.shown for one in self.ready.photographs}

    @cached_property
    def objects(self) -> dict[int, list[Entry]]:
        """The objects of each of the subject's labels, by class id."""
        return objects_by_label(self.ready.library, self.setting.subject.classes)

    @property
    def relation(self) -> CombinationsRelation:
        """How answers are judged."""
        subject, options = self.setting.subject, self.options
        strict = options.as_published
        return CombinationsRelation(len(subject.classes), subject.score, options.hysteresis, strict)


def prepare(options: CombinationOptions, setting: Setting) -> CombinationsMethod:
    """The method for a subject, with its objects validated and its rows planned."""
    if setting.subject.task != Task.LABELS:
        raise UserError(
            f"method combinations tests multi-label classifiers, but the subject's task is "
            f"{setting.subject.task}. Add `read_as: labels` to use a detector as one."
        )
    if setting.objects is None:
        raise UserError(
            "method combinations needs `objects`: a library, or scenes with masks to cut them from."
            " Read: snellen docs objects"
        )
    options = options.published()
    return CombinationsMethod(options, setting, prepare_rows(options, setting))


METHOD = MethodKind(
    CombinationOptions,
    prepare,
    objects=True,
    scenes=False,
    view="snellen.methods.combinations.view:VIEW",
    exam="snellen.methods.combinations.exam_entry:ENTRY",
)
