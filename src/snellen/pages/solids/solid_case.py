"""The 3D side of a camera+LiDAR case: enough to draw it, small enough to be kept with a finding."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from snellen.vision.arrays import F32, Bools, Ints16
from snellen.vision.detections import Boxes
from snellen.vision.solids.boxes3d import Boxes3D

INSERT3D = "insert3d"
"""The kind of recipe that puts solid things into camera+LiDAR frames."""
STEP = 0.01
"""Metres between values of a kept point."""
FARTHEST = STEP * np.iinfo(np.int16).max
"""Metres from the LiDAR along any axis that a kept point may have."""


@dataclass(frozen=True, eq=False)
class SolidCase:
    """What there is to draw of a case, in metres in the LiDAR frame.

    points: (N, 3) float32 of the case, as far as they are near. new: (N,) bool, returns from what
    was put in. labelled: (K, 7) boxes of what the frame's labels tell. inserted: (J, 7) boxes of
    what was put in, in its order. inserted_image: (J, 4) the same in the image, xyxy pixels, zeros
    where it does not show it. image: whether the frame has an image.
    """

    points: F32
    new: Bools
    labelled: Boxes3D
    inserted: Boxes3D
    inserted_image: Boxes
    image: bool = True

    def rounded(self) -> SolidCase:
        """The same as it comes back from where it is kept."""
        return replace(self, points=_metres(self.steps))

    @property
    def steps(self) -> Ints16:
        """(N, 3) the points in centimetres."""
        return np.round(self.points / STEP).astype(np.int16)

    def same(self, other: SolidCase) -> bool:
        """Whether two are the same to the centimetre."""
        return np.array_equal(self.steps, other.steps) and np.array_equal(
            self.inserted, other.inserted
        )

    def to_bytes(self) -> bytes:
        """A NumPy archive; points are rounded to centimetres."""
        out = io.BytesIO()
        np.savez_compressed(
            out,
            points=self.steps,
            new=self.new,
            labelled=self.labelled,
            inserted=self.inserted,
            inserted_image=self.inserted_image,
            image=np.array(self.image),
        )
        return out.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> SolidCase:
        """What `to_bytes` wrote."""
        with np.load(io.BytesIO(data), allow_pickle=False) as read:
            found = {name: read[name] for name in read.files}
        points = _metres(found.pop("points"))
        image = bool(found.pop("image"))
        return cls(points=points, image=image, **found)


def _metres(steps: Ints16) -> F32:
    return steps.astype(np.float32) * np.float32(STEP)


def is_solid(recipe: dict[str, Any]) -> bool:
    """Whether a recipe puts solid things into camera+LiDAR frames."""
    return recipe.get("kind") == INSERT3D
