"""The 3D side of a camera+LiDAR case: enough to draw it, small enough to store with a finding."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from snellen.vision.arrays import F32, Bools, Boxes, Boxes3D, Ints16

INSERT3D = "insert3d"
"""The kind of recipe that inserts meshes into camera+LiDAR frames."""
STEP = 0.01
"""The resolution of a stored point in metres."""
FARTHEST = STEP * np.iinfo(np.int16).max
"""The maximum coordinate of a stored point in metres."""


@dataclass(frozen=True, eq=False)
class SolidCase:
    """The 3D data of a case to draw, in metres in the LiDAR frame.

    points: (N, 3) float32, the nearby ones of the case. new: (N,) bool, returns from inserted
    objects. labelled: (K, 7) labelled boxes of the frame. inserted: (J, 7) boxes of inserted
    objects in order. inserted_image: (J, 4) the same in the image, xyxy pixels, zeros where not
    visible. image: whether the frame has an image.
    """

    points: F32
    new: Bools
    labelled: Boxes3D
    inserted: Boxes3D
    inserted_image: Boxes
    image: bool = True

    def rounded(self) -> SolidCase:
        """The case at the resolution of storage."""
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
    """Whether a recipe inserts meshes into camera+LiDAR frames."""
    return recipe.get("kind") == INSERT3D
