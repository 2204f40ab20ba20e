"""The places of a run: where objects were inserted, and whether the subject failed."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from snellen.changes.paste.insert import Insert
from snellen.changes.registry import recipe_from_json
from snellen.methods.free_places import Box, pasted_box
from snellen.store.codec import prediction_from_text
from snellen.store.journal import Journal
from snellen.vision.detections import Detections

_CASES = (
    "SELECT units.scene, cases.id, cases.status, recipe, measurements, cases.before "
    "FROM cases JOIN units ON units.number = cases.unit "
    "WHERE role IN ('test', 'relocation') AND json_extract(recipe, '$.kind') = 'insert' "
    "ORDER BY cases.unit, cases.number"
)
BASE, TARGET = "base", "target"
"""Measurements that name the instance: its index among the scene's detections, or among those at
or above the subject's threshold."""


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


def scene_places(journal: Journal, score: float) -> list[ScenePlaces]:
    """The scenes of a run with their insertions, in the run's order; score: its threshold."""
    grouped: dict[str, list[tuple[str, str, str, str]]] = defaultdict(list)
    numbers: dict[str, int] = {}
    for scene, case, status, recipe, measurements, before in journal.rows(_CASES):
        grouped[scene].append((case, status, recipe, measurements))
        numbers.setdefault(scene, before)
    return [
        _tested(scene, rows, _detections(journal, numbers[scene]), score)
        for scene, rows in grouped.items()
    ]


def _detections(journal: Journal, number: int | None) -> Detections:
    if number is None:
        return Detections.empty()
    [(text,)] = journal.rows("SELECT value FROM predictions WHERE number = ?", (number,))
    found = prediction_from_text(text)
    return found if isinstance(found, Detections) else Detections.empty()


def _tested(
    scene: str, rows: list[tuple[str, str, str, str]], detections: Detections, score: float
) -> ScenePlaces:
    strong = np.flatnonzero(detections.scores >= np.float32(score))
    places = []
    for case, status, recipe, measured in rows:
        made = recipe_from_json(json.loads(recipe))
        assert isinstance(made, Insert)
        instance = _instance(json.loads(measured), strong)
        diagonal = _diagonal(detections, instance, made)
        places.append(InsertionPlace(case, made, status == "failing", instance, diagonal))
    return ScenePlaces(scene, detections, tuple(places))


def _instance(measured: dict[str, float], strong: npt.NDArray[np.int64]) -> int | None:
    if BASE in measured:
        return int(measured[BASE])
    target = int(measured.get(TARGET, -1))
    return int(strong[target]) if 0 <= target < len(strong) else None


def _diagonal(detections: Detections, instance: int | None, recipe: Insert) -> float:
    """The diagonal of the instance's box, or of the inserted box without an instance."""
    if instance is None or not 0 <= instance < len(detections):
        return float(np.hypot(recipe.width, recipe.height))
    x1, y1, x2, y2 = detections.boxes[instance].tolist()
    return float(np.hypot(x2 - x1, y2 - y1))
