"""Identity: ask about the same scene again; the answers must agree.

It tests no vision. It tells whether the subject, its adapter and the cache give the same answer to
the same question, which every other method takes for granted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from numpy.random import Generator
from pydantic import Field

from snellen.changes.identity import Identity
from snellen.changes.recipe import Materials
from snellen.configuration import Options
from snellen.contract.method import Setting, Unit
from snellen.contract.questions import Question, Questions
from snellen.contract.verdict import TEST, Case, Verdict, status_of
from snellen.methods.kind import MethodKind
from snellen.vision.events import compare_predictions


class IdentityOptions(Options):
    """Options of the method `identity`."""

    repeats: int = Field(1, ge=1, le=1000, description="how often each scene is asked about again")
    iou: float = Field(
        0.5, gt=0, le=1, description="overlap at which two boxes are the same object"
    )


@dataclass(frozen=True)
class IdentityMethod:
    """Asks `repeats` times more about each scene and compares with the first answer."""

    options: IdentityOptions
    setting: Setting
    minimum: int = 2
    materials: Materials = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)

    def units(self) -> Sequence[Unit]:
        """Every scene."""
        return [Unit(scene.id, scene) for scene in self.setting.scenes]

    def examine(self, unit: Unit, rng: Generator, allowance: int | None) -> Questions:
        """One case for each asking anew."""
        repeats = self.options.repeats
        if allowance is not None:
            repeats = min(repeats, allowance - 1)
        [first] = yield [Question(unit.scene, Identity())]
        again = yield [
            Question(unit.scene, Identity(), repeat=number) for number in range(1, repeats + 1)
        ]
        cases = []
        for answer in again:
            events = compare_predictions(
                first.prediction,
                answer.prediction,
                score=self.setting.subject.score,
                iou=self.options.iou,
            )
            cases.append(
                Case(
                    recipe=Identity(),
                    role=TEST,
                    status=status_of(events),
                    before=first.prediction,
                    after=answer.prediction,
                    events=events,
                )
            )
        return Verdict(tuple(cases))


METHOD = MethodKind(IdentityOptions, IdentityMethod, view="snellen.methods.identity.view:VIEW")
