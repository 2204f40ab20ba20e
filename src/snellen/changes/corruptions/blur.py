"""Blur by defocus, motion, zoom and frosted glass."""

from __future__ import annotations

import numpy as np

from snellen.changes.corruptions.corruption import Corruption, Settings
from snellen.changes.corruptions.image_mixture import mix
from snellen.changes.corruptions.line_blur import line_blur
from snellen.changes.corruptions.random_fields import normal_field, seeded_generator, uniforms
from snellen.vision.arrays import F64, Image

NEAR, FAR = 3, 4
"""Numbers of small and large zooms of the zoom blur."""


def gaussian_blur(image: Image, settings: Settings, seed: int) -> Image:  # noqa: ARG001
    """Gaussian blur; settings: its standard deviation in pixels."""
    (sigma,) = settings
    return smooth(image, sigma)


def defocus_blur(image: Image, settings: Settings, seed: int) -> Image:  # noqa: ARG001
    """Each point spread over a disc with a soft rim.

    settings: the radius of the disc and the softening of its rim in pixels, and the gain in
    brightness. A fractional radius mixes the images of the two whole radii around it.
    """
    import cv2

    radius, softening, gain = settings
    whole = int(radius)
    soft = cv2.GaussianBlur(image, (3, 3), softening)
    return mix(
        _disc_blur(soft, whole, gain), lambda: _disc_blur(soft, whole + 1, gain), radius - whole
    )


def _disc_blur(image: Image, radius: int, gain: float) -> Image:
    import cv2

    from snellen.changes.corruptions.disc_kernels import disc_means

    half_widths = np.sqrt(radius**2 - np.arange(-radius, radius + 1) ** 2).astype(np.int64)
    padded = cv2.copyMakeBorder(image, radius, radius, radius, radius, cv2.BORDER_REFLECT_101)
    return disc_means(padded, half_widths, gain)


def glass_blur(image: Image, settings: Settings, seed: int) -> Image:
    """Pixels displaced at random, with a Gaussian blur before and after.

    settings: the standard deviations of the blur and of the displacement along each axis, in
    pixels. As strong as in ImageNet-C, without its drift of up to two pixels up and left.
    """
    import cv2

    sigma, spread = settings
    height, width = image.shape[:2]
    rng = seeded_generator(seed, "glass_blur")
    rows, columns = np.indices((height, width), dtype=np.float32)
    columns += spread * normal_field(rng, height, width)
    rows += spread * normal_field(rng, height, width)
    blurred = smooth(image, sigma)
    scattered = cv2.remap(blurred, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return smooth(scattered, sigma)


def motion_blur(image: Image, settings: Settings, seed: int) -> Image:
    """A trail that fades like half a Gaussian, up to 45 degrees off the horizontal.

    settings: half the length of the trail and the standard deviation of the Gaussian, in pixels.
    """
    radius, sigma = settings
    angle = np.pi / 2 * (float(uniforms(seeded_generator(seed, "motion_blur"), 1)[0]) - 0.5)
    return line_blur(image, 2 * radius + 1, sigma, angle)


def zoom_blur(image: Image, settings: Settings, seed: int) -> Image:  # noqa: ARG001
    """The mean of the image and of enlarged copies; settings: the largest zoom.

    There are twelve zooms in geometric progression: the products of three small and four large
    ones, so that five warps suffice.
    """
    import cv2

    (most,) = settings
    step = most ** (1 / (NEAR * FAR - 1))
    near = _zoomed_mean(image, step ** np.arange(NEAR))
    far = _zoomed_mean(near, step ** (NEAR * np.arange(FAR)))
    every = NEAR * FAR
    found: Image = cv2.addWeighted(far, every / (every + 1), image, 1 / (every + 1), 0)
    return found


def _zoomed_mean(image: Image, zooms: F64) -> Image:
    """The mean of an image enlarged about its centre by each zoom; the first zoom is 1."""
    import cv2

    height, width = image.shape[:2]
    middle = ((width - 1) / 2, (height - 1) / 2)
    total = image.astype(np.float32)
    for zoom in zooms[1:]:
        warp = cv2.getRotationMatrix2D(middle, 0, zoom)
        cv2.accumulate(cv2.warpAffine(image, warp, (width, height)), total)
    found: Image = cv2.convertScaleAbs(total, alpha=1 / len(zooms))
    return found


def smooth(image: Image, sigma: float) -> Image:
    """The image under a Gaussian blur of standard deviation `sigma` pixels, at about equal cost.

    A wide blur runs at half or a quarter of the resolution, where it loses no detail that it would
    have kept. Resampling blurs too, which is accounted for.
    """
    import cv2

    shrink = 1 if sigma < 5 else 2 if sigma < 10 else 4
    if shrink == 1:
        return _smooth_directly(image, sigma)
    height, width = image.shape[:2]
    around = shrink * int(np.ceil(4 * sigma / shrink))
    far = (around + -height % shrink, around, around + -width % shrink)
    wide = cv2.copyMakeBorder(image, around, *far, cv2.BORDER_REPLICATE)
    size = (wide.shape[1] // shrink, wide.shape[0] // shrink)
    small = cv2.resize(wide, size, interpolation=cv2.INTER_AREA)
    resampling = (shrink**2 - 1) / 12 + shrink**2 / 6  # variance of the mean and interpolation
    small = _smooth_directly(small, float(np.sqrt(sigma**2 - resampling)) / shrink)
    large: Image = cv2.resize(small, wide.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(large[around : around + height, around : around + width])


def _smooth_directly(image: Image, sigma: float) -> Image:
    import cv2

    side = 2 * max(1, int(4 * sigma + 0.5)) + 1
    found: Image = cv2.GaussianBlur(image, (side, side), sigma, borderType=cv2.BORDER_REPLICATE)
    return found


GAUSSIAN_BLUR = Corruption(
    "gaussian_blur", gaussian_blur, ((0.0,), (1.0,), (2.0,), (3.0,), (4.0,), (6.0,), (12.0,))
)
DEFOCUS_BLUR = Corruption(
    "defocus_blur",
    defocus_blur,
    (
        *((0.0, 0.1, 1.0), (3.0, 0.1, 1.0), (4.0, 0.5, 1.0), (6.0, 0.5, 1.0)),
        # ImageNet-C's discs of these two severities sum to more than one, which brightens images.
        *((8.0, 0.5, 1.013), (10.0, 0.5, 1.0108)),
        (15.0, 0.5, 1.0),
    ),
)
GLASS_BLUR = Corruption(
    "glass_blur",
    glass_blur,
    ((0.0, 0.0), (0.7, 0.7), (0.9, 1.2), (1.0, 2.1), (1.1, 2.8), (1.5, 3.9), (2.5, 8.0)),
)
MOTION_BLUR = Corruption(
    "motion_blur",
    motion_blur,
    ((0.0, 0.0), (10.0, 3.0), (15.0, 5.0), (15.0, 8.0), (15.0, 12.0), (20.0, 15.0), (40.0, 30.0)),
)
ZOOM_BLUR = Corruption(
    "zoom_blur", zoom_blur, ((1.0,), (1.1,), (1.15,), (1.2,), (1.24,), (1.3,), (1.6,))
)
