"""The labels of a street: exact, with what each sensor really sees of each thing."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from snellen.changes.insert3d.camera_insertion import CameraTrace, seen_box
from snellen.changes.insert3d.camera_visibility import full_area
from snellen.changes.insert3d.frame_change import solid_row
from snellen.changes.insert3d.occlusion_labels import HIDDEN, VisibleShares
from snellen.scenes.kitti.label_file import LabelRow
from snellen.starter.streets.lidar_returns import Echoes
from snellen.starter.streets.photograph import CameraView, in_view
from snellen.starter.streets.world import World
from snellen.vision.rendering.zbuffer import silhouette
from snellen.vision.solids.coordinate_frames import CoordinateFrames, LidarPoints

Share = npt.NDArray[np.float32]

"""The share of a pixel that a thing must cover to count in its box."""
LEAST_PIXELS = 4.0
AHEAD = 0.5


def traces(
    street: World, shown: CameraView, frames: CoordinateFrames, shape: tuple[int, int]
) -> tuple[CameraTrace, ...]:
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
    frames: CoordinateFrames,
    shape: tuple[int, int],
) -> CameraTrace:
    body = street.bodies[number]
    points = frames.lidar_to_camera(LidarPoints(body.vertices))
    near = body.faces[in_view(np.asarray(points), body.faces, frames.projection, shape)]
    if not len(near):
        return CameraTrace(None, None, 0.0, 0.0, 0.0)
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
        full = max(full_area(body.vertices, ahead, frames, shape), pixels)
    boxes = (seen_box(share, left, top) for share in (whole, shown))
    return CameraTrace(next(boxes), next(boxes), pixels, float(shown.sum()), full)


def in_picture(trace: CameraTrace) -> bool:
    """Whether enough of a thing lies in the picture for a label, hidden or not."""
    return trace.amodal is not None and trace.pixels >= LEAST_PIXELS


def visible_shares(trace: CameraTrace, found: Echoes, number: int) -> VisibleShares:
    """The shares of a thing that picture and LiDAR show."""
    image = trace.visible_pixels / trace.pixels if trace.pixels else 0.0
    return VisibleShares(found.share(number), min(image, 1.0), found.aimed[number])


def too_hidden(seen: tuple[CameraTrace, ...], found: Echoes) -> list[int]:
    """The things in the picture that are so hidden that nobody could label them."""
    return [
        number
        for number, trace in enumerate(seen)
        if in_picture(trace) and visible_shares(trace, found, number).hidden >= HIDDEN
    ]


def rows_of(
    street: World, seen: tuple[CameraTrace, ...], found: Echoes, frames: CoordinateFrames
) -> tuple[LabelRow, ...]:
    """A row for each thing in the picture, nearest first; there is no DontCare."""
    near = sorted(range(len(seen)), key=lambda one: float(np.hypot(*street.things[one].pose[:2])))
    return tuple(
        solid_row(
            street.things[number], seen[number], visible_shares(seen[number], found, number), frames
        )
        for number in near
        if in_picture(seen[number])
    )
