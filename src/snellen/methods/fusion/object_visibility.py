"""How much of existing and inserted objects a case leaves visible, and what must be detected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from snellen.methods.fusion.frame_truth import (
    LABELLED,
    FrameTruth,
    RemainingVisibility,
    remaining_visibility,
)
from snellen.methods.fusion.options import FusionOptions
from snellen.methods.fusion.prepared_frame import MeshInsertion, boxes_of
from snellen.vision.arrays import Bools
from snellen.vision.detections3d import Detections3D
from snellen.vision.solids.bearing_occlusion import hidden_shares
from snellen.vision.solids.overlap3d import overlap3d

FEWEST = 5
"""LiDAR returns below which an existing object need not be detected."""


@dataclass(frozen=True, eq=False)
class ObjectVisibility:
    """What one case leaves visible. before: the answer about the original frame.

    placed: the insertions. measured: the measurements of the case.
    """

    options: FusionOptions
    truth: FrameTruth
    before: Detections3D
    placed: Sequence[MeshInsertion]
    measured: Mapping[str, float]

    def inserted(self, index: int) -> RemainingVisibility:
        """What is visible of one insertion."""
        return remaining_visibility(self.measured, self.truth.count + index)

    def demanded(self, index: int) -> bool:
        """Whether enough of an insertion is visible that it must be detected."""
        left, options = self.inserted(index), self.options
        return left.points >= options.demanded_points and left.image >= options.demanded_share

    @property
    def gone(self) -> Bools:
        """(K,) labelled objects of which too little remains visible."""
        least = 1.0 - self.options.hidden
        lefts = [remaining_visibility(self.measured, int(place)) for place in self.truth.places]
        return np.array(
            [left.points < FEWEST or min(left.lidar, left.image) <= least for left in lefts],
            dtype=np.bool_,
        )

    @property
    def excused(self) -> Bools:
        """(N,) detections before that may change: their object is now hidden or behind another.

        The case measures the visibility of labelled objects. An unlabelled one is excused where an
        insertion covers more than half of it.
        """
        match = overlap3d(self.before.boxes, self.truth.boxes)
        labelled = match.max(axis=1, initial=0.0) >= LABELLED
        covered = hidden_shares(self.before.boxes, boxes_of(self.placed)).max(axis=1, initial=0.0)
        excused = np.asarray(~labelled & (covered > 0.5))
        if labelled.any():
            thing = match.argmax(axis=1)
            excused[labelled] = self.gone[thing[labelled]]
        return excused

    def excuses(self, index: int | None) -> bool:
        """Whether the object of a detection before may be lost; False for none."""
        return index is not None and bool(self.excused[index])

    def hidden_share(self, index: int) -> float:
        """The share of the object of a detection before that the insertions hide, 0 to 1."""
        box = self.before.boxes[[index]]
        [match] = overlap3d(box, self.truth.boxes)
        if match.max(initial=0.0) < LABELLED:
            return float(hidden_shares(box, boxes_of(self.placed)).max(initial=0.0))
        left = remaining_visibility(self.measured, int(self.truth.places[match.argmax()]))
        return 1.0 - min(left.lidar, left.image)
