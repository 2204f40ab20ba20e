"""Compiled loops over windows of two images.

Windows are separable and symmetric: `taps` are the weights along one axis, odd in number. Each row
of results is completed before the next, so that no plane of moments is stored. Everything is in
float64: variances are small differences of large sums, and flat windows must have variance 0.
"""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F64
from snellen.vision.compilation import compiled

_TINY = 1e-10
_ROWS_PER_LOGARITHM = 16


@compiled
def row_sums(values: F64, taps: F64, out: F64) -> None:
    """Fill out[x] with the weighted sum of the values from x on; out is shorter by taps - 1."""
    count = out.size
    last = taps.size - 1
    half = last // 2
    weight = taps[half]
    middle = values[half : half + count]
    for x in range(count):
        out[x] = weight * middle[x]
    for tap in range(half):
        weight = taps[tap]
        left = values[tap : tap + count]
        right = values[last - tap : last - tap + count]
        for x in range(count):
            out[x] += weight * (left[x] + right[x])


@compiled
def column_sums(first: F64, second: F64, taps: F64, y: int, out: F64) -> None:
    """Fill out (3, W) with weighted sums down the columns from row y on.

    out[0]: of the second image; out[1]: of its square; out[2]: of the product of both.
    """
    last = taps.size - 1
    half = last // 2
    mean, square, product = out[0], out[1], out[2]
    weight = taps[half]
    a, b = first[y + half], second[y + half]
    for x in range(b.size):
        mean[x] = weight * b[x]
        square[x] = weight * (b[x] * b[x])
        product[x] = weight * (a[x] * b[x])
    for tap in range(half):
        weight = taps[tap]
        a, b = first[y + tap], second[y + tap]
        c, d = first[y + last - tap], second[y + last - tap]
        for x in range(b.size):
            mean[x] += weight * (b[x] + d[x])
            square[x] += weight * (b[x] * b[x] + d[x] * d[x])
            product[x] += weight * (a[x] * b[x] + c[x] * d[x])


@compiled
def moments(image: F64, taps: F64, mean: F64, variance: F64) -> None:
    """Fill mean and variance, each smaller than the image by taps - 1 on both axes."""
    sums = np.empty((3, image.shape[1]))
    square = np.empty(mean.shape[1])
    for y in range(mean.shape[0]):
        column_sums(image, image, taps, y, sums)
        row_sums(sums[0], taps, mean[y])
        row_sums(sums[1], taps, square)
        for x in range(square.size):
            variance[y, x] = max(square[x] - mean[y, x] * mean[y, x], 0.0)


@compiled
def downsampled(image: F64, taps: F64, out: F64) -> None:
    """Fill out with every second pixel, down and across, of the weighted means of the image."""
    last = taps.size - 1
    half = last // 2
    sums = np.empty(image.shape[1])
    means = np.empty(image.shape[1] - last)
    for row in range(out.shape[0]):
        y = 2 * row
        middle = image[y + half]
        for x in range(sums.size):
            sums[x] = taps[half] * middle[x]
        for tap in range(half):
            weight = taps[tap]
            above, below = image[y + tap], image[y + last - tap]
            for x in range(sums.size):
                sums[x] += weight * (above[x] + below[x])
        row_sums(sums, taps, means)
        for x in range(out.shape[1]):
            out[row, x] = means[2 * x]


@compiled
def log_sum(products: F64) -> float:
    """The sum of the logarithms of the products, which are reset to 1."""
    total = 0.0
    for x in range(products.size):
        total += np.log(products[x])
        products[x] = 1.0
    return total


@compiled
def total_information(variance: F64, noise: float) -> float:
    """The sum of ln(1 + variance / noise): the visual information of the reference."""
    products = np.ones(variance.shape[1])
    total = 0.0
    for y in range(variance.shape[0]):
        for x in range(products.size):
            seen = variance[y, x]
            products[x] *= 1.0 + (seen / noise if seen >= _TINY else 0.0)
        if y % _ROWS_PER_LOGARITHM == 0:
            total += log_sum(products)
    return total + log_sum(products)


@compiled
def preserved_information(
    reference: F64, mean: F64, variance: F64, image: F64, taps: F64, noise: float
) -> float:
    """The sum of ln(1 + g^2 variance / (s + noise)): the information preserved in the image.

    mean, variance: moments of the reference. g and s: gain and residual variance of the image as a
    linear function of the reference within a window. Products of a few terms share one logarithm;
    16 terms of at most 1e15 are far from overflow.
    """
    sums = np.empty((3, image.shape[1]))
    rows = np.empty((3, mean.shape[1]))
    products = np.ones(mean.shape[1])
    total = 0.0
    for y in range(mean.shape[0]):
        column_sums(reference, image, taps, y, sums)
        for moment in range(3):
            row_sums(sums[moment], taps, rows[moment])
        own, square, product = rows[0], rows[1], rows[2]
        for x in range(products.size):
            before = variance[y, x]
            after = square[x] - own[x] * own[x]
            shared = product[x] - own[x] * mean[y, x]
            gain = shared / (before + _TINY)
            rest = max(after - gain * shared, _TINY)
            ratio = gain * gain * before / (rest + noise)
            related = (before >= _TINY) & (after >= _TINY) & (gain >= 0)
            products[x] *= 1.0 + (ratio if related else 0.0)
        if y % _ROWS_PER_LOGARITHM == 0:
            total += log_sum(products)
    return total + log_sum(products)


@compiled
def mean_ssim(
    reference: F64,
    mean: F64,
    variance: F64,
    image: F64,
    taps: F64,
    constants: tuple[float, float],
) -> float:
    """The mean over all windows of SSIM's product of luminance and structure terms."""
    sums = np.empty((3, image.shape[1]))
    rows = np.empty((3, mean.shape[1]))
    light, contrast = constants
    total = 0.0
    for y in range(mean.shape[0]):
        column_sums(reference, image, taps, y, sums)
        for moment in range(3):
            row_sums(sums[moment], taps, rows[moment])
        own, square, product = rows[0], rows[1], rows[2]
        for x in range(own.size):
            m = mean[y, x]
            after = square[x] - own[x] * own[x]
            shared = product[x] - own[x] * m
            upper = (2 * m * own[x] + light) * (2 * shared + contrast)
            lower = (m * m + own[x] * own[x] + light) * (variance[y, x] + after + contrast)
            total += upper / lower
    return total / mean.size
