"""Where an object may go in a scene of a run, by the rules of that run."""

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

Rooms = Callable[[str, int], FreeSpace]
"""The room for an object of a label and a height in pixels."""


def rooms_of(run: Reopened, scene: Scene, seen: Detections) -> Rooms:
    """Rooms of a scene: free of all that is known or seen there, standing where the run's do."""
    if run.campaign.method == "insertion":
        options = InsertionOptions.model_validate(run.campaign.options)
        return InsertionScene.of(scene, seen, run.subject.classes, options.published()).room
    room = FreeSpace(scene.size, known_boxes(scene, seen.boxes))
    return lambda _label, _height: room


def known_boxes(scene: Scene, seen: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """(N, 4) xyxy of what is annotated and what the subject saw."""
    if scene.annotations is None:
        return seen
    return np.concatenate([seen, scene.annotations.boxes])


def obstacle_boxes(run: Reopened, scene: Scene, seen: Detections) -> npt.NDArray[np.float32]:
    """(N, 4) xyxy of what a failing place must not overlap to be used again.

    None where the run itself let objects reach into the box of its instance, as robustness does by
    `cover` and with contours around masks: its places were checked there.
    """
    options = run.campaign.options
    if options.get("cover", 0) > 0 or options.get("contour") == "mask":
        return np.zeros((0, 4), dtype=np.float32)
    return known_boxes(scene, seen.boxes)


def draw_place(
    room: FreeSpace, taken: Sequence[Box], width: int, height: int, rng: Generator
) -> tuple[int, int] | None:
    """A free place (x, y of the top-left corner) beside those taken, all as likely; or None."""
    boxes = np.array(taken, dtype=np.float32).reshape(-1, 4)
    beside = replace(room, obstacles=np.concatenate([room.obstacles, boxes]))
    free = beside.free((0, 0, room.size[1], room.size[0]), width, height)
    if not len(free):
        return None
    x, y = free[rng.integers(len(free))].tolist()
    return x, y


def overlaps(box: Box, boxes: npt.NDArray[np.float32] | Sequence[Box]) -> bool:
    """Whether a box shares more than a border with any of the boxes, (N, 4) xyxy."""
    x1, y1, x2, y2 = np.asarray(boxes, dtype=np.float64).reshape(-1, 4).T
    apart = (box[0] >= x2) | (box[2] <= x1) | (box[1] >= y2) | (box[3] <= y1)
    return not bool(apart.all())
