"""Comparison with the maintained library of ImageNet-C's corruptions, at its five severities."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import njit

from snellen.changes.corruptions.registry import corruption
from snellen.scenes.pictures import read_picture
from snellen.vision.arrays import Image
from tests.changes.corruptions.photographs import photograph, spectrum

published = pytest.importorskip(
    "imagecorruptions", reason="imagecorruptions-imaug is not installed; see the Makefile"
)

# Theirs is compiled by each process, which takes longer than the rest of these tests.
glass = published.corruptions
glass._shuffle_pixels_njit_glass_blur = njit(cache=True)(
    glass._shuffle_pixels_njit_glass_blur.py_func
)

Floats = np.ndarray[Any, np.dtype[np.float64]]


@pytest.mark.parametrize(
    "name",
    ["brightness", "contrast", "saturate", "pixelate", "jpeg_compression", "defocus_blur"],
)
def test_what_has_no_chance_in_it_is_within_2_grey_levels(
    name: str, shared: Callable[[str], Path]
) -> None:
    files = sorted(shared("coco_val64/images").glob("*.jpg"))[:24:8]
    real = [np.ascontiguousarray(read_picture(file)[:243, :321]) for file in files]
    worse = corruption(name)
    for image in [photograph(1, 131, 97), *real]:
        for severity in range(1, 6):
            case = worse.at_severity(image, severity)
            theirs = published.corrupt(image, severity, name)
            assert np.abs(case.astype(int) - theirs).max() <= 2, severity


def summed_up(cases: list[Image]) -> tuple[float, float, Floats]:
    """Mean, standard deviation and spectrum of images, each the mean over all."""
    return (
        float(np.mean([case.mean() for case in cases])),
        float(np.mean([case.std() for case in cases])),
        np.mean([spectrum(case) for case in cases], axis=0),
    )


# Tolerances: of the mean in grey levels (half a level because they truncate and we round), of the
# standard deviation as a share, and of the power in any octave as a power of ten.
TOLERANCES = {
    "gaussian_noise": (0.8, 0.01, 0.03),
    "shot_noise": (0.8, 0.01, 0.03),
    "impulse_noise": (0.4, 0.01, 0.03),
    "speckle_noise": (0.8, 0.01, 0.03),
    "glass_blur": (1.3, 0.03, 0.25),
    "motion_blur": (1.0, 0.02, 0.32),
    "zoom_blur": (1.0, 0.03, 0.15),
    "elastic_transform": (1.0, 0.02, 0.05),
    "snow": (3.0, 0.03, 0.1),
    "spatter": (1.5, 0.03, 0.1),
    "fog": (10.0, 0.08, 0.1),
    "frost": (18.0, 0.15, 0.3),
}


@pytest.mark.parametrize("name", TOLERANCES)
@pytest.mark.parametrize("severity", [1, pytest.param(3, marks=pytest.mark.thorough), 5])
def test_random_ones_are_alike_in_mean_variance_and_spectrum(name: str, severity: int) -> None:
    shape = (480, 640) if name == "frost" else (240, 320)  # theirs is of one size at any resolution
    images = [photograph(seed, *shape) for seed in range(3)]
    worse = corruption(name)
    np.random.seed(severity)  # noqa: NPY002 - the only way to seed theirs
    ours, theirs = [], []
    for seed in range({"fog": 36, "frost": 18}.get(name, 6)):
        image = images[seed % 3]
        ours.append(worse.at_severity(image, severity, seed))
        theirs.append(published.corrupt(image, severity, name))
    mean, deviation, power = summed_up(ours)
    their_mean, their_deviation, their_power = summed_up(theirs)
    off, share, octave = TOLERANCES[name]
    assert abs(mean - their_mean) < off
    assert deviation == pytest.approx(their_deviation, rel=share)
    assert np.abs(np.log10(power / their_power)).max() < octave
