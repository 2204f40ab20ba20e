"""The labels of a street: exact, with what each sensor really sees of each thing."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from snellen.changes.camera3d import SeenThing, seen_box
from snellen.changes.camera3d_bodies import whole_area
from snellen.changes.hiding import HIDDEN, Left
from snellen.changes.solid_labels import solid_row
from snellen.scenes.kitti_labels import LabelRow
from snellen.starter.streets.photograph import View, in_view
from snellen.starter.streets.returns import Echoes
from snellen.starter.streets.world import World
from snellen.vision.frames3d import Frames, LidarPoints
from snellen.vision.rendering.zbuffer import silhouette

Share = npt.NDArray[np.float32]

"""The share of a pixel that a thing must cover to count in its box."""
LEAST_PIXELS = 4.0
AHEAD = 0.5


def traces(
    street: World, shown: View, frames: Frames, shape: tuple[int, int]
) -> tuple[SeenThing, ...]:
    """What the picture shows of each thing."""
    numbers = np.where(shown.seen.face >= 0, shown.owner[shown.seen.face], -1)
    return tuple(
        _trace(street, number, (numbers, shown.seen.samples), frames, shape)
        for number in range(len(street.things))
    )


def _trace(
    street: World,
    number: int,
    seen: tuple[npt.NDArray[np.int32], int],
    frames: Frames,
    shape: tuple[int, int],
) -> SeenThing:
    body = street.bodies[number]
    points = frames.lidar_to_camera(LidarPoints(body.vertices))
    near = body.faces[in_view(np.asarray(points), body.faces, frames.projection, shape)]
    if not len(near):
        return SeenThing(None, None, 0.0, 0.0, 0.0)
    left, top, whole = silhouette(points, near, frames.projection, shape)
    numbers, n = seen
    height, width = whole.shape
    window = numbers[top * n : (top + height) * n, left * n : (left + width) * n] == number
    shown = window.reshape(height, n, width, n).mean(axis=(1, 3), dtype=np.float32)
    pixels = full = float(whole.sum())
    if pixels and not (
        left > 0 and top > 0 and left + width < shape[1] and top + height < shape[0]
    ):
        # What reaches behind the camera has no size in pixels; the part before it has.
        ahead = body.faces[(points[:, 2] > AHEAD)[body.faces].all(axis=1)]
        full = max(whole_area(body.vertices, ahead, frames, shape), pixels)
    boxes = (seen_box(share, left, top) for share in (whole, shown))
    return SeenThing(next(boxes), next(boxes), pixels, float(shown.sum()), full)


def in_picture(trace: SeenThing) -> bool:
    """Whether enough of a thing lies in the picture for a label, hidden or not."""
    return trace.amodal is not None and trace.pixels >= LEAST_PIXELS


def left_of(trace: SeenThing, found: Echoes, number: int) -> Left:
    """The shares of a thing that picture and LiDAR show."""
    image = trace.visible_pixels / trace.pixels if trace.pixels else 0.0
    return Left(found.share(number), min(image, 1.0), found.aimed[number])


def too_hidden(seen: tuple[SeenThing, ...], found: Echoes) -> list[int]:
    """The things in the picture that are so hidden that nobody could label them."""
    return [
        number
        for number, trace in enumerate(seen)
        if in_picture(trace) and left_of(trace, found, number).hidden >= HIDDEN
    ]


def rows_of(
    street: World, seen: tuple[SeenThing, ...], found: Echoes, frames: Frames
) -> tuple[LabelRow, ...]:
    """A row for each thing in the picture, nearest first; there is no DontCare."""
    near = sorted(range(len(seen)), key=lambda one: float(np.hypot(*street.things[one].pose[:2])))
    return tuple(
        solid_row(street.things[number], seen[number], left_of(seen[number], found, number), frames)
        for number in near
        if in_picture(seen[number])
    )
