"""Identity: ask about the same scene again; the answers must agree.

It tests no vision. It shows whether the subject, its adapter and the cache give the same answer to
the same question, which every other method assumes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from numpy.random import Generator
from pydantic import Field

from snellen.changes.identity import Identity
from snellen.configuration import Options
from snellen.contract.asked import Asked
from snellen.contract.method import Method, Setting, Unit
from snellen.contract.questions import Question, Questions
from snellen.contract.verdict import Case, Verdict, status_of
from snellen.methods.kind import MethodKind
from snellen.vision.events import compare_predictions


class IdentityOptions(Options):
    """Options of the method `identity`."""

    repeats: int = Field(1, ge=1, le=1000, description="how often each scene is asked again")
    iou: float = Field(0.5, gt=0, le=1, description="IoU from which two boxes are the same object")


@dataclass(frozen=True)
class IdentityMethod(Method):
    """Asks `repeats` more times about each scene and compares with the first answer."""

    options: IdentityOptions
    setting: Setting

    @property
    def confirmations(self) -> int:
        """0: this method looks for answers that do not repeat."""
        return 0

    def units(self) -> Sequence[Unit]:
        """Every scene."""
        return [Unit(scene.id, scene) for scene in self.setting.scenes]

    def examine(self, unit: Unit, rng: Generator) -> Questions:
        """One case for each repetition."""
        [first] = yield [Question(unit.scene, Identity())]
        answers = yield [
            Question(unit.scene, Identity(), repeat=number)
            for number in range(1, self.options.repeats + 1)
        ]
        return Verdict(
            tuple(self.judge(Asked(unit.scene, Identity(), one, first)) for one in answers)
        )

    def judge(self, asked: Asked) -> Case:
        """Both answers must have the same objects or labels."""
        assert asked.before is not None
        before, after = asked.before.prediction, asked.after.prediction
        score = self.setting.subject.score
        events = compare_predictions(before, after, score=score, iou=self.options.iou)
        return Case(asked.recipe, asked.role, status_of(events), after, before, events)


METHOD = MethodKind(
    IdentityOptions,
    IdentityMethod,
    view="snellen.methods.identity.view:VIEW",
    exam="snellen.methods.identity.exam_entry:ENTRY",
)
