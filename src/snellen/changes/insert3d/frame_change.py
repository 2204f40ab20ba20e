"""What is known of a frame after things were put in: labels, returns, shares left, agreement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from snellen.changes.insert3d.cloud_series import CloudSeries
from snellen.changes.insert3d.modality_consistency import Box, modality_consistency, returns_box
from snellen.changes.insert3d.occlusion_labels import (
    HIDDEN,
    VisibleShares,
    as_dont_care,
    hidden_row,
    image_visible_share,
    lidar_visible_share,
    occlusion,
)
from snellen.changes.insert3d.seed_frame import SeedFrame
from snellen.objects.meshes.mesh import Mesh
from snellen.scenes.frame import LabelledObject
from snellen.scenes.kitti.label_file import LabelRow
from snellen.scenes.kitti.lidar_boxes import with_lidar_boxes
from snellen.vision.arrays import Points
from snellen.vision.solids.boxes3d import corners
from snellen.vision.solids.coordinate_frames import CoordinateFrames, LidarPoints

Pose = tuple[float, float, float, float]
NOWHERE: Box = (0.0, 0.0, 0.0, 0.0)


class Trace(Protocol):
    """What the image shows of one thing; boxes are x1 y1 x2 y2 in pixels.

    amodal: around all its pixels in the image, hidden ones too; visible: around those that are
    seen; None without any. full_pixels: also those outside of the image.
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
    """What the image shows of all new things: covered, depth (H, W), and a trace of each."""

    @property
    def covered(self) -> npt.NDArray[np.bool_]: ...  # noqa: D102
    @property
    def depth(self) -> npt.NDArray[np.floating]: ...  # noqa: D102
    @property
    def things(self) -> Sequence[Trace]: ...  # noqa: D102


@dataclass(frozen=True, eq=False)
class PlacedMesh:
    """A mesh and where it stands: x, y, z of the ground and yaw in the LiDAR frame."""

    mesh: Mesh
    pose: Pose

    @property
    def box(self) -> npt.NDArray[np.float64]:
        """(7,) its 3D box: x y z length width height yaw, metres in the LiDAR frame."""
        x, y, z, yaw = self.pose
        length, width, height = self.mesh.size
        return np.array([x, y, z + height / 2, length, width, height, yaw])


@dataclass(frozen=True, eq=False)
class FrameChange:
    """A frame's two halves after things were put in; shown: None for a LiDAR-only frame.

    sensors: "both", "lidar" or "camera": which halves really have them.
    """

    seed: SeedFrame
    things: tuple[PlacedMesh, ...]
    cloud: CloudSeries
    shown: ImageVisibility | None
    sensors: str = "both"

    @cached_property
    def known(self) -> tuple[LabelledObject, ...]:
        """All that is known to be there: the labels' rows in their order, then what was put in."""
        return (*self._before(), *(self._put_in(place) for place in range(len(self.things))))

    def measurements(self) -> dict[str, float]:
        """What `Frame.measurements` holds of an insertion.

        points_added, points_removed; of all that is known, by its place there, `known.3.points`,
        `known.3.lidar_visible`, `known.3.image_visible`, and of new things that are seen the box
        around the pixels that are, `known.3.seen_x1` to `known.3.seen_y2`; of the last thing put
        in, visibility_gap (by how much the two visible shares differ) and modality_consistency.
        """
        last, size = len(self.things) - 1, len(self.seed.points)
        kept = int(np.count_nonzero(self.cloud.source >= 0))
        taken: dict[str, float] = {
            "points_added": len(self.cloud.points) - kept,
            "points_removed": size - kept,
        }
        for place, one in enumerate(self.known):
            taken[f"known.{place}.points"] = one.points
            taken[f"known.{place}.lidar_visible"] = one.lidar_visible
            taken[f"known.{place}.image_visible"] = one.image_visible
            box = None if one.inserted is None else self.visible_box(one.inserted)
            for side, value in zip(("x1", "y1", "x2", "y2"), box or (), strict=False):
                taken[f"known.{place}.seen_{side}"] = value
        if self.things:
            left = self._left(last)
            taken["visibility_gap"] = abs(left.lidar - left.image)
            taken["modality_consistency"] = self.consistency(last)
        return taken

    def consistency(self, place: int) -> float:
        """The modality consistency of one of the things, 0 to 1."""
        box = returns_box(self._returns(place), self.seed.frames, self.seed.size)
        return modality_consistency(self.visible_box(place), box)

    def visible_box(self, place: int) -> Box | None:
        """The box around the pixels of one of the things that are seen, or None."""
        unseen = self.shown is None or self.sensors == "lidar"
        return None if unseen or self.shown is None else self.shown.things[place].visible

    def _before(self) -> list[LabelledObject]:
        seed = self.seed
        kept = self.cloud.kept(len(seed.points))
        found = []
        for place, row in enumerate(seed.rows or ()):
            own = seed.own_points[place]
            left = VisibleShares(lidar_visible_share(own, kept), self._image_left(place), len(own))
            points = int(np.count_nonzero(kept[own]))
            found.append(LabelledObject(hidden_row(row, left), points, left.lidar, left.image))
        return found

    def _image_left(self, row: int) -> float:
        if self.shown is None or self.sensors == "lidar":
            return 1.0
        return image_visible_share(self.seed.own_regions[row], self.shown.covered, self.shown.depth)

    def _put_in(self, place: int) -> LabelledObject:
        left = self._left(place)
        returns = len(self._returns(place))
        trace = None if self.shown is None else self.shown.things[place]
        row = solid_row(self.things[place], trace, self._judged(place, left), self.seed.frames)
        return LabelledObject(row, returns, left.lidar, left.image, place)

    def _returns(self, place: int) -> Points:
        return (
            np.zeros((0, 4), np.float32) if self.sensors == "camera" else self.cloud.returns[place]
        )

    def _left(self, place: int) -> VisibleShares:
        """The shares of one of the things that the sensors show; 0 in one that has it not."""
        lidar = 0.0 if self.sensors == "camera" else self.cloud.visible[place]
        beams = 0 if self.sensors == "camera" else self.cloud.aimed[place]
        image = 1.0
        if self.shown is not None:
            trace = self.shown.things[place]
            there = 0.0 if self.sensors == "lidar" else trace.visible_pixels
            image = there / trace.pixels if trace.pixels else 0.0
        return VisibleShares(lidar, image, beams)

    def _judged(self, place: int, left: VisibleShares) -> VisibleShares:
        """The shares that a label is judged by: those of sensors in whose view the thing is."""
        outside = self.shown is None or not self.shown.things[place].pixels
        image = 1.0 if outside or self.sensors == "lidar" else left.image
        return VisibleShares(left.lidar, image, left.beams)


def solid_row(
    thing: PlacedMesh, trace: Trace | None, left: VisibleShares, frames: CoordinateFrames
) -> LabelRow:
    """The label of a thing that was put in.

    The 2D box is the amodal one, cut at the image's borders, as KITTI's annotators drew theirs:
    hidden parts count, parts outside do not. Truncation is the share of pixels outside; occlusion
    goes by the share that is hidden. A thing outside of the image has an empty box and truncation
    1: KITTI's files do not hold such rows.
    """
    full = 0.0 if trace is None else trace.full_pixels
    outside = 1.0 - trace.pixels / full if trace is not None and full else float(trace is not None)
    box = _outline(thing, frames) if trace is None else trace.amodal or NOWHERE
    bare = LabelRow(thing.mesh.label, outside, occlusion(left.hidden), -10.0, box)
    row = with_lidar_boxes([bare], thing.box[None], frames)[0]
    return as_dont_care(row) if left.hidden >= HIDDEN else row


def _outline(thing: PlacedMesh, frames: CoordinateFrames) -> Box:
    """The box around the projected 3D box, for frames without an image."""
    u, v, depth = frames.lidar_to_image(LidarPoints(corners(thing.box[None])[0])).T
    if depth.min() <= 0:
        return NOWHERE
    return float(u.min()), float(v.min()), float(u.max()), float(v.max())
