"""Where an object of a label may stand around a target, and how large it is there.

Size follows perspective, from the first of these that the scene supports: a line fitted to its
objects of the label; one fitted to all its objects of known typical height; the top of its ground
mask as the horizon, with the target; or the target alone, beside which the object then stands
unless its feet are not seen: at the border of the picture, or in the box of another object. What
the object stands on looks like what the target stands on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from snellen.changes.paste.contact_shadow import shadow_reach
from snellen.methods.free_places import FreeSpace
from snellen.methods.insertion.ground_line import GroundLine, fitted_line
from snellen.methods.insertion.ground_look import ground_like
from snellen.objects.label_names import plain_name
from snellen.objects.typical_heights import flies, hangs, stands_upright, typical_height
from snellen.vision.annotations import Annotations
from snellen.vision.arrays import F32, F64, Bools, Image, Ints
from snellen.vision.boxes.box_geometry import iou
from snellen.vision.truth.annotated_objects import AnnotatedObjects

LEVELS = 9
"""Distances at which places are looked for."""
BESIDE = 0.1
"""How far from the level of the target's feet an object stands without a line, by its height."""
ALOFT = 0.3
"""The same for what flies."""
BORDER = 3.0
"""Pixels from the border within which an object's extent is unknown."""
SLENDER = 1.6
"""Height of a standing person as a multiple of the width, at least; who sits or lies has less."""
MATCH = 0.5
"""IoU from which a detection is of an annotated object."""
SAME = 0.7
"""IoU from which two boxes are of one object."""
LEAST = 24.0
"""The least height of an inserted object, in pixels, unless most of the scene's are smaller."""


@dataclass(frozen=True)
class Standing:
    """The height of an object in pixels, and the range of y in which its feet then are."""

    height: float
    bottoms: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Perspective:
    """The perspective of a scene with detected objects, boxes (N, 4) xyxy and N names.

    pixels: of the scene. ground: its mask, H x W, or None. known: what is annotated, or None; a
    detection that is annotated as something else gives no size.
    """

    pixels: Image
    boxes: F32
    names: Sequence[str]
    ground: Bools | None
    labels: Ints | None = None
    known: AnnotatedObjects | None = None

    @cached_property
    def _misleading(self) -> Bools:
        """(N,) which objects are no measure of size: taken for something else, or not upright."""
        wide = np.asarray(self._heights < SLENDER * (self.boxes[:, 2] - self.boxes[:, 0]))
        upright = np.array([stands_upright(name) for name in self.names], dtype=bool)
        misled = upright & wide
        if self.known is not None and self.labels is not None:
            misled |= mistaken_labels(self.boxes, self.labels, self.known.annotations)
        return misled

    @cached_property
    def _feet(self) -> F64:
        return self.boxes[:, 3].astype(np.float64)

    @cached_property
    def _heights(self) -> F64:
        return (self.boxes[:, 3] - self.boxes[:, 1]).astype(np.float64)

    @cached_property
    def least(self) -> float:
        """The least height of an inserted object, in pixels."""
        return min(LEAST, float(np.median(self._heights)))

    @cached_property
    def _whole(self) -> Bools:
        """(N,) which objects end within the picture and show their feet."""
        seen = ~(self._cut_off | self._hidden_feet | self._misleading)
        return np.asarray((self.boxes[:, 1] > BORDER) & seen)

    @cached_property
    def _cut_off(self) -> Bools:
        """(N,) which objects end at the bottom of the picture."""
        return np.asarray(self.boxes[:, 3] >= self.pixels.shape[0] - BORDER)

    @cached_property
    def _hidden_feet(self) -> Bools:
        """(N,) which objects have their feet in the box of another, as a rider or one in a boat."""
        x, y = (self.boxes[:, 0] + self.boxes[:, 2]) / 2, self.boxes[:, 3] - 1
        boxes = np.asarray(self.boxes, dtype=np.float64)
        across = (x[:, None] > boxes[None, :, 0]) & (x[:, None] < boxes[None, :, 2])
        down = (y[:, None] > boxes[None, :, 1]) & (y[:, None] < boxes[None, :, 3])
        same = iou(self.boxes, self.boxes) >= SAME
        return np.asarray((across & down & ~same).any(axis=1))

    def line(self, label: str, target: int) -> GroundLine | None:
        """The line for a label; None where only the target can be gone by."""
        same = np.array([plain_name(name) == plain_name(label) for name in self.names], dtype=bool)
        own = fitted_line(self._feet[same & self._whole], self._heights[same & self._whole])
        metres = typical_height(label)
        if own is not None or metres is None:
            return own
        known = np.array([typical_height(name) or np.nan for name in self.names])
        use = self._whole & np.isfinite(known)
        pooled = fitted_line(self._feet[use], self._heights[use] / known[use])
        if pooled is not None:
            return pooled.scaled(metres)
        return self._from_mask(label, target)

    def _from_mask(self, label: str, target: int) -> GroundLine | None:
        if self.ground is None or not self.ground.any() or not self._whole[target]:
            return None
        horizon = float(np.flatnonzero(self.ground.any(axis=1))[0])
        height = self.height_beside(label, target)
        if height is None or self._feet[target] <= horizon + 1:
            return None
        return GroundLine(height / (self._feet[target] - horizon), horizon)

    def height_beside(self, label: str, target: int) -> float | None:
        """The height of an object of a label beside a target; None where it cannot be known.

        By the typical heights of both. If none is known of any label here, as of custom ones, and
        the scene has no object of the label to go by: as high as the target.
        """
        tall, name = float(self._heights[target]), self.names[target]
        if plain_name(name) == plain_name(label):
            return tall
        own, other = typical_height(name), typical_height(label)
        if own and other:
            return tall * other / own
        absent = plain_name(label) not in {plain_name(one) for one in self.names}
        custom = not any(map(typical_height, (label, *self.names)))
        return tall if absent and custom else None

    def standings(self, label: str, target: int, everywhere: bool) -> list[Standing]:
        """Where an object may stand around a target, or everywhere; from far to near."""
        beside = self.height_beside(label, target)
        if beside is None or hangs(label) or self._misleading[target]:
            return []
        foot, height = float(self._feet[target]), beside
        if flies(label):
            return [Standing(height, (foot - ALOFT * height, foot + ALOFT * height))]
        line = self.line(label, target)
        stands = typical_height(label) is not None
        if line is None and (self._hidden_feet[target] or (stands and self._cut_off[target])):
            return []
        if line is None:
            return [Standing(height, (foot - BESIDE * height, foot + BESIDE * height))]
        tall = float(self._heights[target])
        low, high = (0.0, np.inf) if everywhere else (foot - tall, foot + 0.5 * tall)
        first = max(low, line.first, line.foot_of(self.least))
        last = min(high, line.last, float(self.pixels.shape[0]))
        step = (last - first) / LEVELS
        feet = [first + (level + 0.5) * step for level in range(LEVELS)] if step > 0 else []
        return [
            Standing(line.height_at(at), (at - max(1, step / 2), at + max(1, step / 2)))
            for at in feet
        ]

    def room(
        self, obstacles: F32, size: tuple[int, int], standing: Standing, like: Bools
    ) -> FreeSpace:
        """The free space of an object of size (width, height); like: (H, W), the fitting ground."""
        beside, below = shadow_reach(*size)
        wide = obstacles + np.array([-beside, -below, beside, 0], dtype=np.float32)
        return FreeSpace(self.pixels.shape[:2], wide, like, standing.bottoms)

    def ground_for(self, label: str, target: int) -> Bools:
        """(H, W): where the ground looks like that under the target, within the mask if any."""
        like = ground_like(self.pixels, self.boxes, target)
        return like if self.ground is None or flies(label) else like & self.ground


def mistaken_labels(boxes: F32, labels: Ints, truths: Annotations) -> Bools:
    """(N,) which detections are annotated with another label, and not with their own.

    boxes: (N, 4) xyxy; labels: (N,). Ignored and crowd regions do not count.
    """
    clear = ~(truths.ignore | truths.crowd)
    meet = iou(boxes, truths.boxes[clear]) >= MATCH
    same = truths.labels[clear][None, :] == labels[:, None]
    return np.asarray((meet & ~same).any(axis=1) & ~(meet & same).any(axis=1))
