"""Compiled loops of the wavelet VIF: sums over square windows, and information of blocks."""

from __future__ import annotations

import math

import numpy as np

from snellen.vision.arrays import F32, F64
from snellen.vision.compilation import compiled

_TINY = 1e-15


@compiled
def window_sums(first: F32, second: F32, window: int, start: int, step: int, out: F64) -> None:
    """Fill out (3, R, C) with sums over windows centred at start, start + step, ...

    out[0]: of the second image; out[1]: of its square; out[2]: of the product of both.
    """
    half = window // 2
    rows, columns = out.shape[1], out.shape[2]
    width = second.shape[1]
    sums = np.zeros((3, width))
    done = start - half
    for row in range(rows):
        top = start + row * step - half
        for y in range(max(top - step, start - half), top):
            _add_row(first[y], second[y], -1.0, sums)
        for y in range(done, top + window):
            _add_row(first[y], second[y], 1.0, sums)
        done = top + window
        for which in range(3):
            line = sums[which]
            total = 0.0
            for x in range(start - half, start - half + window):
                total += line[x]
            out[which, row, 0] = total
            for column in range(1, columns):
                left = start + column * step - half
                for x in range(left - step, left):
                    total += line[x + window] - line[x]
                out[which, row, column] = total


@compiled
def _add_row(a: F32, b: F32, sign: float, sums: F64) -> None:
    plain, square, product = sums[0], sums[1], sums[2]
    for x in range(b.size):
        value = np.float64(b[x])
        signed = sign * value
        plain[x] += signed
        square[x] += signed * value
        product[x] += signed * np.float64(a[x])


@compiled
def block_products(band: F32, side: int, height: int, width: int, out: F64) -> None:
    """Fill out (N, N) with sums of products of the N = side^2 places of all blocks of that side.

    Only the first `height` rows and `width` columns count. Places that are equally far apart share
    all products but those near the borders.
    """
    last_row, last_column = height - side, width - side
    lines = np.zeros((side, width))
    for y in range(side - 1):
        lines[y] = band[y, :width]
    out[:] = 0.0
    for y in range(height):
        if y + side - 1 < height:
            lines[(y + side - 1) % side] = band[y + side - 1, :width]
        a = lines[y % side]
        for down in range(min(side, height - y)):
            b = lines[(y + down) % side]
            for across in range(1 - side if down else 0, side):
                inner = np.dot(
                    a[side - 1 : last_column + 1], b[side - 1 + across : last_column + 1 + across]
                )
                for left in range(max(0, -across), side - max(0, across)):
                    total = inner
                    for x in range(left, side - 1):
                        total += a[x] * b[x + across]
                    for x in range(last_column + 1, left + last_column + 1):
                        total += a[x] * b[x + across]
                    for top in range(max(0, y - last_row), min(y, side - 1 - down) + 1):
                        place = top * side + left
                        other = (top + down) * side + left + across
                        out[place, other] += total
    for place in range(out.shape[0]):
        for other in range(place):
            out[place, other] = out[other, place]


@compiled
def block_forms(band: F32, matrix: F64, out: F64) -> None:
    """Fill out (R, C) with x' M x of every 3 x 3 block x, row by row; matrix: (9, 9) symmetric."""
    columns = out.shape[1]
    places = np.empty((9, columns))
    for row in range(out.shape[0]):
        total = out[row]
        for place in range(9):
            line = band[3 * row + place // 3]
            own = places[place]
            for column in range(columns):
                own[column] = line[3 * column + place % 3]
        for column in range(columns):
            total[column] = 0.0
        for place in range(9):
            own = places[place]
            for other in range(place + 1):
                weight = matrix[place, other] * (1.0 if other == place else 2.0)
                also = places[other]
                for column in range(columns):
                    total[column] += weight * own[column] * also[column]


@compiled
def kept_information(
    scale: F64, means: F64, squares: F64, sums: F64, window: int, eigenvalues: F64, noise: float
) -> float:
    """The information that a distorted band keeps, in nats, over all blocks.

    scale: (R, C) the field s^2 of the reference. means, squares: (R, C) its sums over windows, the
    latter less the mean's. sums: (3, R, C) of `window_sums`. eigenvalues: (9,) of its covariance.
    """
    count = float(window * window)
    total = 0.0
    for row in range(scale.shape[0]):
        for column in range(scale.shape[1]):
            mean = sums[0, row, column]
            own = squares[row, column]
            other = max(sums[1, row, column] - mean * mean / count, 0.0)
            shared = sums[2, row, column] - means[row, column] * mean / count
            gain, rest = _channel(own, other, shared, count)
            power = gain * gain * scale[row, column] / (rest + noise)
            product = 1.0
            for value in eigenvalues:
                product *= 1.0 + power * value
            total += math.log(product)
    return total


@compiled
def _channel(own: float, other: float, shared: float, count: float) -> tuple[float, float]:
    """Gain and noise variance of the channel between two windows, from sums of squares."""
    if own < _TINY:
        return 0.0, max(other / count, _TINY)
    if other < _TINY:
        return 0.0, _TINY
    gain = shared / (own + _TINY)
    if gain < 0:
        return 0.0, max(other / count, _TINY)
    return gain, max((other - gain * shared) / count, _TINY)


@compiled
def whole_information(scale: F64, eigenvalues: F64, noise: float) -> float:
    """The information of the reference's band, in nats, over all blocks."""
    total = 0.0
    for row in range(scale.shape[0]):
        for column in range(scale.shape[1]):
            product = 1.0
            for value in eigenvalues:
                product *= 1.0 + scale[row, column] * value / noise
            total += math.log(product)
    return total
