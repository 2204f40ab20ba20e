"""The part of `Repairs` that all methods share that paste objects into images."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from snellen.changes.paste.insert import Insert
from snellen.changes.recipe import Recipe
from snellen.contract.repairs import AllowedPlaces, FreePlaces, Repairs
from snellen.contract.verdict import TEST
from snellen.methods.free_places import Box, FreeSpace
from snellen.scenes.scene import Scene
from snellen.vision.arrays import F32, Ints
from snellen.vision.detections import Detections


class PasteRepairs(Repairs):
    """Repairs for a method whose tests paste one object each, clear of everything in the scene."""

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles of cases whose places may be used."""
        return (TEST,)

    def insertion(self, role: str, recipe: Recipe) -> Recipe | None:
        """The insertion of a case of these roles."""
        return recipe if role in self.roles and isinstance(recipe, Insert) else None

    def allowed_places(self, method: Any, scene: Scene, detections: Detections) -> AllowedPlaces:
        """Anywhere clear of annotated and detected objects."""
        known = known_boxes(scene, detections)
        room = FreeSpace(scene.size, known)
        return AllowedPlaces(known, places_in(lambda _label, _height: room))


def known_boxes(scene: Scene, detections: Detections) -> F32:
    """(N, 4) xyxy boxes of the detections and the annotations."""
    if scene.annotations is None:
        return detections.boxes
    return np.concatenate([detections.boxes, scene.annotations.boxes])


def places_in(room: Callable[[str, int], FreeSpace]) -> FreePlaces:
    """The free places of a scene; room: the free space for a label and an object height."""

    def free(label: str, width: int, height: int, taken: Sequence[Box]) -> Ints:
        return room(label, height).beside(taken).everywhere(width, height)

    return free
