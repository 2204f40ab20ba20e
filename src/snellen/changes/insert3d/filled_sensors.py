"""The image and the sweep of a frame after silhouettes were filled with background."""

from __future__ import annotations

import numpy as np

from snellen.changes.insert3d.cloud_insertion import merge_returns
from snellen.changes.insert3d.cloud_series import CloudSeries
from snellen.changes.insert3d.silhouettes import PixelSilhouette
from snellen.vision.arrays import Image, Ints, Points
from snellen.vision.lidar.scan import LidarScan


def fill_pixels(image: Image, before: Image, pixels: PixelSilhouette, columns: Ints) -> None:
    """Blend pixels of the same rows of `before` (H, W, 3) into `image`, by a silhouette's alpha.

    columns: (P,) the column that fills each pixel; -1 leaves it as it was.
    """
    filled = columns >= 0
    rows, alpha = pixels.rows[filled], pixels.alpha[filled, None]
    here, there = (rows, pixels.columns[filled]), (rows, columns[filled])
    mixed = image[here] * (1 - alpha) + before[there] * alpha
    image[here] = np.rint(mixed).astype(np.uint8)


def filled_cloud(points: Points, scan: LidarScan, rays: Ints, sources: Ints) -> CloudSeries:
    """The sweep (N, 4) with the returns of rays (Q,) replaced by those of other rays (Q,).

    A ray with source -1 returns as it did. Others return at the range and with the intensity of
    their source, or not at all if that has no return. Every other point is unchanged.
    """
    from snellen.changes.insert3d.cloud_kernels import merge_sources

    removed = np.zeros(scan.size, dtype=np.bool_)
    own = scan.points[rays]
    removed[own[own >= 0]] = True
    sources = np.where(sources >= 0, sources, rays)
    back = scan.points[sources] >= 0
    rays, sources = rays[back], sources[back]
    returns = points[scan.points[sources]]
    turned = rays != sources
    returns[turned, :3] = _turned(scan, rays[turned], sources[turned])
    merged, rows, _ = merge_returns(points, scan.places[rays], removed, returns)
    source = merge_sources(np.arange(scan.size, dtype=np.int32), removed, rows, -1)
    return CloudSeries(merged, source)


def _turned(scan: LidarScan, rays: Ints, sources: Ints) -> Points:
    """(Q, 3) where rays return at the ranges of their sources."""
    where = scan.directions[rays] * scan.reach[sources][:, None]
    where[:, 2] += scan.beams.heights[scan.rings[rays]]
    return where.astype(np.float32)
