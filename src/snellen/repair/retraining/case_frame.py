"""The camera+LiDAR frame of a case as a scene's picture and sweep, built on demand."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from threading import Lock

from cachetools import LRUCache, cached

from snellen.changes.insert3d.frame_change import FrameChange
from snellen.changes.insert3d.insert3d import Insert3D
from snellen.changes.recipe import Materials
from snellen.errors import UserError
from snellen.scenes.kitti.calibration_file import Calibration
from snellen.scenes.kitti.label_file import LabelRow, parse_row
from snellen.scenes.scene import Scene
from snellen.vision.arrays import Image, Points

CACHED = 2
"""Frames in memory: a writer reads picture and sweep of one frame in turn."""


@dataclass(frozen=True, eq=False)
class CaseFrame:
    """A frame with inserted meshes: both the picture and the sweep of a scene.

    labelled: whether the inserted meshes have labels.
    """

    scene: Scene
    recipe: Insert3D
    materials: Materials
    labelled: bool = True

    def pixels(self) -> Image:
        """The camera's image, H x W x 3 uint8 RGB."""
        image = self._built()[1]
        if image is None:
            raise UserError(f"frame {self.scene.id} has no image. Use scenes with images.")
        return image

    def points(self) -> Points:
        """(N, 4) float32: x forward, y left, z up in metres in the LiDAR frame, and intensity."""
        return self._built()[0].cloud.points

    def calibration(self) -> Calibration:
        """The calibration of LiDAR and camera."""
        return self._built()[0].seed.calibration

    def labels(self) -> tuple[LabelRow, ...]:
        """The rows of the label file: those visible in the image."""
        objects = self._built()[0].labelled_objects
        rows = (one.row for one in objects if self.labelled or one.inserted is None)
        shown = (row for row in rows if row.box[2] > row.box[0] and row.box[3] > row.box[1])
        return tuple(parse_row(row.line(), "label") for row in shown)

    def digest(self) -> str:
        """A hash of scene and recipe."""
        text = f"{self.scene.digest} {self.recipe.digest}"
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    @cached(LRUCache(CACHED), key=digest, lock=Lock())
    def _built(self) -> tuple[FrameChange, Image | None]:
        return self.recipe.change_frame(self.scene, self.materials)
