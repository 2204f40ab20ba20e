"""Reads the classes in a generated image, even if its objects overlap."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import Bools, Bytes, Image, UInts32

# Interiors have a saturation of 217 of 255, and a value of 160 to 170 or of 228 to 242.
LEAST = 0, 193, 148
MOST = 179, 241, 252
DARK = 100
HUES = 180  # OpenCV's circle.
WIDEST = 5.0  # Maximum deviation of a hue.
ENOUGH = 3  # Minimum number of pixels whose eight neighbours have the same class.
SIDES = 3
LIKENESS = 0.2  # The grain of an interior leaves a smaller share of pixels of any one colour.
NONE = 255
COLOURED = 40  # Difference between channels; generated scenes and white stay below.
EDGES = (np.s_[0], np.s_[-1], np.s_[:, 0], np.s_[:, -1])


def read_labels(image: Image, classes: int) -> Bools:
    """Which classes are present, shape (C,), by the colours of the interiors.

    Dark rings separate interiors, so that hues mix over at most two pixels; thinner regions are
    ignored. A class's colour outside all rings belongs to the background.

    >>> from snellen.scenes.synthetic.generator import synthetic_scenes
    >>> scene = synthetic_scenes()[0]
    >>> np.flatnonzero(read_labels(scene.pixels(), 6)).tolist()
    [0, 1]
    >>> sorted(set(scene.annotations.labels.tolist()))
    [0, 1]
    """
    import cv2

    plane = _nearest_classes(image, classes)
    _clear_background(plane, image)
    around = np.ones((3, 3), np.uint8)
    alike = cv2.erode(plane, around) == cv2.dilate(plane, around)
    counts = np.bincount(plane[alike], minlength=NONE + 1)[:classes]
    return np.asarray(counts >= ENOUGH)


def _nearest_classes(image: Image, classes: int) -> Bytes:
    """The class of each pixel's colour, or NONE; H x W."""
    import cv2

    colours = cv2.cvtColor(image, cv2.COLOR_RGB2HSV)
    turns = np.arange(HUES) * classes / HUES
    nearest = np.rint(turns)
    off = np.abs(turns - nearest) * HUES / classes
    table = np.full(256, NONE, dtype=np.uint8)
    table[:HUES] = np.where(off <= min(WIDEST, 0.4 * HUES / classes), nearest % classes, NONE)
    plane = cv2.LUT(np.ascontiguousarray(colours[..., 0]), table)
    plane[cv2.inRange(colours, LEAST, MOST) == 0] = NONE
    return np.asarray(plane)


def _clear_background(plane: Bytes, image: Image) -> None:
    """Set a coloured background to NONE: light, connected, and not an interior.

    It touches three sides of the image or, if objects enclose it, has the colours of the border.
    """
    import cv2

    edge = np.concatenate([image[cut] for cut in EDGES])
    if np.ptp(edge, axis=1).max() < COLOURED:
        return
    light = (image.max(axis=2) >= DARK).astype(np.uint8)
    count, pieces = cv2.connectedComponents(light, connectivity=4)
    sides = np.array([np.isin(range(count), pieces[cut]) for cut in EDGES]).sum(axis=0)
    alike = np.bincount(pieces.ravel(), np.isin(_shades(image), _shades(edge)).ravel(), count)
    outside = (sides >= SIDES) | (alike > LIKENESS * np.bincount(pieces.ravel(), minlength=count))
    plane[outside[pieces]] = NONE


def _shades(image: Image) -> UInts32:
    """One number per pixel that encodes its colour."""
    red, green, blue = np.moveaxis(image.astype(np.uint32), -1, 0)
    return np.asarray(red << 16 | green << 8 | blue)
