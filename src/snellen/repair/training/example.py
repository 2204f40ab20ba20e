"""One training example: pixels and the objects in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from snellen.errors import UserError
from snellen.objects.label_names import plain_name
from snellen.scenes.scene import Scene
from snellen.vision.arrays import F32, Bytes, Ints
from snellen.vision.boxes.box_geometry import area


@dataclass(frozen=True, eq=False)
class Example:
    """Pixels (H, W, 3) uint8 RGB and the objects they show, in the frame of these pixels.

    boxes: (M, 4) float32 xyxy. labels: (M,) int64, the detector's ids. weights: (M,) float32 in the
    loss. ignored: (K, 4) float32 xyxy, regions where a detection is neither correct nor wrong.
    repair: whether it is or contains a repair picture.
    """

    pixels: Bytes
    boxes: F32
    labels: Ints
    weights: F32
    ignored: F32
    repair: bool = False

    def weighted(self, factor: float) -> Example:
        """The example with every object's weight multiplied."""
        return replace(self, weights=(self.weights * factor).astype(np.float32))

    def cut(self, window: tuple[int, int, int, int], visible: float) -> Example:
        """The example with every box clipped to a window, xyxy; the pixels are unchanged.

        An object whose box keeps less than the share `visible` of its area becomes an ignored
        region.
        """
        within = _cut(self.boxes, window)
        left = area(within) / np.maximum(area(self.boxes), 1e-9)
        kept = (left > 0) & (left >= visible)
        ignored = np.concatenate([_cut(self.ignored, window), within[~kept]])
        return replace(
            self,
            boxes=within[kept],
            labels=self.labels[kept],
            weights=self.weights[kept],
            ignored=ignored[area(ignored) > 0],
        )


def _cut(boxes: F32, window: tuple[int, int, int, int]) -> F32:
    left, top, right, bottom = window
    low, high = np.array([left, top] * 2), np.array([right, bottom] * 2)
    return np.clip(boxes, low, high).astype(np.float32)


def class_ids(classes: Sequence[str], detector_classes: Sequence[str], where: str) -> Ints:
    """The detector's id of each of a set's classes, by name; -1 for classes it does not have.

    Spelling does not matter, see `plain_name`.

    >>> class_ids(["dog", "cat", "couch"], ["Cat", "horse", "sofa"], "train").tolist()
    [-1, 0, 2]
    """
    ids = {plain_name(name): place for place, name in enumerate(detector_classes)}
    found = np.array([ids.get(plain_name(name), -1) for name in classes], dtype=np.int64)
    if len(found) and found.max() < 0:
        raise UserError(
            f"{where}: none of its classes ({', '.join(classes[:5])}...) is one of the detector's "
            f"({', '.join(detector_classes[:5])}...). Rename them so that they match."
        )
    return found


def example_of(scene: Scene, ids: Ints, weights: npt.ArrayLike | None = None) -> Example:
    """The example of a scene, in its own pixels.

    ids: the detector's id of each of the set's classes, -1 for classes it does not have. weights:
    (N,), one for each annotated object. Crowds and objects to ignore become ignored regions;
    boxes without area are dropped.
    """
    annotations = scene.annotations
    if annotations is None:
        raise UserError(
            f"scene {scene.id} has no annotations, so it cannot be used for training. "
            "Train on annotated scenes."
        )
    count = len(annotations)
    factors = np.ones(count) if weights is None else np.asarray(weights, dtype=np.float64)
    if factors.shape != (count,):
        raise UserError(
            f"scene {scene.id} has {count} annotated objects but {factors.size} weights; "
            "give one for each."
        )
    boxes = annotations.boxes
    solid = (boxes[:, 2:] > boxes[:, :2]).all(axis=1)
    vague = solid & (annotations.crowd | annotations.ignore)
    labels = ids[annotations.labels] if count else annotations.labels
    used = solid & ~vague & (labels >= 0)
    return Example(
        scene.pixels(),
        boxes[used],
        labels[used],
        factors[used].astype(np.float32),
        boxes[vague],
    )
