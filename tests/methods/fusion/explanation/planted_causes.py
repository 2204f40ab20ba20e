"""Subjects that read the labels and fail for one known cause."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from snellen.changes.insert3d.seed_frame import seed_frame
from snellen.scenes.frame import Frame, LabelledObject
from snellen.scenes.scene import Scene
from snellen.subjects.planted.perfect_solids import PerfectSolids
from snellen.vision.arrays import Image
from snellen.vision.detections3d import Detections3D
from snellen.vision.solids.boxes3d import points_inside

Trigger = Callable[[LabelledObject], bool]
NEAR_PIXELS, NEAR_METRES = 30, 3.0


@dataclass
class Loser(PerfectSolids):
    """Loses the first object of a frame if an inserted one, or any, triggers it."""

    trigger: Trigger = lambda one: False

    def predict(self, images: Sequence[Frame]) -> Sequence[Detections3D]:
        return [self._answer(frame) for frame in images]

    def _answer(self, frame: Frame) -> Detections3D:
        truth = self.true_detections(frame)
        found = truth.detections
        if any(self.trigger(one) for one in frame.truth or () if one.inserted is not None):
            old = np.flatnonzero(~truth.inserted)
            return found[np.setdiff1d(np.arange(len(found)), old[:1])]
        return found


def in_image(one: LabelledObject) -> bool:
    return one.image_visible > 0


def in_cloud(one: LabelledObject) -> bool:
    return one.points > 0


def in_both(one: LabelledObject) -> bool:
    return in_image(one) and in_cloud(one)


def in_either(one: LabelledObject) -> bool:
    return in_image(one) or in_cloud(one)


def longer_than(metres: float) -> Trigger:
    return lambda one: one.row.dimensions[2] >= metres


def farther_than(metres: float) -> Trigger:
    return lambda one: one.row.location[2] > metres


def of_types(*types: str) -> Trigger:
    return lambda one: one.row.type in types


@dataclass
class OcclusionLoser(PerfectSolids):
    """Loses every object of the frame of which inserted ones hide 10% or more in the sweep."""

    def _sees(self, one: LabelledObject) -> bool:
        return super()._sees(one) and (one.inserted is not None or one.lidar_visible > 0.9)


@dataclass
class Veto(PerfectSolids):
    """Finds an inserted object unless one sensor shows it, and then by the other one alone."""

    by_image: bool = True

    def _sees(self, one: LabelledObject) -> bool:
        if one.inserted is None:
            return super()._sees(one)
        return one.row.solid and not (in_image(one) if self.by_image else in_cloud(one))


@dataclass
class Blind(PerfectSolids):
    """Misses inserted objects that trigger it."""

    trigger: Trigger = lambda one: False

    def _sees(self, one: LabelledObject) -> bool:
        return super()._sees(one) and not (one.inserted is not None and self.trigger(one))


@dataclass
class Noise(PerfectSolids):
    """Loses an object now and then, by a hash of all points: noise that no change explains."""

    rate: float = 0.3

    def predict(self, images: Sequence[Frame]) -> Sequence[Detections3D]:
        return [self._answer(frame) for frame in images]

    def _answer(self, frame: Frame) -> Detections3D:
        found = self.true_detections(frame).detections
        digest = hashlib.blake2b(np.ascontiguousarray(frame.points).data, digest_size=8).digest()
        rng = np.random.default_rng(int.from_bytes(digest, "big"))
        return found[rng.random(len(found)) >= self.rate]


@dataclass
class ChangeLoser(PerfectSolids):
    """Loses every object of the frame near which a pixel or a point has changed."""

    scenes: Sequence[Scene] = ()

    def predict(self, images: Sequence[Frame]) -> Sequence[Detections3D]:
        return [self._answer(frame) for frame in images]

    def _answer(self, frame: Frame) -> Detections3D:
        truth = self.true_detections(frame)
        found = truth.detections
        pairs = zip(found.boxes, found.image_boxes, strict=True)
        moved = np.array([self._disturbed(frame, *pair) for pair in pairs], dtype=bool)
        return truth.detections[truth.inserted | ~moved]

    def _disturbed(self, frame: Frame, box: np.ndarray, flat: np.ndarray) -> bool:
        image = frame.image
        assert image is not None
        scene = max(self.scenes, key=lambda one: _same(one, image))
        x1, y1, x2, y2 = np.rint(flat).astype(int).tolist()
        rows = slice(max(0, y1 - NEAR_PIXELS), y2 + NEAR_PIXELS)
        columns = slice(max(0, x1 - NEAR_PIXELS), x2 + NEAR_PIXELS)
        if (scene.pixels()[rows, columns] != image[rows, columns]).any():
            return True
        wide = box[None] + np.array([0, 0, 0, 2 * NEAR_METRES, 2 * NEAR_METRES, 0, 0])
        before = seed_frame(scene).points
        here, there = (one[points_inside(one[:, :3], wide)[0]] for one in (before, frame.points))
        return not np.array_equal(here, there)


def _same(scene: Scene, image: Image) -> float:
    """The share of equal pixels at the upper edge, where little is inserted."""
    if scene.size != image.shape[:2]:
        return 0.0
    return float((scene.pixels()[:8] == image[:8]).mean())
