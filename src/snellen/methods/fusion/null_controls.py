"""Nulls: the controls of insertions, asked along with the search.

A null changes the same pixels and beams as its test, but shows only background. Every failing test
gets one, every other with a known chance. It is asked right after its test, before anything else,
so that the end of the budget leaves at most one test without: the last one, which then is dropped,
whether it fails or not.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field

import numpy as np

from snellen.changes.insert3d.insert3d import Insert3D
from snellen.changes.insert3d.null3d import Null3D
from snellen.changes.measures.registry import VISIBILITY
from snellen.contract.asked import Asked
from snellen.contract.questions import Answer, BudgetSpentError, Question
from snellen.contract.verdict import CHANCE, CONTROL, Case, Status
from snellen.methods.fusion.frame_truth import LABELLED, FrameTruth
from snellen.methods.planned_case import PlannedCase
from snellen.scenes.scene import Scene
from snellen.vision.detections3d import Detections3D
from snellen.vision.solids.overlap3d import overlap3d

NULL = f"{CONTROL}null"


@dataclass(frozen=True, eq=False)
class NullMaker:
    """Makes the nulls of insertions into one frame; kept: what they must leave as it was."""

    scene: Scene
    kept: tuple[tuple[float, ...], ...]

    @classmethod
    def of(cls, scene: Scene, truth: FrameTruth, before: Detections3D, score: float) -> NullMaker:
        """For a frame: everything labelled or detected before must stay."""
        found = before.above(score)
        known = overlap3d(found.boxes, truth.boxes).max(axis=1, initial=0.0) >= LABELLED
        rows = np.column_stack([found.boxes, found.image_boxes])[~known]
        return cls(scene, tuple(tuple(row) for row in rows.round(4).tolist()))

    def question(self, recipe: Insert3D, seed: int) -> Question:
        """The null of an insertion."""
        null = Null3D(recipe.objects, seed, recipe.sensors, self.kept)
        return Question(self.scene, null, (VISIBILITY,))


@dataclass(eq=False)
class NullControls:
    """The nulls and checks of one frame, asked along with the tests of its search.

    share: the chance of a null for a test that does not fail. checks: asked at even intervals among
    `tests` tests. settled: how many tests have their null, or could have had it. spent: whether the
    budget has ended.
    """

    nulls: NullMaker
    share: float
    rng: np.random.Generator
    checks: Sequence[PlannedCase] = ()
    tests: int = 1
    settled: int = 0
    spent: bool = False
    _known: int = 0
    _due: list[tuple[PlannedCase, int | None]] = field(default_factory=list)
    _answered: list[tuple[PlannedCase, int | None, Answer]] = field(default_factory=list)

    def judged(self, case: Case) -> None:
        """Note the next test of the search; its null or a check may become due."""
        number, drawn = self._known, self.rng.random() < self.share
        self._known += 1
        failing = case.status == Status.FAILING
        if failing or drawn:
            assert isinstance(case.recipe, Insert3D)
            asked = self.nulls.question(case.recipe, case.recipe.seed)
            chance = {CHANCE: 1.0 if failing else self.share}
            self._due.append((PlannedCase(asked, NULL, chance), number))
        step = self.tests / (len(self.checks) + 1)
        due = [k for k in range(len(self.checks)) if number < (k + 1) * step <= self._known]
        self._due += [(self.checks[k], None) for k in due]

    def ask(self, question: Question) -> Generator[list[Question], Sequence[Answer], Answer]:
        """The answer to a question of the search, asked after all that is due."""
        due = len(self._due)
        answers = yield from self._ask([question])
        if len(answers) <= due:
            raise BudgetSpentError("the budget is spent")
        self.settled = self._known
        return answers[-1]

    def ask_rest(self) -> Generator[list[Question], Sequence[Answer], None]:
        """Ask what is still due when the search has ended."""
        if self._due and not self.spent:
            try:
                yield from self._ask([])
            except BudgetSpentError:
                return
        if not self.spent and not any(one.role == NULL for one, _ in self._due):
            self.settled = self._known

    def cases(self, before: Answer, judge: Callable[[Asked], Case]) -> list[Case]:
        """The answered ones of settled tests, judged: nulls by their tests, then checks."""
        kept = [one for one in self._answered if one[1] is None or one[1] < self.settled]
        order = sorted(kept, key=lambda one: (one[1] is None, one[1] or 0))
        return [judge(one.asked(before, after, at)) for one, at, after in order]

    def _ask(
        self, further: list[Question]
    ) -> Generator[list[Question], Sequence[Answer], Sequence[Answer]]:
        """The answers to all that is due, and to further questions."""
        due = [one.question for one, _ in self._due]
        try:
            answers = yield [*due, *further]
        except BudgetSpentError:
            self.spent = True
            raise
        self._receive(answers[: len(due)])
        return answers

    def _receive(self, answers: Sequence[Answer]) -> None:
        for (one, number), answer in zip(self._due, answers, strict=False):
            self._answered.append((one, number, answer))
            self.settled = self._known if number is None else max(self.settled, number + 1)
        self._due = self._due[len(answers) :]
