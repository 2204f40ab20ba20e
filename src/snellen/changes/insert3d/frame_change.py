"""A frame after insertions: its labels, returns, visible shares and sensor agreement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from snellen.changes.insert3d.cloud_series import CloudSeries
from snellen.changes.insert3d.modality_consistency import Box, modality_consistency, returns_box
from snellen.changes.insert3d.occlusion_labels import (
    HIDDEN,
    VisibleShares,
    as_dont_care,
    image_visible_share,
    lidar_visible_share,
    occluded_row,
    occlusion,
)
from snellen.changes.insert3d.seed_frame import SeedFrame
from snellen.objects.meshes.mesh import Mesh
from snellen.scenes.frame import LabelledObject
from snellen.scenes.kitti.label_file import LabelRow
from snellen.scenes.kitti.lidar_boxes import with_lidar_boxes
from snellen.vision.arrays import F64, Bools, Floating, Points
from snellen.vision.solids.boxes3d import corners
from snellen.vision.solids.coordinate_frames import CoordinateFrames, LidarPoints

Pose = tuple[float, float, float, float]
NOWHERE: Box = (0.0, 0.0, 0.0, 0.0)


class Trace(Protocol):
    """What the image shows of one mesh; boxes are x1 y1 x2 y2 in pixels.

    amodal: around all its pixels in the image, occluded ones too; visible: around the visible ones;
    None without any. full_pixels: including those outside the image.
    """

    @property
    def amodal(self) -> Box | None: ...  # noqa: D102
    @property
    def visible(self) -> Box | None: ...  # noqa: D102
    @property
    def pixels(self) -> float: ...  # noqa: D102
    @property
    def visible_pixels(self) -> float: ...  # noqa: D102
    @property
    def full_pixels(self) -> float: ...  # noqa: D102


class ImageVisibility(Protocol):
    """What the image shows of all inserted meshes: covered, depth (H, W), and a trace of each."""

    @property
    def covered(self) -> Bools: ...  # noqa: D102
    @property
    def depth(self) -> Floating: ...  # noqa: D102
    @property
    def traces(self) -> Sequence[Trace]: ...  # noqa: D102


@dataclass(frozen=True, eq=False)
class PlacedMesh:
    """A mesh and its pose: x, y, z of the ground and yaw in the LiDAR frame."""

    mesh: Mesh
    pose: Pose

    @property
    def box(self) -> F64:
        """(7,) its 3D box: x y z length width height yaw, metres in the LiDAR frame."""
        x, y, z, yaw = self.pose
        length, width, height = self.mesh.size
        return np.array([x, y, z + height / 2, length, width, height, yaw])


@dataclass(frozen=True, eq=False)
class FrameChange:
    """The image and sweep of a frame after meshes were inserted.

    in_image: what the image shows of the meshes, None for a LiDAR-only frame. sensors: "both",
    "lidar" or "camera": where they were inserted.
    """

    seed: SeedFrame
    meshes: tuple[PlacedMesh, ...]
    cloud: CloudSeries
    in_image: ImageVisibility | None
    sensors: str = "both"

    @cached_property
    def labelled_objects(self) -> tuple[LabelledObject, ...]:
        """All objects with a label: the original ones in their order, then the inserted ones."""
        return (*self._originals(), *(self._inserted(place) for place in range(len(self.meshes))))

    def measurements(self) -> dict[str, float]:
        """The measurements of an insertion, as in `Frame.measurements`.

        points_added, points_removed; for each labelled object, by its index, `known.3.points`,
        `known.3.lidar_visible`, `known.3.image_visible`, and for visible inserted ones the box
        around the visible pixels, `known.3.seen_x1` to `known.3.seen_y2`; for the last inserted
        one, visibility_gap (difference of the two visible shares) and modality_consistency.
        """
        last, size = len(self.meshes) - 1, len(self.seed.points)
        remaining = int(np.count_nonzero(self.cloud.source >= 0))
        taken: dict[str, float] = {
            "points_added": len(self.cloud.points) - remaining,
            "points_removed": size - remaining,
        }
        for place, one in enumerate(self.labelled_objects):
            taken[f"known.{place}.points"] = one.points
            taken[f"known.{place}.lidar_visible"] = one.lidar_visible
            taken[f"known.{place}.image_visible"] = one.image_visible
            box = None if one.inserted is None else self.visible_box(one.inserted)
            for side, value in zip(("x1", "y1", "x2", "y2"), box or (), strict=False):
                taken[f"known.{place}.seen_{side}"] = value
        if self.meshes:
            visible = self._visible_shares(last)
            taken["visibility_gap"] = abs(visible.lidar - visible.image)
            taken["modality_consistency"] = self.consistency(last)
        return taken

    def consistency(self, place: int) -> float:
        """The modality consistency of one inserted mesh, 0 to 1."""
        box = returns_box(self._returns(place), self.seed.frames, self.seed.size)
        return modality_consistency(self.visible_box(place), box)

    def visible_box(self, place: int) -> Box | None:
        """The box around the visible pixels of one inserted mesh, or None."""
        unseen = self.in_image is None or self.sensors == "lidar"
        return None if unseen or self.in_image is None else self.in_image.traces[place].visible

    def _originals(self) -> list[LabelledObject]:
        seed = self.seed
        remaining = self.cloud.remaining(len(seed.points))
        found = []
        for place, row in enumerate(seed.rows or ()):
            own = seed.own_points[place]
            lidar = lidar_visible_share(own, remaining)
            visible = VisibleShares(lidar, self._visible_in_image(place), len(own))
            points = int(np.count_nonzero(remaining[own]))
            label = occluded_row(row, visible)
            found.append(LabelledObject(label, points, visible.lidar, visible.image))
        return found

    def _visible_in_image(self, row: int) -> float:
        if self.in_image is None or self.sensors == "lidar":
            return 1.0
        region = self.seed.own_regions[row]
        return image_visible_share(region, self.in_image.covered, self.in_image.depth)

    def _inserted(self, place: int) -> LabelledObject:
        visible = self._visible_shares(place)
        returns = len(self._returns(place))
        trace = None if self.in_image is None else self.in_image.traces[place]
        shares = self._label_shares(place, visible)
        row = solid_row(self.meshes[place], trace, shares, self.seed.frames)
        return LabelledObject(row, returns, visible.lidar, visible.image, place)

    def _returns(self, place: int) -> Points:
        return (
            np.zeros((0, 4), np.float32) if self.sensors == "camera" else self.cloud.returns[place]
        )

    def _visible_shares(self, place: int) -> VisibleShares:
        """The visible shares of one inserted mesh; 0 for a sensor it was not inserted into."""
        lidar = 0.0 if self.sensors == "camera" else self.cloud.visible[place]
        beams = 0 if self.sensors == "camera" else self.cloud.aimed[place]
        image = 1.0
        if self.in_image is not None:
            trace = self.in_image.traces[place]
            pixels = 0.0 if self.sensors == "lidar" else trace.visible_pixels
            image = pixels / trace.pixels if trace.pixels else 0.0
        return VisibleShares(lidar, image, beams)

    def _label_shares(self, place: int, visible: VisibleShares) -> VisibleShares:
        """The shares that decide the label: 1 for the image if the mesh is outside its view."""
        outside = self.in_image is None or not self.in_image.traces[place].pixels
        image = 1.0 if outside or self.sensors == "lidar" else visible.image
        return VisibleShares(visible.lidar, image, visible.beams)


def solid_row(
    placed: PlacedMesh, trace: Trace | None, visible: VisibleShares, frames: CoordinateFrames
) -> LabelRow:
    """The label of an inserted mesh.

    The 2D box is amodal and clipped to the image, as drawn by KITTI's annotators: occluded parts
    count, parts outside the image do not. Truncation is the share of pixels outside; the occlusion
    level follows from the hidden share. A mesh outside the image has an empty box and truncation 1;
    KITTI's files have no such labels.
    """
    full = 0.0 if trace is None else trace.full_pixels
    outside = 1.0 - trace.pixels / full if trace is not None and full else float(trace is not None)
    box = _outline(placed, frames) if trace is None else trace.amodal or NOWHERE
    bare = LabelRow(placed.mesh.label, outside, occlusion(visible.hidden), -10.0, box)
    row = with_lidar_boxes([bare], placed.box[None], frames)[0]
    return as_dont_care(row) if visible.hidden >= HIDDEN else row


def _outline(placed: PlacedMesh, frames: CoordinateFrames) -> Box:
    """The box around the projected 3D box, for frames without an image."""
    u, v, depth = frames.lidar_to_image(LidarPoints(corners(placed.box[None])[0])).T
    if depth.min() <= 0:
        return NOWHERE
    return float(u.min()), float(v.min()), float(u.max()), float(v.max())
