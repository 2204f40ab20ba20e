"""Places where an object may be inserted in a scene, by the rules of the run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from snellen.methods.free_places import Box, FreeSpace
from snellen.methods.insertion.options import InsertionOptions
from snellen.methods.insertion.plan import InsertionScene
from snellen.report.reopened_run import Reopened
from snellen.scenes.scene import Scene
from snellen.vision.detections import Detections

FreeSpaces = Callable[[str, int], FreeSpace]
"""The free space for an object, by its label and height in pixels."""


def free_spaces_of(run: Reopened, scene: Scene, detections: Detections) -> FreeSpaces:
    """The free space of a scene: clear of annotations and detections, by the run's rules."""
    if run.campaign.method == "insertion":
        options = InsertionOptions.model_validate(run.campaign.options)
        return InsertionScene.of(scene, detections, run.subject.classes, options.published()).room
    room = FreeSpace(scene.size, occupied_boxes(scene, detections.boxes))
    return lambda _label, _height: room


def occupied_boxes(scene: Scene, boxes: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """(N, 4) xyxy: boxes of detections, and those of the scene's annotations."""
    if scene.annotations is None:
        return boxes
    return np.concatenate([boxes, scene.annotations.boxes])


def obstacle_boxes(run: Reopened, scene: Scene, detections: Detections) -> npt.NDArray[np.float32]:
    """(N, 4) xyxy boxes that a failing place must not overlap to be reused.

    Empty if the run itself lets objects overlap the box of an instance, by the option `cover` or
    with contours around masks: its places were checked there.
    """
    options = run.campaign.options
    if options.get("cover", 0) > 0 or options.get("contour") == "mask":
        return np.zeros((0, 4), dtype=np.float32)
    return occupied_boxes(scene, detections.boxes)


def draw_place(
    room: FreeSpace, taken: Sequence[Box], width: int, height: int, rng: Generator
) -> tuple[int, int] | None:
    """A uniformly drawn free place (x, y of the top-left corner) clear of `taken`; or None."""
    boxes = np.array(taken, dtype=np.float32).reshape(-1, 4)
    beside = replace(room, obstacles=np.concatenate([room.obstacles, boxes]))
    free = beside.free((0, 0, room.size[1], room.size[0]), width, height)
    if not len(free):
        return None
    x, y = free[rng.integers(len(free))].tolist()
    return x, y


def overlaps(box: Box, boxes: npt.NDArray[np.float32] | Sequence[Box]) -> bool:
    """Whether a box overlaps any of the boxes, (N, 4) xyxy; touching is no overlap."""
    x1, y1, x2, y2 = np.asarray(boxes, dtype=np.float64).reshape(-1, 4).T
    disjoint = (box[0] >= x2) | (box[2] <= x1) | (box[1] >= y2) | (box[3] <= y1)
    return not bool(disjoint.all())
