"""Compiled loops that spread the depth of LiDAR points over the pixels between them."""

from __future__ import annotations

from typing import Any

import numpy as np

from snellen.vision.arrays import AnyArray
from snellen.vision.compilation import compiled
from snellen.vision.lidar.dense_depth import REACH_COLUMNS

SKY = 200
LEANING = 120
MOST, MOST_SKY, BRIGHT = np.int32(110**2), np.int32(70**2), 150
NONE = np.int64(2**63 - 1)
ONE, TWO, THREE = np.uint64(1), np.uint64(2), np.uint64(3)


@compiled
def nearest_depths(u: AnyArray, v: AnyArray, depth: AnyArray, height: int, width: int) -> AnyArray:
    """(H, W) the smallest depth of the points on each pixel, inf without points."""
    nearest = np.full((height, width), np.inf, dtype=np.float32)
    for i in range(len(u)):
        row, column = int(v[i] + 0.5), int(u[i] + 0.5)
        nearest[row, column] = min(nearest[row, column], depth[i])
    return nearest


@compiled
def visible_points(
    u: AnyArray,
    v: AnyArray,
    depth: AnyArray,
    candidates: AnyArray,
    nearest: AnyArray,
    reach: AnyArray,
    gap: float,
    share: float,
) -> AnyArray:
    """(N,) whether a point is a candidate (N,) and visible to the camera.

    The LiDAR sees past objects that block the camera. A point counts as hidden if points that are
    nearer by more than gap metres + share of its depth lie within reach (rows, columns) on opposite
    sides of it.
    """
    height, width = nearest.shape
    down, across = reach[0] + 1, reach[1] + 1
    coarse = np.full((height // down + 3, width // across + 3), np.float32(np.inf))
    for i in range(len(u)):
        row, column = int(v[i] + 0.5) // down + 1, int(u[i] + 0.5) // across + 1
        coarse[row, column] = min(coarse[row, column], depth[i])
    visible = candidates.copy()
    for i in range(len(u)):
        if not candidates[i]:
            continue
        row, column = int(v[i] + 0.5), int(u[i] + 0.5)
        limit = np.float32(depth[i] * (1 - share) - gap)
        around = np.float32(np.inf)
        for r in range(row // down, row // down + 3):
            for c in range(column // across, column // across + 3):
                around = min(around, coarse[r, c])
        if around >= limit:
            continue
        left = right = above = below = False
        for r in range(max(row - reach[0], 0), min(row + reach[0] + 1, height)):
            for c in range(max(column - reach[1], 0), min(column + reach[1] + 1, width)):
                if nearest[r, c] < limit:
                    left, right = left or c <= column, right or c >= column
                    above, below = above or r <= row, below or r >= row
            if left and right and above and below:
                break
        visible[i] = not (left and right and above and below)
    return visible


@compiled
def far_from_standing(
    u: AnyArray, v: AnyArray, standing: AnyArray, reach: AnyArray, shape: Any
) -> AnyArray:
    """(N,) whether a point is farther from all standing points than both reach, approximately."""
    down, across = 2 * reach[0], 2 * reach[1] + 2
    coarse = np.zeros((shape[0] // down + 3, shape[1] // across + 3), dtype=np.bool_)
    for i in range(len(u)):
        if standing[i]:
            row, column = int(v[i]) // down, int(u[i]) // across
            coarse[row : row + 3, column : column + 3] = True
    far = np.empty(len(u), dtype=np.bool_)
    for i in range(len(u)):
        far[i] = not coarse[int(v[i]) // down + 1, int(u[i]) // across + 1]
    return far


@compiled
def surface_points(
    u: AnyArray,
    v: AnyArray,
    visible: AnyArray,
    plain: AnyArray,
    image: AnyArray,
    rows: int,
    scale: AnyArray,
) -> AnyArray:
    """(H, W) the index of the point that most likely lies on the same surface as a pixel, or -1.

    The best of the visible points (N,) has the smallest sum of squared distances in rows, columns
    and colour, each divided by its scale. image: (H, W + 2 REACH_COLUMNS, 3), with a border of any
    colour on both sides; rows: the largest distance in rows. The colour of plain points (N,) is
    ignored. Pixels of a very different colour get no point, with a lower limit for bright ones:
    they may be sky, which has no points.
    The best of a pixel is one number, the bits of the cost before the index: taking the minimum
    needs no branch, and mispredicted branches would dominate the run time.
    """
    height, width = image.shape[:2]
    flat, best = image.reshape(height * width * 3), np.full(height * width, NONE)
    by_row, by_column = np.float32(1 / scale[0] ** 2), np.float32(1 / scale[1] ** 2)
    by_colour = np.float32(1 / scale[2] ** 2)
    for i in range(len(u)):
        if not visible[i]:
            continue
        row, left = int(v[i] + 0.5), int(u[i] + 0.5)
        colour = image[row, left + REACH_COLUMNS]
        red, green, blue = np.int32(colour[0]), np.int32(colour[1]), np.int32(colour[2])
        for r in range(max(row - rows, 0), min(row + rows + 1, height)):
            down = np.float32(r) - v[i]
            across = down * down * by_row
            for k in range(
                2 * REACH_COLUMNS + 1
            ):  # the same number for all points runs twice as fast
                aside = np.float32(left + k - REACH_COLUMNS) - u[i]
                cost = across + aside * aside * by_column
                at = np.uint64(r * width + left + k)
                unlike = False
                if not plain[i]:
                    at_green, at_blue = flat[THREE * at + ONE], flat[THREE * at + TWO]
                    dr = np.int32(flat[THREE * at]) - red
                    dg, db = np.int32(at_green) - green, np.int32(at_blue) - blue
                    tint = np.int32(dr * dr + dg * dg + db * db)
                    cost += np.float32(tint) * by_colour
                    most = MOST_SKY if min(at_green, at_blue) >= BRIGHT else MOST
                    unlike = bool(tint >= most)
                key = NONE if unlike else (np.int64(np.float32(cost).view(np.int32)) << 32) | i
                best[at] = min(best[at], key)
    return winner_indices(best.reshape(height, width))


@compiled
def winner_indices(best: AnyArray) -> AnyArray:
    """(H, W) int32 the index stored in each best, without the border; -1 for none."""
    height, width = best.shape[0], best.shape[1] - 2 * REACH_COLUMNS
    winner = np.empty((height, width), dtype=np.int32)
    for r in range(height):
        for c in range(width):
            key = best[r, c + REACH_COLUMNS]
            winner[r, c] = -1 if key == NONE else np.int32(key & 0x7FFFFFFF)
    return winner


@compiled
def grow_upwards(winner: AnyArray, tall: AnyArray, image: AnyArray, step: int, drift: int) -> None:
    """Extend tall points upwards in the image, above the highest beam; in place.

    A pixel above all points of its column takes the point of one of the three pixels below it, the
    most similar in colour, if the colours differ by less than `step`, and from the start of the
    growth by less than `drift`. Pixels as bright as the sky are left out.
    """
    height, width = winner.shape
    none, top = np.int32(height), np.full(width, np.int32(height))
    for r in range(height):
        for c in range(width):
            top[c] = min(top[c], np.int32(r) if winner[r, c] >= 0 else none)
    lowest = -1
    for c in range(width):
        lowest = max(lowest, min(top[c], height - 1))
    live = np.zeros((2, width + 2), dtype=np.bool_)
    root = np.zeros((2, width + 2, 3), dtype=np.int32)
    for r in range(lowest, -1, -1):
        now, then = r % 2, (r + 1) % 2
        for c in range(width):
            live[now, c + 1] = False
            if r >= top[c]:
                if winner[r, c] >= 0 and tall[winner[r, c]]:
                    live[now, c + 1] = True
                    for k in range(3):
                        root[now, c + 1, k] = image[r, c, k]
                continue
            if not (live[then, c] or live[then, c + 1] or live[then, c + 2]):
                continue
            if min(image[r, c, 1], image[r, c, 2]) >= SKY:
                continue
            best, chosen = step * step, 0
            for d in range(c, c + 3):
                if not live[then, d]:
                    continue
                change, far = 0 if d == c + 1 else LEANING, 0
                for k in range(3):
                    own = int(image[r, c, k])
                    change += (own - int(image[r + 1, d - 1, k])) ** 2
                    far += (own - root[then, d, k]) ** 2
                if change < best and far < drift * drift:
                    best, chosen = change, d
            if chosen:
                winner[r, c], live[now, c + 1] = winner[r + 1, chosen - 1], True
                for k in range(3):
                    root[now, c + 1, k] = root[then, chosen, k]


@compiled
def pixel_depths(winner: AnyArray, depth: AnyArray, stands: AnyArray) -> Any:
    """(H, W) float32 depths of all pixels, and of those of standing objects; inf elsewhere."""
    height, width = winner.shape
    every = np.empty((height, width), dtype=np.float32)
    standing = np.empty((height, width), dtype=np.float32)
    for r in range(height):
        for c in range(width):
            i = winner[r, c]
            every[r, c] = depth[i] if i >= 0 else np.float32(np.inf)
            standing[r, c] = depth[i] if i >= 0 and stands[i] else np.float32(np.inf)
    return every, standing


@compiled
def median_filtered(grid: AnyArray) -> AnyArray:
    """(H, W) float32 the median of the 3 x 3 values around each, with the border replicated.

    The columns of three are sorted first: the median is that of the largest minimum, the median of
    the medians and the smallest maximum.
    """
    height, width = grid.shape
    found = np.empty((height, width), dtype=np.float32)
    low = np.empty(width + 2, dtype=np.float32)
    middle, high = np.empty_like(low), np.empty_like(low)
    for r in range(height if width else 0):
        above, here, below = grid[max(r - 1, 0)], grid[r], grid[min(r + 1, height - 1)]
        for c in range(width):
            less, more = min(above[c], here[c]), max(above[c], here[c])
            low[c + 1], high[c + 1] = min(less, below[c]), max(more, below[c])
            middle[c + 1] = max(less, min(more, below[c]))
        for ends in (low, middle, high):
            ends[0], ends[width + 1] = ends[1], ends[width]
        for c in range(width):
            first = max(max(low[c], low[c + 1]), low[c + 2])
            last = min(min(high[c], high[c + 1]), high[c + 2])
            less, more = min(middle[c], middle[c + 1]), max(middle[c], middle[c + 1])
            between = max(less, min(more, middle[c + 2]))
            found[r, c] = max(min(first, last), min(max(first, last), between))
    return found
