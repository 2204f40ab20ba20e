"""The choice of objects that a planted fault strikes."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from snellen.subjects.planted.object_reader import are_inserted
from snellen.vision.arrays import F64, Bools, Boxes, Image
from snellen.vision.detections import Detections


class Victims(StrEnum):
    """Which objects a fault may strike; the rate then decides which of them are struck.

    neighbours: original objects (bright) with an inserted one (deep) within the distance. The
    inserted object is never struck, so it stays detected, and the original scene has no victims.
    crowded: objects with any other one within the distance, so both of a pair. smaller: of two
    objects within the distance, the one with the smaller box; of equal ones, the one further left,
    then further up. any: all objects.
    """

    NEIGHBOURS = "neighbours"
    CROWDED = "crowded"
    SMALLER = "smaller"
    ANY = "any"


def candidates(victims: Victims, image: Image, detections: Detections, distance: float) -> Bools:
    """Which detections are possible victims, (N,). distance: of the nearest edges in pixels."""
    if victims == Victims.ANY:
        return np.ones(len(detections), dtype=bool)
    near = gaps(detections.boxes) <= distance
    np.fill_diagonal(near, False)
    if victims == Victims.CROWDED:
        return np.asarray(near.any(axis=1))
    if victims == Victims.SMALLER:
        return np.asarray((near & _struck_first(detections.boxes)).any(axis=1))
    new = are_inserted(image, detections.boxes)
    return np.asarray(~new & near[:, new].any(axis=1))


def gaps(boxes: Boxes) -> F64:
    """(N, N) distances in pixels between the nearest edges of boxes, 0 if they touch or overlap.

    >>> gaps(np.array([[0, 0, 10, 10], [13, 14, 20, 20]], dtype=np.float32))[0].tolist()
    [0.0, 5.0]
    """
    low, high = boxes[:, :2].astype(np.float64), boxes[:, 2:].astype(np.float64)
    distances = np.maximum(low[:, None] - high[None], low[None] - high[:, None])
    return np.asarray(np.linalg.norm(np.maximum(distances, 0), axis=2))


def _struck_first(boxes: Boxes) -> Bools:
    """[i, j]: whether box i is struck rather than box j."""
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    order = np.lexsort((boxes[:, 1], boxes[:, 0], area))
    rank = np.empty(len(boxes), dtype=np.int64)
    rank[order] = np.arange(len(boxes))
    return np.asarray(rank[:, None] < rank[None, :])
