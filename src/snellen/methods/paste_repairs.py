"""The ability `Repairs` as far as it is the same for all methods that paste objects into images."""

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
    """Repairs for a method whose tests paste one object each, beside all that is in the scene."""

    @property
    def roles(self) -> tuple[str, ...]:
        """Of the cases whose places may be used."""
        return (TEST,)

    def insertion(self, role: str, recipe: Recipe) -> Recipe | None:
        """The insertion of a case of these roles."""
        return recipe if role in self.roles and isinstance(recipe, Insert) else None

    def allowed_places(self, method: Any, scene: Scene, detections: Detections) -> AllowedPlaces:
        """Anywhere beside what is known or found in the scene."""
        known = known_boxes(scene, detections)
        room = FreeSpace(scene.size, known)
        return AllowedPlaces(known, places_in(lambda _label, _height: room))


def known_boxes(scene: Scene, detections: Detections) -> F32:
    """(N, 4) xyxy of what the subject found and of what is annotated."""
    if scene.annotations is None:
        return detections.boxes
    return np.concatenate([detections.boxes, scene.annotations.boxes])


def places_in(room: Callable[[str, int], FreeSpace]) -> FreePlaces:
    """The free places of a scene; room: what is free for an object of a label and a height."""

    def free(label: str, width: int, height: int, taken: Sequence[Box]) -> Ints:
        return room(label, height).beside(taken).everywhere(width, height)

    return free
