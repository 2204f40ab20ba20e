"""Cutting the objects of one scene out of its image, each with its quality."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from snellen.objects.alpha import Boolean, Window, cut_out, window_of
from snellen.objects.cutout import Cutout, Pixels
from snellen.objects.library import Entry, entry_of
from snellen.objects.occlusion import hidden_by_boxes, hidden_by_masks
from snellen.objects.quality import (
    edge_contrast,
    hole_share,
    sharpness,
    touches_border,
    without_specks,
)
from snellen.objects.record import Quality
from snellen.objects.sightings import Sightings

NO_QUALITY = Quality(False, 0, 0.0, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Piece:
    """An object of a scene: its cut-out, or None if it could not be cut, and where it was.

    window: the place of the cut-out in its image, x1 y1 x2 y2.
    """

    entry: Entry
    quality: Quality
    cutout: Cutout | None
    window: Window


def cut_by_masks(image: Pixels, seen: Sightings, source: str, origin: str) -> list[Piece]:
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


def cut_by_boxes(image: Pixels, seen: Sightings, source: str, origin: str) -> list[Piece]:
    """The wanted objects of an image, cut along outlines that are sought within their boxes."""
    hidden = hidden_by_boxes(seen.boxes)
    return [
        _piece(image, mask, seen, k, float(hidden[k]), source, origin)
        if mask.any()
        else _uncut(seen, k, source, origin)
        for k, mask in _sought(image, seen)
    ]


def _sought(image: Pixels, seen: Sightings) -> Iterator[tuple[int, Boolean]]:
    from snellen.objects.grabcut import mask_in_box

    for k in np.flatnonzero(seen.wanted):
        others = np.delete(seen.boxes, k, axis=0)
        yield int(k), mask_in_box(image, seen.boxes[k], others)


def _piece(
    image: Pixels, mask: Boolean, seen: Sightings, k: int, hidden: float, source: str, origin: str
) -> Piece:
    mask, fragments = without_specks(mask)
    window = window_of(mask)
    assert window is not None
    x1, y1, x2, y2 = window
    own, pixels = mask[y1:y2, x1:x2], image[y1:y2, x1:x2]
    wide = np.s_[max(0, y1 - 4) : y2 + 4, max(0, x1 - 4) : x2 + 4]
    quality = Quality(
        touches_border(window, (mask.shape[0], mask.shape[1])),
        fragments,
        round(hole_share(own), 4),
        round(hidden, 4),
        round(sharpness(pixels, own), 4),
        round(float(own.mean()), 4),
        round(edge_contrast(image[wide], mask[wide]), 4),
    )
    cutout = cut_out(image, mask, seen.labels[k], source)
    return Piece(entry_of(cutout, origin, _score(seen, k)), quality, cutout, window)


def _uncut(seen: Sightings, k: int, source: str, origin: str) -> Piece:
    x1, y1, x2, y2 = (round(float(value)) for value in seen.boxes[k])
    entry = Entry("", seen.labels[k], x2 - x1, y2 - y1, 0, 0, source, origin, _score(seen, k))
    return Piece(entry, NO_QUALITY, None, (x1, y1, x2, y2))


def _score(seen: Sightings, k: int) -> float | None:
    return None if seen.scores is None else round(float(seen.scores[k]), 4)
