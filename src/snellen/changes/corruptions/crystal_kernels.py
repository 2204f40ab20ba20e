"""Compiled growth of ice crystals: each pixel belongs to the crystal that reaches it first."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F32, F64
from snellen.vision.compilation import compiled


@compiled
def grow_crystals(light: F32, crystals: F64, noise: F32) -> None:
    """Set `light`, (H, W), to the lightness of the crystal that each pixel belongs to.

    crystals: (N, 8): x, y of the root, direction, length, largest width, angle between needles and
    stem in radians, lightness, and time of birth. noise: (S, S) of -1 to 1, S a power of two, the
    texture of the needles. Pixels that no crystal reaches do not change.
    """
    height, width = light.shape
    reached = np.full((height, width), np.inf, np.float32)
    for i in range(crystals.shape[0]):
        x, y, direction, length = crystals[i, :4]
        reach, slant = crystals[i, 4], crystals[i, 5]
        longer, back = 1 / np.sin(slant), 1 / np.tan(slant)
        ux, uy = np.cos(direction), np.sin(direction)
        wide, far = 1.1 * reach / longer, length + 1.1 * reach * np.cos(slant)
        top, bottom = _span(y, uy, ux, far, wide)
        for row in range(max(top, 0), min(bottom, height)):
            dy = row - y
            left, right = _across(dy, ux, uy, far, wide)
            first, last = max(int(x + left), 0), min(int(x + right) + 2, width)
            for column in range(first, last):
                dx = column - x
                along, across = dx * ux + dy * uy, dy * ux - dx * uy
                out, foot = abs(across) * longer, along - abs(across) * back
                tall = _envelope(foot / length) * reach
                time = crystals[i, 7] + foot + 1.6 * out
                if out > 1.1 * tall or time >= reached[row, column]:
                    continue
                place = 37.0 * i + (17.0 if across > 0 else 0.0)
                if out > tall * (0.75 + 0.35 * _smooth(noise, foot / 2.3, place)):
                    continue
                reached[row, column] = time
                own = crystals[i, 6] + (0.18 if across > 0 else -0.18)
                own += 0.7 * np.exp(-abs(across) / 1.3) + 0.35 * (out / max(tall, 1.0) - 0.5)
                light[row, column] = own + _needles(noise, foot, out, place)


@compiled
def _span(root: float, ahead: float, aside: float, far: float, wide: float) -> tuple[int, int]:
    """First row and last row + 1 of a strip that starts at a root, `wide` to both sides."""
    tip, half = root + far * ahead, wide * abs(aside)
    return int(min(root, tip) - half), int(max(root, tip) + half) + 2


@compiled
def _across(dy: float, ux: float, uy: float, far: float, wide: float) -> tuple[float, float]:
    """First and last column, relative to the root, of the strip in the row `dy` below the root."""
    left, right = -far - wide, far + wide
    if abs(ux) > 1e-6:
        ends = -dy * uy / ux, (far - dy * uy) / ux
        left, right = max(left, min(ends)), min(right, max(ends))
    if abs(uy) > 1e-6:
        ends = (dy * ux - wide) / uy, (dy * ux + wide) / uy
        left, right = max(left, min(ends)), min(right, max(ends))
    return left, right


@compiled
def _envelope(share: float) -> float:
    """Length of the needles at a share of the stem, relative to the longest; negative for none."""
    if share < 0 or share >= 1:
        return -1.0
    left = np.sqrt(1 - share)
    return float(min(1.0, 5 * share + 0.15) * left * np.sqrt(left))


@compiled
def _needles(noise: F32, foot: float, out: float, place: float) -> float:
    """Lightness of the needle that leaves the stem at `foot`, `out` pixels along the needle."""
    fine = _smooth(noise, foot / 1.6, place + out / 14)
    coarse = _smooth(noise, foot / 5.5 + 90, place + out / 45)
    return 0.55 * (1 - 2 * abs(fine)) + 0.5 * coarse


@compiled
def _smooth(noise: F32, x: float, y: float) -> float:
    """The periodic noise, interpolated bilinearly."""
    side = noise.shape[0]
    x0, y0 = int(np.floor(x)), int(np.floor(y))
    fx, fy = x - x0, y - y0
    x1, y1 = (x0 + 1) & (side - 1), (y0 + 1) & (side - 1)
    x0, y0 = x0 & (side - 1), y0 & (side - 1)
    above = noise[y0, x0] + fx * (noise[y0, x1] - noise[y0, x0])
    below = noise[y1, x0] + fx * (noise[y1, x1] - noise[y1, x0])
    return float(above + fy * (below - above))
