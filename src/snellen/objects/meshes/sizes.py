"""Sizes of object classes in KITTI, and random sizes drawn from them.

Means and standard deviations over KITTI's training labels: for Car, Pedestrian and Cyclist from the
configuration of MonoFlex (Zhang et al., CVPR 2021); for Van and Truck the means from Frustum
PointNets (Qi et al., CVPR 2018). The deviations of these two are our choice, as we found none
published.
"""

from __future__ import annotations

import numpy as np

Size = tuple[float, float, float]

KITTI: dict[str, tuple[Size, Size]] = {
    "Car": ((3.884, 1.629, 1.526), (0.426, 0.102, 0.137)),
    "Van": ((5.068, 1.901, 2.205), (0.45, 0.11, 0.16)),
    "Truck": ((10.136, 2.585, 3.252), (1.2, 0.08, 0.2)),
    "Pedestrian": ((0.842, 0.660, 1.761), (0.235, 0.143, 0.113)),
    "Cyclist": ((1.764, 0.597, 1.737), (0.177, 0.124, 0.095)),
}

KINDS: dict[str, tuple[str, Size]] = {
    "sedan": ("Car", (1.1, 0.8, -0.5)),
    "hatchback": ("Car", (0.0, 0.2, -0.2)),
    "suv": ("Car", (1.1, 1.6, 1.1)),
    "van": ("Van", (0.2, 0.3, 0.2)),
    "lorry": ("Truck", (-1.2, -0.4, 0.2)),
    "bus": ("Truck", (1.0, -0.4, -0.4)),
    "motorcyclist": ("Cyclist", (1.6, 1.2, -0.9)),
    "cyclist": ("Cyclist", (0.0, 0.0, 0.0)),
    "pedestrian": ("Pedestrian", (-0.3, -0.6, 0.0)),
}
"""The KITTI class of each kind, and its mean size relative to the class, in standard deviations."""

NARROWED = 0.4
"""Standard deviation of a kind as a share of that of its class."""


def random_size(kind: str, rng: np.random.Generator) -> Size:
    """Length, width and height in metres of a mesh of this kind.

    A kind varies less than its class: its standard deviation is 0.4 of that of the class, and it is
    clipped at two standard deviations.
    """
    label, shift = KINDS[kind]
    mean, spread = (np.asarray(values) for values in KITTI[label])
    noise = np.clip(rng.normal(size=3), -2.0, 2.0) * NARROWED
    length, width, height = mean + spread * (np.asarray(shift) + noise)
    return float(length), float(width), float(height)
