"""Cutting the objects of one scene out of its image, each with its quality."""

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
    """An object of a scene: its cut-out, or None if it could not be cut, and where it was.

    window: the place of the cut-out in its image, x1 y1 x2 y2.
    """

    entry: Entry
    quality: CutoutQuality
    cutout: Cutout | None
    window: Window


def cut_by_masks(image: Image, seen: SceneInstances, source: str, origin: str) -> list[Piece]:
    """The wanted objects of an image, cut along their masks; those without one are not cut."""
    if seen.masks is None:
        return [_uncut(seen, int(k), source, origin) for k in np.flatnonzero(seen.wanted)]
    decoded = [mask.to_array()[0] for mask in seen.masks]
    found = [(k, mask, window_of(mask)) for k, mask in enumerate(decoded)]
    there = [(k, mask, window) for k, mask, window in found if window is not None]
    hidden = hidden_by_masks([mask for _, mask, _ in there], [window for *_, window in there])
    shares = {k: float(share) for (k, *_), share in zip(there, hidden, strict=True)}
    return [
        _piece(image, mask, seen, k, shares[k], source, origin)
        if window is not None
        else _uncut(seen, k, source, origin)
        for k, mask, window in found
        if seen.wanted[k]
    ]


def cut_by_boxes(image: Image, seen: SceneInstances, source: str, origin: str) -> list[Piece]:
    """The wanted objects of an image, cut along outlines that are sought within their boxes."""
    from snellen.objects.cutouts.grabcut import mask_in_box

    hidden = hidden_by_boxes(seen.boxes)
    pieces = []
    for k in map(int, np.flatnonzero(seen.wanted)):
        mask = mask_in_box(image, seen.boxes[k])
        pieces.append(
            _piece(image, mask, seen, k, float(hidden[k]), source, origin)
            if mask.any()
            else _uncut(seen, k, source, origin)
        )
    return pieces


def _piece(
    image: Image,
    mask: Bools,
    seen: SceneInstances,
    k: int,
    hidden: float,
    source: str,
    origin: str,
) -> Piece:
    own, fragments, window = _trimmed(mask)
    x1, y1, x2, y2 = window
    quality = CutoutQuality(
        touches_border(window, (mask.shape[0], mask.shape[1])),
        fragments,
        round(hole_share(own), 4),
        round(hidden, 4),
        round(sharpness(image[y1:y2, x1:x2], own), 4),
        round(float(own.mean()), 4),
        round(_contrast(image, own, window), 4),
        round(float(iou([window], [seen.boxes[k]])[0, 0]), 4),
    )
    cutout = cut_out(image[y1:y2, x1:x2], own, seen.labels[k], source)
    return Piece(entry_of(cutout, origin, _score(seen, k)), quality, cutout, window)


def _trimmed(mask: Bools) -> tuple[Bools, int, Window]:
    """A mask without specks, cropped to its pixels; its parts; and its window in the image."""
    outer = window_of(mask)
    assert outer is not None
    x1, y1, x2, y2 = outer
    whole, fragments = without_specks(mask[y1:y2, x1:x2])
    inner = window_of(whole)
    assert inner is not None
    own = whole[inner[1] : inner[3], inner[0] : inner[2]]
    return own, fragments, (x1 + inner[0], y1 + inner[1], x1 + inner[2], y1 + inner[3])


def _contrast(image: Image, own: Bools, window: Window, room: int = 4) -> float:
    x1, y1, x2, y2 = window
    left, top = min(room, x1), min(room, y1)
    right, bottom = min(room, image.shape[1] - x2), min(room, image.shape[0] - y2)
    wide = np.pad(own, ((top, bottom), (left, right)))
    return edge_contrast(image[y1 - top : y2 + bottom, x1 - left : x2 + right], wide)


def _uncut(seen: SceneInstances, k: int, source: str, origin: str) -> Piece:
    x1, y1, x2, y2 = (round(float(value)) for value in seen.boxes[k])
    entry = Entry("", seen.labels[k], x2 - x1, y2 - y1, 0, 0, source, origin, _score(seen, k))
    return Piece(entry, NO_QUALITY, None, (x1, y1, x2, y2))


def _score(seen: SceneInstances, k: int) -> float | None:
    return None if seen.scores is None else round(float(seen.scores[k]), 4)
