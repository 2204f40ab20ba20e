"""The places of a run: where objects were inserted, and where the subject failed for it."""

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
    """One insertion that was tested.

    case: its id. instance: what it was placed for, as the index of a detection of the scene, None
    where the run does not tell. diagonal: of that instance's box in pixels.
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
        """The middle of the rectangle, x and y in pixels."""
        return self.recipe.x + self.recipe.width / 2, self.recipe.y + self.recipe.height / 2


@dataclass(frozen=True, eq=False)
class ScenePlaces:
    """One scene of a run: what the subject saw in it, and every insertion that was tested."""

    scene: str
    seen: Detections
    places: tuple[InsertionPlace, ...]

    @property
    def failing(self) -> tuple[InsertionPlace, ...]:
        """Where the subject failed."""
        return tuple(place for place in self.places if place.failing)


def scene_places(journal: Journal, retrains: Retrains, score: float) -> list[ScenePlaces]:
    """The scenes of a run with their insertions, in the run's order; score: its threshold."""
    grouped: dict[str, list[InsertionCase]] = defaultdict(list)
    for one in insertion_cases(journal, retrains):
        grouped[one.scene].append(one)
    return [
        _tested(scene, cases, _seen(journal, cases[0].before), retrains.instances, score)
        for scene, cases in grouped.items()
    ]


def _seen(journal: Journal, number: int | None) -> Detections:
    if number is None:
        return Detections.empty()
    [(text,)] = journal.rows("SELECT value FROM predictions WHERE number = ?", (number,))
    found = prediction_from_text(text)
    return found if isinstance(found, Detections) else Detections.empty()


def _tested(
    scene: str,
    cases: list[InsertionCase],
    seen: Detections,
    key: InstanceKey | None,
    score: float,
) -> ScenePlaces:
    places = []
    for one in cases:
        assert isinstance(one.recipe, Insert)
        instance = None if key is None else key.index(one.measurements, seen, score)
        diagonal = _diagonal(seen, instance, one.recipe)
        places.append(InsertionPlace(one.case, one.recipe, one.failing, instance, diagonal))
    return ScenePlaces(scene, seen, tuple(places))


def _diagonal(seen: Detections, instance: int | None, recipe: Insert) -> float:
    """Of the instance's box; of the inserted one's where the instance is not known."""
    if instance is None:
        return float(np.hypot(recipe.width, recipe.height))
    x1, y1, x2, y2 = seen.boxes[instance].tolist()
    return float(np.hypot(x2 - x1, y2 - y1))
