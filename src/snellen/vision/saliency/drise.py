"""Saliency of a detection from a black box's answers to masked images (D-RISE, Petsiuk et al.).

D-RISE weights a mask by the similarity of its best detection to the target: IoU, times the cosine
of the class probabilities, times objectness. A black box returns one label and one score, so here
the labels agree (1) or not (0), and the score stands for class and objectness together. Detections
below the score threshold of the subject count as 0: a low threshold gives more information.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from snellen.vision.arrays import F32, F64
from snellen.vision.boxes.box_geometry import iou
from snellen.vision.detections import Detections
from snellen.vision.saliency.heat_maps import heat_maps
from snellen.vision.saliency.random_masks import GRID, KEEP
from snellen.vision.saliency.significance import peak_p_values


def similarities(targets: Detections, detections: Detections) -> F64:
    """Similarity of the best detection to each of T targets: IoU times score, (T,).

    Detections of another label count as 0. The scores of the targets are not used.

    >>> found = Detections([[0, 0, 10, 5], [0, 0, 10, 10]], [3, 7], [0.5, 1])
    >>> similarities(Detections([[0, 0, 10, 10]], [3], [1]), found).tolist()
    [0.25]
    """
    if not len(detections) or not len(targets):
        return np.zeros(len(targets))
    agrees = targets.labels[:, None] == detections.labels[None, :]
    alike = iou(targets.boxes, detections.boxes) * detections.scores[None, :].astype(np.float64)
    return np.asarray(np.where(agrees, alike, 0.0).max(axis=1), dtype=np.float64)


@dataclass
class SaliencyAccumulator:
    """Collects answers to masked images and computes the heat maps of targets.

    targets: T detections of the unmasked image. size: (height, width) of the image in pixels.
    grid, keep: of the masks. centred: see `heat_maps`.
    """

    targets: Detections
    size: tuple[int, int]
    grid: tuple[int, int] = GRID
    keep: float = KEEP
    centred: bool = True
    _seeds: list[int] = field(default_factory=list, init=False, repr=False)
    _weights: list[F64] = field(default_factory=list, init=False, repr=False)

    def add(self, seed: int, detections: Detections) -> None:
        """Add the detections in the image with the mask of a seed."""
        self._seeds.append(seed)
        self._weights.append(similarities(self.targets, detections))

    def __len__(self) -> int:
        return len(self._seeds)

    @property
    def weights(self) -> F64:
        """(T, N) the similarity of each answer so far to each target."""
        return np.array(self._weights).reshape(len(self), len(self.targets)).T

    def heat(self) -> F32:
        """The heat map of each target, (T, height, width) float32 in [0, 1].

        All 0 for a target that no mask affected: the subject found it with no mask, or equally well
        with all.
        """
        if not self._seeds:
            return np.zeros((len(self.targets), *self.size), dtype=np.float32)
        return heat_maps(
            self.size,
            self._seeds,
            self.weights,
            grid=self.grid,
            keep=self.keep,
            centred=self.centred,
        )

    def p_values(self) -> F64:
        """The p-value of the hottest place in the map of each target, (T,).

        1 for a target whose map is all 0. See `snellen.vision.saliency.significance`.
        """
        if not self._seeds:
            return np.ones(len(self.targets))
        return peak_p_values(self.size, self._seeds, self.weights, grid=self.grid, keep=self.keep)
