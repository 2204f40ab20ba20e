"""Features of small patches around one object, in the image and in the LiDAR's range image.

They are for `realism.frechet_distance`. An object has many patches, so that a few dozen objects
suffice for a covariance. Patches extend beyond the object, where halos, wrong shadows and returns
through it appear.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Window = tuple[float, float, float, float]

GROWN = 0.25
"""The margin around the object, as a share of its sides, on each side."""
SIDE, PATCH = 64, 16
ORIENTATIONS = 8

AZIMUTH, ELEVATION = np.radians(0.2), np.radians(0.42)
"""The cells of the range image, close to an HDL-64E's resolution."""
CELLS = 6
MARGIN = np.radians(1.5)
JUMP = 0.03
"""Least relative change of range between cells that is an edge."""

IMAGE_FEATURES = ORIENTATIONS + 7
RANGE_FEATURES = 9


def image_patches(image: npt.NDArray[np.uint8], box: Window) -> Floats:
    """(16, 15) features of the 16 x 16 patches of an object, its box enlarged, resized to 64 x 64.

    image: H x W x 3 uint8 RGB. box: x1 y1 x2 y2 in pixels. Of each patch: mean and standard
    deviation of R, G, B (0 to 1), shares of gradient in eight unsigned directions, and the root of
    the mean gradient. (0, 15) if a side of the box has less than 4 pixels in the image.
    """
    import cv2

    crop = _crop(image, box)
    if min(crop.shape[:2]) < 4:
        return np.zeros((0, IMAGE_FEATURES))
    scale = cv2.INTER_AREA if min(crop.shape[:2]) >= SIDE else cv2.INTER_LINEAR
    small = cv2.resize(crop, (SIDE, SIDE), interpolation=scale).astype(np.float64) / 255
    colours = _tiles(small)
    grey = small @ np.array([0.299, 0.587, 0.114])
    down, across = np.gradient(grey)
    strength = _tiles(np.hypot(down, across)[..., None])[..., 0]
    angle = _tiles(np.mod(np.arctan2(down, across), np.pi)[..., None])[..., 0]
    bins = np.minimum((angle / np.pi * ORIENTATIONS).astype(np.int64), ORIENTATIONS - 1)
    votes = np.stack([(strength * (bins == k)).sum(axis=1) for k in range(ORIENTATIONS)], axis=1)
    total = votes.sum(axis=1, keepdims=True)
    shares = votes / np.where(total > 0, total, 1.0)
    mean = np.sqrt(strength.mean(axis=1, keepdims=True))
    return np.hstack([colours.mean(axis=1), colours.std(axis=1), shares, mean])


def range_patches(points: npt.NDArray[np.floating[Any]], things: npt.ArrayLike) -> Floats:
    """(P, 9) features of the patches of 6 x 6 cells of the range image around one object.

    points: (N, 4) the whole sweep, x y z in metres and intensity. things: (M, 3) or more columns,
    the object's returns, or the corners of its box. Of each patch: share of cells with a return;
    standard deviation of log range; share of edges between neighbours across, and down; mean
    roughness across outside edges; mean log of the returns per filled cell; share of cells with a
    return more than 1 m behind another; mean and standard deviation of intensity. The distance of
    the object is no feature.
    """
    cells = _cells(points, things)
    if cells is None:
        return np.zeros((0, RANGE_FEATURES))
    near, behind, counts, strength = cells
    rows, columns = near.shape
    found = [
        _patch(*(grid[i : i + CELLS, j : j + CELLS] for grid in (near, behind, counts, strength)))
        for i in range(0, rows - CELLS + 1, CELLS)
        for j in range(0, columns - CELLS + 1, CELLS)
        if counts[i : i + CELLS, j : j + CELLS].any()
    ]
    return np.array(found).reshape(-1, RANGE_FEATURES)


def _crop(image: npt.NDArray[np.uint8], box: Window) -> npt.NDArray[np.uint8]:
    x1, y1, x2, y2 = box
    wider, higher = GROWN * (x2 - x1), GROWN * (y2 - y1)
    height, width = image.shape[:2]
    left, right = np.clip(np.rint([x1 - wider, x2 + wider]), 0, width).astype(int)
    top, bottom = np.clip(np.rint([y1 - higher, y2 + higher]), 0, height).astype(int)
    return np.ascontiguousarray(image[top:bottom, left:right])


def _tiles(picture: Floats) -> Floats:
    """(16, 256, C) the pixels of each patch."""
    count = SIDE // PATCH
    tiles = picture.reshape(count, PATCH, count, PATCH, -1).transpose(0, 2, 1, 3, 4)
    return tiles.reshape(count * count, PATCH * PATCH, -1)


def _cells(
    points: npt.NDArray[np.floating[Any]], things: npt.ArrayLike
) -> tuple[Floats, Floats, Floats, Floats] | None:
    """The range image around an object: nearest range, depth behind it, count and intensity."""
    sought = np.asarray(things, dtype=np.float64)
    if not len(sought):
        return None
    around, up, _ = _angles(sought[:, :3])
    middle = np.angle(np.exp(1j * around).mean())
    turned = np.angle(np.exp(1j * (around - middle)))
    left, low = turned.min() - MARGIN, up.min() - MARGIN
    columns = int((turned.max() + MARGIN - left) / AZIMUTH) // CELLS * CELLS + CELLS
    rows = int((up.max() + MARGIN - low) / ELEVATION) // CELLS * CELLS + CELLS
    azimuth, elevation, ranges = _angles(points[:, :3])
    across = np.floor((np.angle(np.exp(1j * (azimuth - middle))) - left) / AZIMUTH)
    down = np.floor((elevation - low) / ELEVATION)
    inside = (across >= 0) & (across < columns) & (down >= 0) & (down < rows)
    place = (down[inside] * columns + across[inside]).astype(np.int64)
    return _gathered(place, ranges[inside], points[inside, 3], (rows, columns))


def _gathered(
    place: npt.NDArray[np.int64],
    ranges: Floats,
    intensity: npt.NDArray[np.floating[Any]],
    shape: tuple[int, int],
) -> tuple[Floats, Floats, Floats, Floats]:
    size = shape[0] * shape[1]
    counts = np.bincount(place, minlength=size).astype(np.float64)
    near, far = np.full(size, np.inf), np.zeros(size)
    np.minimum.at(near, place, ranges)
    np.maximum.at(far, place, ranges)
    empty = counts == 0
    near[empty] = far[empty] = np.nan
    strength = np.bincount(place, weights=intensity, minlength=size) / np.maximum(counts, 1)
    near, behind = near.reshape(shape), (far - near).reshape(shape)
    return near, behind, counts.reshape(shape), strength.reshape(shape)


def _patch(near: Floats, behind: Floats, counts: Floats, strength: Floats) -> list[float]:
    filled = counts > 0
    logs = np.log(near)
    across, down = np.diff(logs, axis=1), np.diff(logs, axis=0)
    smooth = np.abs(across[np.abs(across) <= JUMP])
    return [
        float(filled.mean()),
        float(logs[filled].std()),
        _share(np.abs(across) > JUMP, np.isfinite(across)),
        _share(np.abs(down) > JUMP, np.isfinite(down)),
        float(smooth.mean()) if smooth.size else 0.0,
        float(np.log(counts[filled]).mean()),
        float((behind[filled] > 1.0).mean()),
        float(strength[filled].mean()),
        float(strength[filled].std()),
    ]


def _share(flags: npt.NDArray[np.bool_], among: npt.NDArray[np.bool_]) -> float:
    return float(flags[among].mean()) if among.any() else 0.0


def _angles(places: npt.NDArray[np.floating[Any]]) -> tuple[Floats, Floats, Floats]:
    """Azimuth and elevation in radians, and range in metres."""
    x, y, z = np.asarray(places, dtype=np.float64).T
    ranges = np.sqrt(x * x + y * y + z * z)
    return np.arctan2(y, x), np.arcsin(z / np.maximum(ranges, 1e-9)), ranges
