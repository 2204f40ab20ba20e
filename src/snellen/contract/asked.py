"""A case with its answers: everything that a relation may use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from snellen.changes.recipe import Recipe
from snellen.contract.questions import Answer
from snellen.contract.verdict import TEST, Case
from snellen.scenes.scene import Scene
from snellen.subjects.subject import Prediction


@dataclass(frozen=True, eq=False)
class Asked:
    """A recipe put to the subject, with its answers, before it is judged.

    before: the answer about the method's baseline, None for a method without one. facts: what the
    method planned or measured; they become the case's measurements. earlier: the case as first
    judged, where it is judged again.
    """

    scene: Scene
    recipe: Recipe
    after: Answer
    before: Answer | None = None
    role: str = TEST
    facts: Mapping[str, float] = field(default_factory=dict)
    parent: int | None = None
    earlier: Case | None = None

    @classmethod
    def again(
        cls, case: Case, scene: Scene, after: Prediction, before: Prediction | None = None
    ) -> Asked:
        """A judged case of a scene with new answers and its recorded measurements."""
        return cls(
            scene,
            case.recipe,
            Answer(after, case.measurements),
            None if before is None else Answer(before),
            case.role,
            case.measurements,
            case.parent,
            case,
        )
