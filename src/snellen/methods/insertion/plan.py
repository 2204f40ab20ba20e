"""The insertions of one scene: objects chosen, places drawn, recipes written."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.random import Generator

from snellen.changes.paste.insert import Insert
from snellen.contract.questions import Question
from snellen.methods.free_places import Box, FreeSpace, pasted_box
from snellen.methods.insertion.options import Footing, InsertionOptions
from snellen.methods.insertion.placement import draw, standing_bottoms
from snellen.methods.insertion.room_search import SPARE, RoomStep, room_steps
from snellen.methods.paste_controls import SceneObstacles
from snellen.methods.planned_case import PlannedCase
from snellen.objects.cooccurrence import CoOccurrence
from snellen.objects.label_names import plain_name
from snellen.objects.library.library import Library
from snellen.objects.selection import ObjectChoice, SceneContext, choose
from snellen.objects.similarity import region_hashes
from snellen.scenes.mask_image import read_region
from snellen.scenes.scene import Scene
from snellen.vision.arrays import F32, Bools
from snellen.vision.detections import Detections


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

    @classmethod
    def of(
        cls, scene: Scene, objects: Detections, classes: tuple[str, ...], options: InsertionOptions
    ) -> InsertionScene:
        """The prepared scene for the objects detected in it."""
        names = tuple(classes[label] for label in objects.labels.tolist())
        ground = None
        if options.footing == Footing.REGION and scene.region is not None:
            ground = np.isin(read_region(scene.region), options.region_values)
        return cls(scene, objects, names, options, ground)

    def room(self, label: str, height: int) -> FreeSpace:
        """The free space for an object of a label and a height in pixels."""
        bottoms = None
        if self.options.footing == Footing.HEIGHT:
            same = [plain_name(name) == plain_name(label) for name in self.names]
            alike = self.objects.boxes[np.array(same, dtype=bool)]
            bottoms = standing_bottoms(alike if len(alike) else self.objects.boxes, height)
        return FreeSpace(self.scene.size, self.obstacles, self.ground, bottoms)

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
        enlarged=options.enlarged,
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
    size = max(1, round(step.scale * choice.width)), max(1, round(step.scale * choice.height))
    room = prepared.room(choice.label, size[1])
    aim: F32 = prepared.objects.boxes[target]
    places = draw(step.placement, room, aim, size, count, rng)
    return [
        Insert(
            choice.entry.id, int(x), int(y), *size, options.blending.value, float(options.feather)
        )
        for x, y in places
    ]
