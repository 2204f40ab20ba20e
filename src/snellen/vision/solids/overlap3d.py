"""How upright 3D boxes overlap, by volume or seen from above.

A box is a row x y z length width height yaw in the LiDAR frame, see `boxes3d`. A box without a
volume (without a footprint, seen from above) overlaps nothing.
"""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F64, Boxes3D


def overlap3d(boxes: Boxes3D, others: Boxes3D) -> F64:
    """Common volume over joint volume of each pair, shape (N, M). boxes: (N, 7), others: (M, 7).

    >>> overlap3d([[0, 0, 0, 4, 2, 2, 0]], [[2, 0, 0, 4, 2, 2, 0]]).round(3).tolist()
    [[0.333]]
    """
    return _table(boxes, others, solid=True)


def overlap_bev(boxes: Boxes3D, others: Boxes3D) -> F64:
    """Common footprint over joint footprint of each pair, shape (N, M): heights do not matter."""
    return _table(boxes, others, solid=False)


def _table(boxes: Boxes3D, others: Boxes3D, *, solid: bool) -> F64:
    from snellen.vision.solids.overlap3d_kernels import all_ratios

    one, other = _checked(boxes), _checked(others)
    out = np.empty((len(one), len(other)))
    all_ratios(one, other, solid, out)
    return out


def _checked(boxes: Boxes3D) -> F64:
    # A copy, as the loops are compiled once for arrays that may be written and once for others.
    return np.array(boxes, dtype=np.float64, order="C").reshape(-1, 7)
