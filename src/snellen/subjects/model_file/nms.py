"""Non-maximum suppression (NMS): of overlapping boxes, only the best is kept."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F32, F64, Ints


def non_max_suppression(
    boxes: F32,
    scores: F32,
    labels: Ints,
    iou: float = 1.0,
    limit: int = 300,
) -> Ints:
    """Indices of the boxes that NMS keeps, best first, at most `limit`.

    boxes: (N, 4) xyxy. A box is suppressed if a kept box of the same label with a higher score
    overlaps it by more than `iou`; 1.0 keeps all. Ties are ordered by label, then box, so that the
    result does not depend on the order of the network's boxes.

    >>> boxes = np.array([[0, 0, 10, 10], [1, 0, 11, 10], [50, 50, 60, 60]], dtype=np.float32)
    >>> scores, labels = np.array([0.8, 0.9, 0.3]), np.zeros(3, dtype=np.int64)
    >>> non_max_suppression(boxes, scores, labels, 0.5).tolist()
    [1, 2]
    """
    order = np.lexsort((*boxes.T[::-1], labels, -scores))
    if iou >= 1:
        return order[:limit]
    corners = boxes[order].astype(np.float64)
    areas = _areas(corners)
    kinds = labels[order]
    left = np.arange(len(order))
    kept: list[int] = []
    while len(left) and len(kept) < limit:
        best, left = left[0], left[1:]
        kept.append(best)
        rivals = kinds[left] == kinds[best]
        overlap = _iou(corners[best], areas[best], corners[left], areas[left])
        left = left[~(rivals & (overlap > iou))]
    return order[np.array(kept, dtype=np.int64)]


def _areas(corners: F64) -> F64:
    sides = np.maximum(corners[:, 2:] - corners[:, :2], 0)
    return np.asarray(sides[:, 0] * sides[:, 1])


# Not `vision.boxes.iou`: its compiled loop takes a second to load, even for a single prediction.
def _iou(
    box: F64,
    area: float,
    others: F64,
    areas: F64,
) -> F64:
    sides = np.minimum(box[2:], others[:, 2:]) - np.maximum(box[:2], others[:, :2])
    sides = np.maximum(sides, 0)
    common = sides[:, 0] * sides[:, 1]
    union = area + areas - common
    return np.asarray(np.divide(common, union, out=np.zeros_like(common), where=union > 0))
