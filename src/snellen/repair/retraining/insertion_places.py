"""The places of a run: where objects were inserted, and whether the subject failed."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from snellen.changes.paste.insert import Insert
from snellen.contract.instances import InstanceKey
from snellen.contract.repairs import Retrains
from snellen.methods.free_places import Box, pasted_box
from snellen.repair.retraining.insertion_cases import InsertionCase, insertion_cases
from snellen.store.codec import prediction_from_text
from snellen.store.journal import Journal
from snellen.vision.detections import Detections


@dataclass(frozen=True)
class InsertionPlace:
    """One tested insertion.

    case: its id. instance: the index of the scene's detection that it was placed for, or None.
    diagonal: of that instance's box in pixels.
    """

    case: str
    recipe: Insert
    failing: bool
    instance: int | None
    diagonal: float

    @property
    def box(self) -> Box:
        """The inserted rectangle, xyxy."""
        return pasted_box(self.recipe)

    @property
    def centre(self) -> tuple[float, float]:
        """The centre of the rectangle, x and y in pixels."""
        return self.recipe.x + self.recipe.width / 2, self.recipe.y + self.recipe.height / 2


@dataclass(frozen=True, eq=False)
class ScenePlaces:
    """One scene of a run: the subject's detections in it, and every tested insertion."""

    scene: str
    detections: Detections
    places: tuple[InsertionPlace, ...]

    @property
    def failing(self) -> tuple[InsertionPlace, ...]:
        """The places where the subject failed."""
        return tuple(place for place in self.places if place.failing)


def scene_places(journal: Journal, retrains: Retrains, score: float) -> list[ScenePlaces]:
    """The scenes of a run with their insertions, in the run's order; score: its threshold."""
    grouped: dict[str, list[InsertionCase]] = defaultdict(list)
    for one in insertion_cases(journal, retrains):
        grouped[one.scene].append(one)
    return [
        _tested(scene, cases, _detections(journal, cases[0].before), retrains.instances, score)
        for scene, cases in grouped.items()
    ]


def _detections(journal: Journal, number: int | None) -> Detections:
    if number is None:
        return Detections.empty()
    [(text,)] = journal.rows("SELECT value FROM predictions WHERE number = ?", (number,))
    found = prediction_from_text(text)
    return found if isinstance(found, Detections) else Detections.empty()


def _tested(
    scene: str,
    cases: list[InsertionCase],
    detections: Detections,
    key: InstanceKey | None,
    score: float,
) -> ScenePlaces:
    places = []
    for one in cases:
        assert isinstance(one.recipe, Insert)
        instance = None if key is None else key.index(one.measurements, detections, score)
        diagonal = _diagonal(detections, instance, one.recipe)
        places.append(InsertionPlace(one.case, one.recipe, one.failing, instance, diagonal))
    return ScenePlaces(scene, detections, tuple(places))


def _diagonal(detections: Detections, instance: int | None, recipe: Insert) -> float:
    """The diagonal of the instance's box, or of the inserted box without an instance."""
    if instance is None:
        return float(np.hypot(recipe.width, recipe.height))
    x1, y1, x2, y2 = detections.boxes[instance].tolist()
    return float(np.hypot(x2 - x1, y2 - y1))
