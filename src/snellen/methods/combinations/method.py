"""Combinations: show labels in every combination; the answer must be exactly those labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from numpy.random import Generator

from snellen.changes.compose.compose import Compose
from snellen.changes.recipe import Materials, Recipe
from snellen.contract.asked import Asked
from snellen.contract.explanation import Explaining
from snellen.contract.method import Method, Setting, Unit
from snellen.contract.questions import Question, Questions
from snellen.contract.verdict import TEST, Case, Verdict
from snellen.errors import UserError
from snellen.methods.combinations.composition.canvas import row_scene
from snellen.methods.combinations.composition.compositions import (
    Arrangement,
    Composition,
    compositions,
)
from snellen.methods.combinations.composition.object_assignment import RowObjects
from snellen.methods.combinations.explanation.composition_parts import CompositionParts
from snellen.methods.combinations.explanation.diagnosis import concluded, diagnose
from snellen.methods.combinations.options import CombinationOptions
from snellen.methods.combinations.preparation import PreparedRows, prepare_rows
from snellen.methods.combinations.relation import CombinationsRelation
from snellen.methods.kind import MethodKind
from snellen.methods.planned_case import PlannedCase, ask_and_judge
from snellen.objects.label_names import plain_name
from snellen.objects.library.library import object_class_ids
from snellen.subjects.subject import Task

ALONE = "control:alone"


@dataclass(frozen=True, eq=False)
class CombinationRow:
    """One row of the array. present: ids of its labels. hands: the objects assigned to each."""

    unit: Unit
    present: tuple[int, ...]
    hands: RowObjects


@dataclass(frozen=True, eq=False)
class CombinationsMethod(Method):
    """LV-CIT's method, with margins, controls, and a diagnosis of every failure."""

    options: CombinationOptions
    setting: Setting
    ready: PreparedRows
    rows: dict[str, CombinationRow] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", {row.unit.id: row for row in self._rows()})

    @property
    def materials(self) -> Materials:
        """The objects, and the background photographs."""
        return {"objects": self.ready.library, "backgrounds": self.ready.backgrounds}

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
        """Compose the row's images, judge the answers, and show the parts of those that fail."""
        row, count = self.rows[unit.id], self.options.images
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
        controls = [
            PlannedCase(Question(unit.scene, recipe), ALONE)
            for recipe in self._checks(row, made, rng)
        ]
        cases = yield from ask_and_judge(tests, controls, None, self.judge)
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
        """Whether failures are diagnosed."""
        return self.options.diagnose

    @property
    def explained_findings(self) -> int | None:
        """None: every failure is diagnosed, since causes are counted."""
        return None

    def explain(self, case: Case, unit: Unit, rng: Generator) -> Explaining:
        """Show the parts of a failing composition: its cause, and the smallest failing part."""
        assert isinstance(case.recipe, Compose)
        labels = tuple(self.object_labels[id] for id, *_ in case.recipe.placed)
        parts = CompositionParts(case.recipe, labels, case)
        return diagnose(parts, unit.scene, self.judge, self.relation)

    def judge(self, asked: Asked) -> Case:
        """The labels output must be exactly those of the objects shown."""
        assert isinstance(asked.recipe, Compose)
        shown = {self.object_labels[id] for id, *_ in asked.recipe.placed}
        return self.relation.case(asked, shown)

    @cached_property
    def object_labels(self) -> dict[str, int]:
        """The subject's class id of each object."""
        ids = {plain_name(name): id for id, name in enumerate(self.setting.subject.classes)}
        return object_class_ids(self.ready.library, ids)

    @property
    def relation(self) -> CombinationsRelation:
        """How answers are judged."""
        subject, options = self.setting.subject, self.options
        strict = options.as_published
        return CombinationsRelation(len(subject.classes), subject.score, options.hysteresis, strict)

    def _checks(
        self, row: CombinationRow, made: Sequence[Composition], rng: Generator
    ) -> list[Compose]:
        """One object alone, at its place, of some compositions drawn at random."""
        if not row.present:
            return []
        wanted = len(made) * self.options.controls
        count = int(wanted) + int(rng.random() < wanted - int(wanted))
        chosen = rng.choice(len(made), size=min(count, len(made)), replace=False)
        found = []
        for number in sorted(int(one) for one in chosen):
            one = made[number]
            found.append(one.recipe.only([int(rng.integers(len(one.labels)))]))
        return found


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
            " See docs/how-to/objects.md"
        )
    options = options.published()
    return CombinationsMethod(options, setting, prepare_rows(options, setting))


METHOD = MethodKind(
    CombinationOptions,
    prepare,
    objects=True,
    scenes=False,
    view="snellen.methods.combinations.view:VIEW",
)
