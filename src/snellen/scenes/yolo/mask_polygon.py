"""A mask's outline as one polygon along the edges of its pixels.

Each loop of the outline keeps the mask on its right. Further components and holes are joined to the
first loop by a seam, traversed in both directions, which encloses no area: filled by the even-odd
rule, as in COCO's rasteriser, the polygon gives exactly the same pixels.
"""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F64, Bools

Corner = tuple[int, int]


def mask_polygon(mask: Bools) -> F64:
    """(K, 2) vertices x, y in pixels of one polygon around all pixels of an H x W mask.

    >>> mask_polygon(np.array([[False, True], [False, True]])).tolist()
    [[1.0, 0.0], [2.0, 0.0], [2.0, 2.0], [1.0, 2.0]]
    """
    first, *others = [_straight(loop) for loop in _loops(_edges(mask))] or [[]]
    polygon = list(first)
    for loop in others:
        polygon += [first[0], *loop, loop[0]]
    return np.array(polygon, dtype=np.float64).reshape(-1, 2)


def _edges(mask: Bools) -> dict[Corner, list[Corner]]:
    """The edges between mask and background by start corner, with the mask on the right."""
    padded = np.pad(np.asarray(mask, dtype=np.int8), 1)
    down = np.diff(padded, axis=0)[:, 1:-1]
    across = np.diff(padded, axis=1)[1:-1]
    edges: dict[Corner, list[Corner]] = {}
    for y, x in np.argwhere(down).tolist():
        ends = ((x, y), (x + 1, y))
        start, end = ends if down[y, x] > 0 else ends[::-1]
        edges.setdefault(start, []).append(end)
    for y, x in np.argwhere(across).tolist():
        ends = ((x, y), (x, y + 1))
        start, end = ends if across[y, x] < 0 else ends[::-1]
        edges.setdefault(start, []).append(end)
    return edges


def _loops(edges: dict[Corner, list[Corner]]) -> list[list[Corner]]:
    loops = []
    while edges:
        start = here = next(iter(edges))
        loop = []
        while True:
            loop.append(here)
            ends = edges[here]
            here, before = ends.pop(), here
            if not ends:
                del edges[before]
            if here == start:
                break
        loops.append(loop)
    return loops


def _straight(loop: list[Corner]) -> list[Corner]:
    """The loop without its collinear corners."""
    corners = np.array(loop)
    before, after = np.roll(corners, 1, axis=0), np.roll(corners, -1, axis=0)
    turns = (np.sign(corners - before) != np.sign(after - corners)).any(axis=1)
    return [loop[index] for index in np.flatnonzero(turns)]
