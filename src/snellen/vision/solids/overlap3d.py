"""Overlap of upright 3D boxes, by volume or in bird's-eye view.

A box is a row x y z length width height yaw in the LiDAR frame, see `boxes3d`. A box of zero volume
(zero footprint in bird's-eye view) overlaps nothing.
"""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F64, Boxes3D


def overlap3d(boxes: Boxes3D, others: Boxes3D) -> F64:
    """3D IoU of each pair, shape (N, M). boxes: (N, 7), others: (M, 7).

    >>> overlap3d([[0, 0, 0, 4, 2, 2, 0]], [[2, 0, 0, 4, 2, 2, 0]]).round(3).tolist()
    [[0.333]]
    """
    return _table(boxes, others, solid=True)


def overlap_bev(boxes: Boxes3D, others: Boxes3D) -> F64:
    """Bird's-eye-view IoU of each pair, shape (N, M): heights are ignored."""
    return _table(boxes, others, solid=False)


def _table(boxes: Boxes3D, others: Boxes3D, *, solid: bool) -> F64:
    from snellen.vision.solids.overlap3d_kernels import all_ratios

    one, other = _checked(boxes), _checked(others)
    out = np.empty((len(one), len(other)))
    all_ratios(one, other, solid, out)
    return out


def _checked(boxes: Boxes3D) -> F64:
    # A copy: numba compiles loops separately for writable and read-only arrays.
    return np.array(boxes, dtype=np.float64, order="C").reshape(-1, 7)
