"""Reads the ground truth of generated scenes off their pixels."""

from __future__ import annotations

import numpy as np

from snellen.scenes.synthetic.generated_picture import shape_mask
from snellen.scenes.synthetic.scene_layout import ObjectShape
from snellen.vision.arrays import F32, Bools, Boxes, Bytes, Image
from snellen.vision.detections import Detections
from snellen.vision.masks.rle_masks import Masks
from snellen.vision.masks.run_lengths import runs_of

DARK = 100  # Rings are at 25, interiors at 165 or 235, backgrounds above 110.
SATURATED = 100
BLUR = 2
DEEP = 200
SMALLEST_AREA = 20
RECTANGULAR = 0.89  # An ellipse fills 0.785 of its box.

Interior = tuple[int, int, int, int]


def read_objects(
    image: Image, classes: int, *, score: float = 0.9, masks: bool = False
) -> Detections:
    """The objects of a generated scene, found by hue and dark ring, all with the same score.

    An object needs a ring on at least three of its four sides, which excludes remains of an object
    washed out by blending. Objects are in row-major order of their interiors.
    """
    import cv2

    hue, saturation, value = cv2.split(cv2.cvtColor(image, cv2.COLOR_RGB2HSV))
    dark = value < DARK
    interiors = (saturation > SATURATED) & ~dark
    top, left, part = _trimmed(interiors)
    count, components, stats, _ = cv2.connectedComponentsWithStats(
        part.astype(np.uint8), connectivity=4
    )
    boxes, labels, shapes = [], [], []
    for number in range(1, count):
        x, y, w, h, area = (int(n) for n in stats[number])
        inside = components[y : y + h, x : x + w] == number
        x, y = x + left, y + top
        box = _outline(dark, (x, y, x + w, y + h)) if area >= SMALLEST_AREA else None
        if box is not None:
            boxes.append(box)
            labels.append(_label(hue[y : y + h, x : x + w][inside], classes))
            shapes.append(
                ObjectShape.RECTANGLE if area >= RECTANGULAR * w * h else ObjectShape.ELLIPSE
            )
    size = (image.shape[0], image.shape[1])
    drawn = _masks(boxes, shapes, size) if masks else None
    return Detections(
        np.array(boxes, dtype=np.float32).reshape(-1, 4),
        np.array(labels, dtype=np.int64),
        np.full(len(boxes), score, dtype=np.float32),
        drawn,
    )


def _trimmed(mask: Bools) -> tuple[int, int, Bools]:
    """The first row, the first column and the mask without its empty margins.

    The statistics of components are the slowest step, even on empty areas.
    """
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return 0, 0, mask[:1, :1]
    top, left = int(rows[0]), int(columns[0])
    return top, left, mask[top : rows[-1] + 1, left : columns[-1] + 1]


def are_inserted(image: Image, boxes: Boxes) -> Bools:
    """Which boxes hold an inserted object, one of the `deep` shade; (N,)."""
    return np.array([_brightness(image, box) < DEEP for box in boxes], dtype=bool)


def _brightness(image: Image, box: F32) -> float:
    x1, y1, x2, y2 = box
    left, right = int(x1 + (x2 - x1) * 0.35), int(np.ceil(x1 + (x2 - x1) * 0.65))
    top, bottom = int(y1 + (y2 - y1) * 0.35), int(np.ceil(y1 + (y2 - y1) * 0.65))
    core = image[top:bottom, left:right]
    return float(np.median(core.max(axis=2))) if core.size else 255.0


def _label(hues: Bytes, classes: int) -> int:
    nearest = np.rint(hues.astype(np.float64) * classes / 180).astype(np.int64) % classes
    return int(np.bincount(nearest).argmax())


def _outline(dark: Bools, interior: Interior) -> Interior | None:
    """The box of an interior and the ring around it, or None without a ring.

    Where another object's ring adjoins, the dark run is too long; there the ring is assumed to be
    as wide as on the other sides.
    """
    x1, y1, x2, y2 = interior
    reach = max(x2 - x1, y2 - y1) // 2 + 3
    rows, columns = _middle(y1, y2), _middle(x1, x2)
    runs = [
        _run(dark[rows, max(0, x1 - reach) : x1][:, ::-1]),
        _run(dark[max(0, y1 - reach) : y1, columns][::-1].T),
        _run(dark[rows, x2 : x2 + reach]),
        _run(dark[y2 : y2 + reach, columns].T),
    ]
    usual = sorted(runs)[1]
    if usual == 0:
        return None
    left, top, right, bottom = (run if run <= usual + 1 else usual for run in runs)
    return x1 - left, y1 - top, x2 + right, y2 + bottom


def _middle(start: int, stop: int) -> slice:
    """The middle fifth of a range, at least one pixel."""
    margin = int((stop - start) * 0.4)
    return slice(start + margin, max(stop - margin, start + margin + 1))


def _run(lines: Bools) -> int:
    """The extent of the ring from the interior: the maximum over lines, 0 without a ring.

    JPEG desaturates the last pixels of an interior, which are then neither saturated nor dark; so
    the ring may start up to BLUR pixels away.
    """
    reach = lines.shape[1]
    if reach == 0:
        return 0
    begins = lines[:, : BLUR + 1].argmax(axis=1)
    ringed = lines[np.arange(len(lines)), begins]
    lit = ~lines & (np.arange(reach) >= begins[:, None])
    ends = np.where(lit.any(axis=1), lit.argmax(axis=1), reach)
    return int(np.where(ringed, ends, 0).max())


def _masks(boxes: list[Interior], shapes: list[ObjectShape], size: tuple[int, int]) -> Masks:
    runs = []
    for (x1, y1, x2, y2), shape in zip(boxes, shapes, strict=True):
        mask = np.zeros(size, dtype=bool)
        mask[y1:y2, x1:x2] = shape_mask(shape, x2 - x1, y2 - y1)
        runs.append(runs_of(mask))
    return Masks(size, tuple(runs))
