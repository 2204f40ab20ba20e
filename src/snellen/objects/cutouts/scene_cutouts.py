"""Cut-outs of the objects of one scene, each with its quality."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.objects.cutouts.alpha import Window, cut_out, window_of
from snellen.objects.cutouts.cutout import Cutout
from snellen.objects.cutouts.occlusion import hidden_by_boxes, hidden_by_masks
from snellen.objects.cutouts.quality import (
    edge_contrast,
    hole_share,
    sharpness,
    touches_border,
    without_specks,
)
from snellen.objects.cutouts.scene_instances import SceneInstances
from snellen.objects.library.library import Entry, entry_of
from snellen.objects.library.object_record import CutoutQuality
from snellen.vision.arrays import Bools, Image
from snellen.vision.boxes.box_geometry import iou

NO_QUALITY = CutoutQuality(False, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Piece:
    """An object of a scene with its cut-out, or None if it could not be cut out.

    window: of the cut-out in its image, x1 y1 x2 y2.
    """

    entry: Entry
    quality: CutoutQuality
    cutout: Cutout | None
    window: Window


def cut_by_masks(image: Image, instances: SceneInstances, source: str, origin: str) -> list[Piece]:
    """The wanted objects of an image, cut out by their masks; without a mask, not cut out."""
    if instances.masks is None:
        return [_uncut(instances, int(k), source, origin) for k in np.flatnonzero(instances.wanted)]
    decoded = [mask.to_array()[0] for mask in instances.masks]
    found = [(k, mask, window_of(mask)) for k, mask in enumerate(decoded)]
    there = [(k, mask, window) for k, mask, window in found if window is not None]
    hidden = hidden_by_masks([mask for _, mask, _ in there], [window for *_, window in there])
    shares = {k: float(share) for (k, *_), share in zip(there, hidden, strict=True)}
    return [
        _piece(image, mask, instances, k, shares[k], source, origin)
        if window is not None
        else _uncut(instances, k, source, origin)
        for k, mask, window in found
        if instances.wanted[k]
    ]


def cut_by_boxes(image: Image, instances: SceneInstances, source: str, origin: str) -> list[Piece]:
    """The wanted objects of an image, cut out by masks estimated from their boxes."""
    from snellen.objects.cutouts.grabcut import mask_in_box

    hidden = hidden_by_boxes(instances.boxes)
    pieces = []
    for k in map(int, np.flatnonzero(instances.wanted)):
        mask = mask_in_box(image, instances.boxes[k])
        pieces.append(
            _piece(image, mask, instances, k, float(hidden[k]), source, origin)
            if mask.any()
            else _uncut(instances, k, source, origin)
        )
    return pieces


def _piece(
    image: Image,
    mask: Bools,
    instances: SceneInstances,
    k: int,
    hidden: float,
    source: str,
    origin: str,
) -> Piece:
    own, fragments, window = _trim(mask)
    x1, y1, x2, y2 = window
    quality = CutoutQuality(
        touches_border(window, (mask.shape[0], mask.shape[1])),
        fragments,
        round(hole_share(own), 4),
        round(hidden, 4),
        round(sharpness(image[y1:y2, x1:x2], own), 4),
        round(float(own.mean()), 4),
        round(_contrast(image, own, window), 4),
        round(float(iou([window], [instances.boxes[k]])[0, 0]), 4),
    )
    cutout = cut_out(image[y1:y2, x1:x2], own, instances.labels[k], source)
    return Piece(entry_of(cutout, origin, _score(instances, k)), quality, cutout, window)


def _trim(mask: Bools) -> tuple[Bools, int, Window]:
    """A mask without specks, cropped; the number of its parts; and its window in the image."""
    outer = window_of(mask)
    assert outer is not None
    x1, y1, x2, y2 = outer
    whole, fragments = without_specks(mask[y1:y2, x1:x2])
    inner = window_of(whole)
    assert inner is not None
    own = whole[inner[1] : inner[3], inner[0] : inner[2]]
    return own, fragments, (x1 + inner[0], y1 + inner[1], x1 + inner[2], y1 + inner[3])


def _contrast(image: Image, own: Bools, window: Window, margin: int = 4) -> float:
    x1, y1, x2, y2 = window
    left, top = min(margin, x1), min(margin, y1)
    right, bottom = min(margin, image.shape[1] - x2), min(margin, image.shape[0] - y2)
    wide = np.pad(own, ((top, bottom), (left, right)))
    return edge_contrast(image[y1 - top : y2 + bottom, x1 - left : x2 + right], wide)


def _uncut(instances: SceneInstances, k: int, source: str, origin: str) -> Piece:
    x1, y1, x2, y2 = (round(float(value)) for value in instances.boxes[k])
    label, score = instances.labels[k], _score(instances, k)
    entry = Entry("", label, x2 - x1, y2 - y1, 0, 0, source, origin, score)
    return Piece(entry, NO_QUALITY, None, (x1, y1, x2, y2))


def _score(instances: SceneInstances, k: int) -> float | None:
    return None if instances.scores is None else round(float(instances.scores[k]), 4)
