"""What retraining sets and repair ask of a method that puts objects into scenes.

A method offers `Retrains`, or `Repairs`, which includes it, as an object of its `MethodKind`. The
object has no state: the method prepared for a run is passed in where it is needed.
"""

from __future__ import annotations

from collections.abc import Generator as Yielding
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.random import Generator

from snellen.changes.recipe import Recipe
from snellen.contract.instances import InstanceKey
from snellen.contract.method import Method
from snellen.contract.questions import Answer, Question
from snellen.contract.verdict import Case, Notes
from snellen.scenes.scene import Scene
from snellen.subjects.subject import Subject
from snellen.vision.arrays import Boxes, Ints
from snellen.vision.detections import Detections
from snellen.vision.uncertainty import Uncertainty

Box = tuple[float, float, float, float]


class FreePlaces(Protocol):
    """Where an object fits into a scene."""

    def __call__(self, label: str, width: int, height: int, taken: Sequence[Box], /) -> Ints:
        """(K, 2) x and y of the top-left corner at every free place, in pixels.

        taken: xyxy of objects already inserted, which it must not overlap.
        """


@dataclass(frozen=True, eq=False)
class AllowedPlaces:
    """Where objects may go in a scene, by the rules of a run.

    obstacles: (N, 4) xyxy that the place of a failing case must not overlap to be reused. free: the
    places for an object anywhere in the scene.
    """

    obstacles: Boxes
    free: FreePlaces


def nowhere(*_: object) -> Ints:
    """No free place for any object."""
    return np.zeros((0, 2), dtype=np.int64)


@dataclass(frozen=True, eq=False)
class ReplayedUnit:
    """A unit whose recorded cases were put to another subject.

    detections: what it finds in the unchanged scene. instances: the index there of each instance by
    its number in the run, None if it is gone. uncertainties: by index, where measured.
    notes: from the run.
    """

    scene: Scene
    detections: Detections
    instances: Mapping[int, int | None]
    uncertainties: Mapping[int, Uncertainty]
    notes: Notes


@runtime_checkable
class Retrains(Protocol):
    """The ability of a method to have retraining sets built from its runs."""

    @property
    def instances(self) -> InstanceKey | None:
        """How its cases name the instance they were made for; None if there is none."""
        return None

    @property
    def unlabelled_as_published(self) -> bool:
        """Whether its authors retrain with inserted objects that have no label."""
        return True

    def insertion(self, role: str, recipe: Recipe) -> Recipe | None:
        """The `Insert` or `Insert3D` of a case whose place a set may reuse, else None."""
        ...

    def allowed_places(self, method: Any, scene: Scene, detections: Detections) -> AllowedPlaces:
        """Where objects may go in a scene; detections: what the subject reports there.

        By default only at the places of failing cases.
        """
        return AllowedPlaces(np.zeros((0, 4), dtype=np.float32), nowhere)


@runtime_checkable
class Repairs(Retrains, Protocol):
    """The ability of a method to have its cases replayed on a repaired detector.

    Subclass it to inherit its defaults: no uncertainty, no notes.
    """

    @property
    def outcomes(self) -> tuple[str, ...]:
        """Measurements of the instance's outcome, which a case has only if it is found."""
        return ()

    def for_subject(self, method: Any, subject: Subject, facts: Mapping[str, Any]) -> Method:
        """The same method for another subject; facts: those recorded at the start of the run."""
        ...

    def matching_iou(self, method: Any) -> float:
        """The IoU from which a detection of another answer is the same instance."""
        return 0.5

    def uncertainties(
        self, method: Any, scene: Scene, detections: Detections
    ) -> Yielding[list[Question], Sequence[Answer], Mapping[int, Uncertainty]]:
        """A generator that asks how unsure the subject is of its detections; returns it by index.

        By default it asks nothing.
        """
        return {}
        yield  # makes this a generator

    def noted_uncertainties(self, notes: Notes) -> Mapping[int, float]:
        """The total uncertainty of instances by their number in the run, from a unit's notes."""
        return {}

    def replay_notes(
        self, method: Any, unit: ReplayedUnit, cases: Sequence[Case], rng: Generator
    ) -> Notes:
        """The notes of a replayed unit, in the method's own form; cases: after confirmation."""
        return {}
