"""The labels of a street, exact, with the visibility of each object in each sensor."""

from __future__ import annotations

import numpy as np

from snellen.changes.insert3d.camera_insertion import CameraTrace, seen_box
from snellen.changes.insert3d.camera_visibility import full_area
from snellen.changes.insert3d.frame_change import solid_row
from snellen.changes.insert3d.occlusion_labels import HIDDEN, VisibleShares
from snellen.scenes.kitti.label_file import LabelRow
from snellen.starter.streets.lidar_returns import Echoes
from snellen.starter.streets.photograph import CameraView, in_view
from snellen.starter.streets.world import World
from snellen.vision.arrays import Ints32
from snellen.vision.rendering.zbuffer import silhouette
from snellen.vision.solids.coordinate_frames import CoordinateFrames, LidarPoints

LEAST_PIXELS = 4.0
"""Least visible area of a labelled object, in pixels."""
AHEAD = 0.5


def camera_traces(
    street: World, shown: CameraView, frames: CoordinateFrames, shape: tuple[int, int]
) -> tuple[CameraTrace, ...]:
    """What the picture shows of each object."""
    numbers = np.where(shown.fragments.face >= 0, shown.owner[shown.fragments.face], -1)
    return tuple(
        _trace(street, number, (numbers, shown.fragments.samples), frames, shape)
        for number in range(len(street.objects))
    )


def _trace(
    street: World,
    number: int,
    samples: tuple[Ints32, int],
    frames: CoordinateFrames,
    shape: tuple[int, int],
) -> CameraTrace:
    body = street.bodies[number]
    points = frames.lidar_to_camera(LidarPoints(body.vertices))
    near = body.faces[in_view(np.asarray(points), body.faces, frames.projection, shape)]
    if not len(near):
        return CameraTrace(None, None, 0.0, 0.0, 0.0)
    left, top, whole = silhouette(points, near, frames.projection, shape)
    numbers, n = samples
    height, width = whole.shape
    window = numbers[top * n : (top + height) * n, left * n : (left + width) * n] == number
    shown = window.reshape(height, n, width, n).mean(axis=(1, 3), dtype=np.float32)
    pixels = full = float(whole.sum())
    if pixels and not (
        left > 0 and top > 0 and left + width < shape[1] and top + height < shape[0]
    ):
        # Only the part in front of the camera has a size in pixels.
        ahead = body.faces[(points[:, 2] > AHEAD)[body.faces].all(axis=1)]
        full = max(full_area(body.vertices, ahead, frames, shape), pixels)
    boxes = (seen_box(share, left, top) for share in (whole, shown))
    return CameraTrace(next(boxes), next(boxes), pixels, float(shown.sum()), full)


def in_picture(trace: CameraTrace) -> bool:
    """Whether enough of an object is within the picture for a label, occluded or not."""
    return trace.amodal is not None and trace.pixels >= LEAST_PIXELS


def visible_shares(trace: CameraTrace, echoes: Echoes, number: int) -> VisibleShares:
    """The visible shares of an object in picture and LiDAR."""
    image = trace.visible_pixels / trace.pixels if trace.pixels else 0.0
    return VisibleShares(echoes.share(number), min(image, 1.0), echoes.aimed[number])


def too_hidden(traces: tuple[CameraTrace, ...], echoes: Echoes) -> list[int]:
    """The objects in the picture that are too occluded to be labelled."""
    return [
        number
        for number, trace in enumerate(traces)
        if in_picture(trace) and visible_shares(trace, echoes, number).hidden >= HIDDEN
    ]


def rows_of(
    street: World, traces: tuple[CameraTrace, ...], echoes: Echoes, frames: CoordinateFrames
) -> tuple[LabelRow, ...]:
    """A row for each object in the picture, nearest first; there is no DontCare."""
    near = sorted(
        range(len(traces)), key=lambda one: float(np.hypot(*street.objects[one].pose[:2]))
    )
    return tuple(
        solid_row(
            street.objects[number],
            traces[number],
            visible_shares(traces[number], echoes, number),
            frames,
        )
        for number in near
        if in_picture(traces[number])
    )
