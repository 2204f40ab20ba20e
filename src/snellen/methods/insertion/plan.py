"""The insertions of one scene: objects chosen, places drawn, recipes written."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from math import inf

import numpy as np
from numpy.random import Generator

from snellen.changes.paste.insert import Insert
from snellen.contract.questions import Question
from snellen.methods.free_places import Box, FreeSpace, pasted_box
from snellen.methods.insertion.options import Footing, InsertionOptions
from snellen.methods.insertion.perspective import Perspective
from snellen.methods.insertion.placement import standing_bottoms
from snellen.methods.insertion.room_search import SPARE, RoomStep, room_steps
from snellen.methods.insertion.spots import drawn_spots
from snellen.methods.paste.paste_controls import SceneObstacles
from snellen.methods.planned_case import PlannedCase
from snellen.objects.cooccurrence import CoOccurrence
from snellen.objects.label_names import plain_name
from snellen.objects.library.library import Library
from snellen.objects.selection import ObjectChoice, SceneContext, choose
from snellen.objects.similarity import region_hashes
from snellen.objects.typical_heights import flies
from snellen.scenes.image_files.mask_image import read_region
from snellen.scenes.scene import Scene
from snellen.vision.arrays import F32, Bools
from snellen.vision.detections import Detections
from snellen.vision.truth.annotated_objects import AnnotatedObjects

SHAPE = 1.6
"""The largest factor between the aspect ratios of an object and of the scene's own of its label."""


@dataclass(frozen=True)
class PlannedInsertion:
    """A planned insertion. label: the object's class id for the subject, None if it has none.

    target: index of the object it was placed for. gap: pixels to the nearest object, edge to edge.
    """

    recipe: Insert
    label: int | None
    target: int
    gap: float

    @property
    def facts(self) -> dict[str, float]:
        """Its measurements known in advance."""
        return {"gap": self.gap, "target": float(self.target)}

    def case(self, scene: Scene, measures: tuple[str, ...]) -> PlannedCase:
        """The planned case."""
        return PlannedCase(Question(scene, self.recipe, measures), facts=self.facts)


@dataclass(frozen=True, eq=False)
class InsertionScene:
    """A scene prepared for insertion: the detected objects and the free space."""

    scene: Scene
    objects: Detections
    names: tuple[str, ...]
    options: InsertionOptions
    ground: Bools | None
    known: AnnotatedObjects | None = None
    _grounds: dict[tuple[bool, int], Bools] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls,
        scene: Scene,
        objects: Detections,
        classes: tuple[str, ...],
        options: InsertionOptions,
        known: AnnotatedObjects | None = None,
    ) -> InsertionScene:
        """The prepared scene for the objects detected in it; known: what is annotated."""
        options = options.for_scene(scene)
        names = tuple(classes[label] for label in objects.labels.tolist())
        ground = None
        drivable = options.footing == Footing.PERSPECTIVE and scene.annotations is None
        if (drivable or options.footing == Footing.REGION) and scene.region is not None:
            ground = np.isin(read_region(scene.region), options.region_values)
        return cls(scene, objects, names, options, ground, known)

    def room(self, label: str, height: int) -> FreeSpace:
        """The free space for an object of a label and a height in pixels."""
        bottoms = None
        if self.options.footing in (Footing.HEIGHT, Footing.PERSPECTIVE) and not flies(label):
            same = [plain_name(name) == plain_name(label) for name in self.names]
            alike = self.objects.boxes[np.array(same, dtype=bool)]
            bottoms = standing_bottoms(alike if len(alike) else self.objects.boxes, height)
        return FreeSpace(self.scene.size, self.obstacles, self.ground, bottoms)

    @cached_property
    def perspective(self) -> Perspective:
        """The perspective of the scene."""
        objects, pixels = self.objects, self.scene.pixels()
        own = (objects.boxes, self.names, self.ground, objects.labels, self.known)
        return Perspective(pixels, *own)

    def ground_for(self, label: str, target: int) -> Bools:
        """(H, W): the ground on which an object of a label may stand around a target."""
        key = flies(label), target
        if key not in self._grounds:
            self._grounds[key] = self.perspective.ground_for(label, target)
        return self._grounds[key]

    @property
    def obstacles(self) -> F32:
        """Boxes of the detected and annotated objects, (N, 4) xyxy."""
        if self.scene.annotations is None:
            return self.objects.boxes
        return np.concatenate([self.objects.boxes, self.scene.annotations.boxes])

    @property
    def around(self) -> SceneObstacles:
        """The scene with what a patch must not be taken from."""
        return SceneObstacles(self.scene, self.objects.boxes, self.obstacles)

    def gap(self, box: Box) -> float:
        """Pixels between a rectangle and the nearest object, 0 if they touch."""
        boxes = self.objects.boxes.astype(np.float64)
        dx = np.maximum(0, np.maximum(boxes[:, 0] - box[2], box[0] - boxes[:, 2]))
        dy = np.maximum(0, np.maximum(boxes[:, 1] - box[3], box[1] - boxes[:, 3]))
        return round(float(np.hypot(dx, dy).min()), 2) if len(boxes) else float("inf")

    def surroundings(self) -> SceneContext:
        """What objects are chosen by: labels, sizes and appearance of the scene's own."""
        hashes = region_hashes(self.scene.pixels(), self.objects.boxes)
        return SceneContext(self.scene.digest, self.objects.boxes, self.names, hashes)


def plan_insertions(
    prepared: InsertionScene,
    library: Library,
    class_ids: dict[str, int],
    rng: Generator,
    table: CoOccurrence | None = None,
) -> list[PlannedInsertion]:
    """The insertions of a scene: `per_object` for each detected object.

    class_ids: the subject's class ids by normalised name. Where there is no room, what
    `room_steps` lists is tried; where there is none even then, there are fewer.
    """
    chosen, spare = _choices(prepared, library, rng, table)
    found: dict[Insert, PlannedInsertion] = {}
    for target in range(len(prepared.objects)):
        for recipe, label in _around(prepared, chosen, spare, target, rng):
            gap = prepared.gap(pasted_box(recipe))
            known = class_ids.get(plain_name(label))
            found.setdefault(recipe, PlannedInsertion(recipe, known, target, gap))
    return list(found.values())


def _choices(
    prepared: InsertionScene, library: Library, rng: Generator, table: CoOccurrence | None
) -> tuple[list[ObjectChoice], list[ObjectChoice]]:
    """The objects to insert, and those to try where they have no room."""
    options = prepared.options
    found = choose(
        library,
        prepared.surroundings(),
        rng,
        policy=options.labels,
        variety=options.variety + (0 if options.as_published else SPARE),
        sizing=options.sizing,
        table=table,
        enlarged=options.enlarged if options.footing != Footing.PERSPECTIVE else inf,
        shape=inf if options.as_published else SHAPE,
    )
    chosen, spare, taken = list[ObjectChoice](), list[ObjectChoice](), Counter[str]()
    for one in found:
        taken[plain_name(one.label)] += 1
        first = taken[plain_name(one.label)] <= options.variety
        (chosen if first else spare).append(one)
    return chosen, spare


def _around(
    prepared: InsertionScene,
    chosen: list[ObjectChoice],
    spare: list[ObjectChoice],
    target: int,
    rng: Generator,
) -> list[tuple[Insert, str]]:
    """The insertions for one target, each with its label."""
    options, name = prepared.options, prepared.names[target]
    suited = _suited(chosen, name)
    steps = room_steps(suited, _suited(spare, name), options.placement)
    for step in islice(steps, 1 if options.as_published else None):
        counts = _even(options.per_object, len(step.choices))
        made = [
            (recipe, choice.label)
            for choice, count in zip(step.choices, counts, strict=True)
            for recipe in _recipes(prepared, choice, step, target, count, rng)
        ]
        if made:
            return made
    return []


def _even(total: int, parts: int) -> list[int]:
    """A total split into near-equal parts, the larger ones first."""
    return [total // parts + (part < total % parts) for part in range(parts)] if parts else []


def _suited(choices: list[ObjectChoice], name: str) -> list[ObjectChoice]:
    """The choices of the target's label; all if there are none."""
    same = [choice for choice in choices if plain_name(choice.label) == plain_name(name)]
    return same or choices


def _recipes(
    prepared: InsertionScene,
    choice: ObjectChoice,
    step: RoomStep,
    target: int,
    count: int,
    rng: Generator,
) -> list[Insert]:
    options = prepared.options
    assert options.blending is not None
    look = options.blending.value, float(options.feather), 1.0
    dark = 0.0 if flies(choice.label) else float(options.shadow or 0.0)
    spots = drawn_spots(prepared, choice, step, target, count, rng)
    return [Insert(choice.entry.id, *spot, *look, dark) for spot in spots]
