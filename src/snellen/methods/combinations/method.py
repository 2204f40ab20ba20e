"""Combinations: show labels together in every combination; the answer must be exactly those."""

from __future__ import annotations

from collections.abc import Generator as Yielding
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from numpy.random import Generator

from snellen.changes.compose.compose import Compose
from snellen.changes.recipe import Materials
from snellen.contract.method import Setting, Unit
from snellen.contract.questions import Answer, Question, Questions
from snellen.contract.verdict import TEST, Case, Status, Verdict
from snellen.errors import UserError
from snellen.methods.combinations.composition.canvas import row_scene
from snellen.methods.combinations.composition.compositions import (
    Arrangement,
    Composition,
    compositions,
)
from snellen.methods.combinations.composition.object_assignment import RowObjects
from snellen.methods.combinations.confirmation import confirmed
from snellen.methods.combinations.explanation.composition_parts import CompositionParts
from snellen.methods.combinations.explanation.diagnosis import Diagnosis
from snellen.methods.combinations.options import CombinationOptions
from snellen.methods.combinations.preparation import PreparedRows, prepare_rows
from snellen.methods.combinations.relation import CombinationsRelation
from snellen.methods.kind import MethodKind
from snellen.scenes.scene import Scene
from snellen.subjects.subject import Prediction, Task
from snellen.vision.label_vector import LabelVector

ALONE = "control:alone"
FIRST_SHARE = 0.5
"""The part of a budget for compositions and controls; the rest confirms and diagnoses."""


@dataclass(frozen=True, eq=False)
class CombinationRow:
    """One row of the array. present: ids of its labels. hands: the objects dealt to each."""

    unit: Unit
    present: tuple[int, ...]
    hands: RowObjects


@dataclass(frozen=True, eq=False)
class CombinationsMethod:
    """LV-CIT's method, with margins, controls, and a diagnosis of every failure."""

    options: CombinationOptions
    setting: Setting
    ready: PreparedRows
    minimum: int = 1
    rows: dict[str, CombinationRow] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", {row.unit.id: row for row in self._rows()})

    @property
    def materials(self) -> Materials:
        """The objects, and the photographs that they may stand on."""
        return {"objects": self.ready.library, "backgrounds": self.ready.backgrounds}

    @property
    def facts(self) -> Mapping[str, Any]:
        """What the array covers, which labels have objects, and what the training set shows."""
        return self.ready.facts

    @property
    def arrangement(self) -> Arrangement:
        """How compositions look."""
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

    def examine(self, unit: Unit, rng: Generator, allowance: int | None) -> Questions:
        """Compose the row's images, judge the answers, and show the parts of those that fail."""
        row, judge = self.rows[unit.id], self.judge
        first = None if allowance is None else max(1, int(FIRST_SHARE * allowance))
        count = self.options.images if first is None else min(first, self.options.images)
        made = compositions(
            [hand[:count] for hand in row.hands],
            self.ready.library,
            rng,
            count=count,
            arrangement=self.arrangement,
            candidates=self.options.candidates,
        )
        room = None if first is None else first - len(made)
        checks = self._checks(row, made, rng, room)
        cases = yield from _asked(unit.scene, judge, row, made, checks)
        left = None if allowance is None else allowance - len(cases)
        if not self.setting.subject.deterministic:
            times = self.options.confirmations
            cases, left = yield from confirmed(unit.scene, judge, cases, times, left)
        names = self.setting.subject.classes
        notes: dict[str, Any] = {
            "labels": [names[label] for label in row.present],
            "images": len(made),
        }
        if self.options.diagnose:
            cases, notes["causes"] = yield from self._diagnosed(unit.scene, row, made, cases, left)
        return Verdict(tuple(cases), notes)

    @property
    def judge(self) -> CombinationsRelation:
        """How answers are judged."""
        subject, options = self.setting.subject, self.options
        strict = options.as_published
        return CombinationsRelation(len(subject.classes), subject.score, options.hysteresis, strict)

    def judged_again(
        self,
        case: Case,
        of: Scene,
        scene: Prediction,
        answer: Prediction,
    ) -> Case:
        """The case as it is judged by what the subject says now; the scene is a blank canvas."""
        del scene
        assert isinstance(case.recipe, Compose)
        assert isinstance(case.before, LabelVector)
        again = self.judge.case(case.recipe, case.before, answer, case.role)
        return replace(again, measurements=case.measurements)

    def _checks(
        self, row: CombinationRow, made: Sequence[Composition], rng: Generator, room: int | None
    ) -> list[tuple[Compose, int]]:
        """One object alone, at its place, of some compositions drawn at random; and its label."""
        if not row.present:
            return []
        wanted = len(made) * self.options.controls
        count = int(wanted) + int(rng.random() < wanted - int(wanted))
        if room is not None:
            count = min(count, max(0, room))
        chosen = rng.choice(len(made), size=min(count, len(made)), replace=False)
        found = []
        for number in sorted(int(one) for one in chosen):
            one = made[number]
            place = int(rng.integers(len(one.labels)))
            found.append((one.recipe.only([place]), row.present[one.labels[place]]))
        return found

    def _diagnosed(
        self,
        scene: Scene,
        row: CombinationRow,
        made: Sequence[Composition],
        cases: list[Case],
        left: int | None,
    ) -> Yielding[list[Question], Sequence[Answer], tuple[list[Case], dict[str, Any]]]:
        """The cases and those of the parts asked about, and why each failing one fails."""
        composites = [
            CompositionParts(one, tuple(row.present[label] for label in one.labels), number, case)
            for number, (one, case) in enumerate(zip(made, cases, strict=False))
            if case.status == Status.FAILING
        ]
        diagnosis = Diagnosis(scene, self.judge, left)
        yield from diagnosis.examine(composites)
        out, causes = list(cases), {}
        for one in composites:
            numbers = {one.everything: one.number}
            for places, case in one.known.items():
                if places not in numbers:
                    numbers[places] = len(out)
                    out.append(case)
            cause = diagnosis.causes[one.number]
            cornered = diagnosis.cornered.get(one.number, ())
            names = self.setting.subject.classes
            causes[str(one.number)] = {
                "cause": str(cause),
                "minimal": [note for event in cornered for note in event.notes(names, numbers)],
            }
            told = {**out[one.number].measurements, "interaction": float(cause == "interaction")}
            if cause != "undiagnosed":
                out[one.number] = replace(out[one.number], measurements=told)
        return out, causes


def _asked(
    scene: Scene,
    judge: CombinationsRelation,
    row: CombinationRow,
    made: Sequence[Composition],
    checks: Sequence[tuple[Compose, int]],
) -> Yielding[list[Question], Sequence[Answer], list[Case]]:
    questions = [Question(scene, one.recipe) for one in made]
    questions += [Question(scene, recipe) for recipe, _ in checks]
    answers = yield questions
    truth = judge.truth(row.present)
    cases = [
        judge.case(one.recipe, truth, answer.prediction, TEST, overlap=one.overlap)
        for one, answer in zip(made, answers, strict=False)
    ]
    for (recipe, label), answer in zip(checks, answers[len(made) :], strict=True):
        cases.append(judge.case(recipe, judge.truth([label]), answer.prediction, ALONE))
    return cases


def prepare(options: CombinationOptions, setting: Setting) -> CombinationsMethod:
    """The method for a subject, its objects validated and its rows laid out."""
    if setting.subject.task != Task.LABELS:
        raise UserError(
            f"method combinations tests multi-label classifiers, but the subject is for "
            f"{setting.subject.task}. Add `read_as: labels` to it to read a detector as one."
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
