"""One thing to learn from: pixels, and what is to be found in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from snellen.errors import UserError
from snellen.objects.label_names import plain_name
from snellen.scenes.scene import Scene
from snellen.vision.boxes.box_geometry import area

Pixels = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Example:
    """Pixels (H, W, 3) uint8 RGB and what they show, all in the frame of these pixels.

    boxes: (M, 4) float32 xyxy. labels: (M,) int64, the detector's ids. weights: (M,) float32 in the
    loss. ignored: (K, 4) float32 xyxy, regions where a detection is neither right nor wrong.
    repair: whether it is a repair picture, or has one in it.
    """

    pixels: Pixels
    boxes: Floats
    labels: Integers
    weights: Floats
    ignored: Floats
    repair: bool = False

    def weighted(self, factor: float) -> Example:
        """The same with every object's weight multiplied."""
        return replace(self, weights=(self.weights * factor).astype(np.float32))

    def cut(self, window: tuple[int, int, int, int], visible: float) -> Example:
        """The same with every box cut at a window, xyxy; the pixels stay.

        An object of which less than the share `visible` of its box is left becomes an ignored
        region: it is there, but not enough of it to teach.
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


def _cut(boxes: Floats, window: tuple[int, int, int, int]) -> Floats:
    left, top, right, bottom = window
    low, high = np.array([left, top] * 2), np.array([right, bottom] * 2)
    return np.clip(boxes, low, high).astype(np.float32)


def numbering(classes: Sequence[str], known: Sequence[str], where: str) -> Integers:
    """The detector's id of each of a set's classes, by name; -1 where it has none.

    Spelling does not matter, see `plain_name`.

    >>> numbering(["dog", "cat", "couch"], ["Cat", "horse", "sofa"], "train").tolist()
    [-1, 0, 2]
    """
    ids = {plain_name(name): place for place, name in enumerate(known)}
    found = np.array([ids.get(plain_name(name), -1) for name in classes], dtype=np.int64)
    if len(found) and found.max() < 0:
        raise UserError(
            f"{where}: none of its classes ({', '.join(classes[:5])}...) is one of the detector's "
            f"({', '.join(known[:5])}...). Rename them so that they agree."
        )
    return found


def example_of(scene: Scene, ids: Integers, weights: npt.ArrayLike | None = None) -> Example:
    """What a scene teaches, in its own pixels.

    ids: the detector's id of each of the set's classes, -1 for what it does not know and need not
    find. weights: (N,), one for each annotated object. Crowds and objects to ignore become ignored
    regions; boxes without area teach nothing.
    """
    known = scene.annotations
    if known is None:
        raise UserError(
            f"scene {scene.id} has no annotations, so there is nothing to learn from it. "
            "Train on annotated scenes."
        )
    given = np.ones(len(known)) if weights is None else np.asarray(weights, dtype=np.float64)
    if given.shape != (len(known),):
        raise UserError(
            f"scene {scene.id} has {len(known)} annotated objects but {given.size} weights; "
            "give one for each."
        )
    solid = (known.boxes[:, 2:] > known.boxes[:, :2]).all(axis=1)
    vague = solid & (known.crowd | known.ignore)
    labels = ids[known.labels] if len(known) else known.labels
    taught = solid & ~vague & (labels >= 0)
    return Example(
        scene.pixels(),
        known.boxes[taught],
        labels[taught],
        given[taught].astype(np.float32),
        known.boxes[vague],
    )
