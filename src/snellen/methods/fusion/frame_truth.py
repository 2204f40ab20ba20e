"""The labelled objects of a frame: boxes, classes, and their remaining visibility."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from snellen.changes.measures.registry import VISIBILITY
from snellen.objects.label_names import plain_name
from snellen.scenes.kitti.label_file import DONT_CARE, LabelRow
from snellen.scenes.kitti.lidar_boxes import lidar_boxes
from snellen.scenes.scene import Scene
from snellen.vision.arrays import F32, Boxes3D, Ints
from snellen.vision.solids.coordinate_frames import CoordinateFrames

UNKNOWN = -1
LABELLED = 0.1
"""3D IoU threshold at which a detection is matched to a labelled object."""


@dataclass(frozen=True)
class RemainingVisibility:
    """What remains visible of an object in a case: LiDAR returns, shares of returns and pixels."""

    points: float
    lidar: float
    image: float


@dataclass(frozen=True, eq=False)
class FrameTruth:
    """The labelled objects of a frame.

    count: all label rows. places: (K,) indices of the rows with a 3D box. boxes: (K, 7) in the
    LiDAR frame. labels: (K,) class ids of the subject, -1 for none. regions: (D, 4) xyxy pixels of
    DontCare.
    """

    count: int
    places: Ints
    boxes: Boxes3D
    labels: Ints
    regions: F32

    @classmethod
    def of(
        cls, rows: Sequence[LabelRow], frames: CoordinateFrames, class_ids: Mapping[str, int]
    ) -> FrameTruth:
        """The truth in the rows of a label file. class_ids: by normalised name."""
        places = [place for place, row in enumerate(rows) if row.solid and row.type != DONT_CARE]
        solid = [rows[place] for place in places]
        labels = [class_ids.get(plain_name(row.type), UNKNOWN) for row in solid]
        regions = [row.box for row in rows if row.type == DONT_CARE]
        return cls(
            len(rows),
            np.array(places, dtype=np.int64),
            lidar_boxes(solid, frames),
            np.array(labels, dtype=np.int64),
            np.array(regions, dtype=np.float32).reshape(-1, 4),
        )


def truth_of(scene: Scene, class_ids: Mapping[str, int]) -> FrameTruth:
    """The truth in a scene's labels."""
    assert scene.sweep is not None
    return FrameTruth.of(scene.sweep.labels() or (), scene.sweep.calibration().frames(), class_ids)


def remaining_visibility(measurements: Mapping[str, float], place: int) -> RemainingVisibility:
    """The visibility of an object by a case's measurements; full where they have none.

    place: its index among the label rows, with inserted objects after them in order.
    """
    name = f"{VISIBILITY}.known.{place}"
    return RemainingVisibility(
        measurements.get(f"{name}.points", np.inf),
        measurements.get(f"{name}.lidar_visible", 1.0),
        measurements.get(f"{name}.image_visible", 1.0),
    )
