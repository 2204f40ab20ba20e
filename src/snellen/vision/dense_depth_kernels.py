"""Compiled loops that spread the depth of LiDAR points over the pixels between them."""

from __future__ import annotations

from typing import Any

import numpy as np

from snellen.vision.compiled import compiled

Array = Any

SKY = 200
LEANING = 120
UNLIKE, UNLIKE_SKY, BRIGHT = 110, 70, 150
NONE = np.int64(2**63 - 1)


@compiled
def in_view(points: Array, matrix: Array, height: int, width: int) -> Any:
    """Rows (K,) of the points (N, 3 or more) in the picture, and their u, v and depth (K,)."""
    rows = np.empty(len(points), dtype=np.int64)
    seen = np.empty((3, len(points)), dtype=np.float32)
    count = 0
    for i in range(len(points)):
        x, y, z = points[i, 0], points[i, 1], points[i, 2]
        depth = matrix[2, 0] * x + matrix[2, 1] * y + matrix[2, 2] * z + matrix[2, 3]
        if not depth > 0:
            continue
        u = (matrix[0, 0] * x + matrix[0, 1] * y + matrix[0, 2] * z + matrix[0, 3]) / depth
        v = (matrix[1, 0] * x + matrix[1, 1] * y + matrix[1, 2] * z + matrix[1, 3]) / depth
        if -0.49 < u < width - 0.51 and -0.49 < v < height - 0.51:
            rows[count] = i
            seen[0, count], seen[1, count], seen[2, count] = u, v, depth
            count += 1
    return rows[:count], seen[0, :count].copy(), seen[1, :count].copy(), seen[2, :count].copy()


@compiled
def nearest_depths(u: Array, v: Array, depth: Array, height: int, width: int) -> Array:
    """(H, W) the nearest depth of the points that fall on each pixel, inf where none does."""
    nearest = np.full((height, width), np.inf, dtype=np.float32)
    for i in range(len(u)):
        row, column = int(v[i] + 0.5), int(u[i] + 0.5)
        nearest[row, column] = min(nearest[row, column], depth[i])
    return nearest


@compiled
def seen_points(
    u: Array,
    v: Array,
    depth: Array,
    asked: Array,
    nearest: Array,
    reach: Array,
    gap: float,
    share: float,
) -> Array:
    """(N,) whether a point is asked for (N,) and the camera sees it.

    The LiDAR looks past things that stand in the camera's way. A point counts as hidden where
    points nearer by more than gap metres + share of its depth lie within reach (rows, columns) on
    opposite sides of it.
    """
    height, width = nearest.shape
    down, across = reach[0] + 1, reach[1] + 1
    coarse = np.full((height // down + 3, width // across + 3), np.float32(np.inf))
    for i in range(len(u)):
        row, column = int(v[i] + 0.5) // down + 1, int(u[i] + 0.5) // across + 1
        coarse[row, column] = min(coarse[row, column], depth[i])
    seen = asked.copy()
    for i in range(len(u)):
        if not asked[i]:
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
        seen[i] = not (left and right and above and below)
    return seen


@compiled
def far_from_standing(u: Array, v: Array, standing: Array, reach: Array, shape: Any) -> Array:
    """(N,) the points that lie farther from any that stands than both can reach, or nearly so."""
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
def spread(
    u: Array, v: Array, seen: Array, plain: Array, image: Array, reach: Array, scale: Array
) -> Array:
    """(H, W) the index of the point that each pixel most likely shares its surface with, or -1.

    The best of the seen points (N,) has the least sum of squared distances in rows, columns and
    colour, each over its scale. reach: rows and columns within which a point is asked. Of plain
    points (N,) the colour is not asked. Pixels of quite another colour are left out, bright ones
    sooner: they may be sky, of which no point tells.
    A pixel's best is kept as one number, the cost's bits before the index: to keep the lesser of
    two takes no branch, and branches that can't be foreseen are what this would spend its time on.
    """
    height, width = image.shape[:2]
    best = np.full((height, width), NONE)
    by_row, by_column = np.float32(1 / scale[0] ** 2), np.float32(1 / scale[1] ** 2)
    by_colour = np.float32(1 / scale[2] ** 2)
    for i in range(len(u)):
        if not seen[i]:
            continue
        row, column = int(v[i] + 0.5), int(u[i] + 0.5)
        left, right = max(column - reach[1], 0), min(column + reach[1] + 1, width)
        red = np.int32(image[row, column, 0])
        green = np.int32(image[row, column, 1])
        blue = np.int32(image[row, column, 2])
        for r in range(max(row - reach[0], 0), min(row + reach[0] + 1, height)):
            down = np.float32(r) - v[i]
            across = down * down * by_row
            for c in range(left, right):
                aside = np.float32(c) - u[i]
                away = across + aside * aside * by_column
                if plain[i]:
                    best[r, c] = min(best[r, c], ranked(away, i))
                    continue
                dr = np.int32(image[r, c, 0]) - red
                dg = np.int32(image[r, c, 1]) - green
                db = np.int32(image[r, c, 2]) - blue
                tint = dr * dr + dg * dg + db * db
                cost = away + np.float32(tint) * by_colour
                bright = min(image[r, c, 1], image[r, c, 2]) >= BRIGHT
                limit = UNLIKE_SKY * UNLIKE_SKY if bright else UNLIKE * UNLIKE
                key = ranked(cost, i) if tint < limit else NONE
                best[r, c] = min(best[r, c], key)
    return pointed(best)


@compiled
def ranked(cost: Any, i: int) -> Any:
    """One number that sorts by a cost of 0 or more, float32, then by index."""
    return (np.int64(np.float32(cost).view(np.int32)) << 32) | i


@compiled
def pointed(best: Array) -> Array:
    """(H, W) int32 the index in what `ranked` made, -1 where there is none."""
    height, width = best.shape
    winner = np.empty((height, width), dtype=np.int32)
    for r in range(height):
        for c in range(width):
            winner[r, c] = -1 if best[r, c] == NONE else np.int32(best[r, c] & 0x7FFFFFFF)
    return winner


@compiled
def grow_upwards(winner: Array, tall: Array, image: Array, step: int, drift: int) -> None:
    """Carries tall points up the picture, above the highest beam.

    A pixel above all points of its column takes the point of one of the three pixels below it, the
    most alike in colour, if that differs by less than `step`, and from where the growth began by
    less than `drift`. Pixels as bright as the sky are left out.
    """
    height, width = winner.shape
    none, top = np.int32(height), np.full(width, np.int32(height))
    for r in range(height):
        for c in range(width):
            top[c] = min(top[c], np.int32(r) if winner[r, c] >= 0 else none)
    lowest = min(np.max(top), height - 1) if width else -1
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
                root[now, c + 1] = root[then, chosen]


@compiled
def pixel_depths(winner: Array, depth: Array, stands: Array) -> Any:
    """(H, W) float32 depth of all pixels and of those that show standing things, inf elsewhere."""
    height, width = winner.shape
    every = np.empty((height, width), dtype=np.float32)
    standing = np.empty((height, width), dtype=np.float32)
    for r in range(height):
        for c in range(width):
            i = winner[r, c]
            every[r, c] = depth[i] if i >= 0 else np.float32(np.inf)
            standing[r, c] = depth[i] if i >= 0 and stands[i] else np.float32(np.inf)
    return every, standing
