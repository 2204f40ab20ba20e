"""Beam models of well-known sensors, from their data sheets."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from snellen.errors import UserError, nearest
from snellen.vision.lidar.beams import BeamModel


def hdl_64e() -> BeamModel:
    """Velodyne HDL-64E at 10 turns per second.

    The upper 32 lasers are 1/3 degree apart from +2 down, the lower 32 half a degree from -8.83
    down. The data sheet locates the two blocks, not the lasers: heights are those observed in
    KITTI's frames, 0.20 m and 0.12 m above the origin.
    """
    upper, lower = 2 - np.arange(32) / 3, -8.83 - np.arange(32) / 2
    heights = np.repeat([0.20, 0.12], 32)
    return _sensor(np.concatenate([upper, lower]), heights, 2083, (0.9, 120.0))


def hdl_32e() -> BeamModel:
    """Velodyne HDL-32E at 10 turns per second: 32 lasers 4/3 degree apart, +10.67 to -30.67."""
    return _sensor(np.linspace(32, -92, 32) / 3, np.zeros(32), 2170, (1.0, 100.0))


def os1_64() -> BeamModel:
    """Ouster OS1-64 with 1,024 columns per turn: 64 lasers evenly from +22.5 to -22.5."""
    return _sensor(np.linspace(22.5, -22.5, 64), np.zeros(64), 1024, (0.5, 120.0))


PRESETS: dict[str, Callable[[], BeamModel]] = {
    "HDL-64E": hdl_64e,
    "HDL-32E": hdl_32e,
    "OS1-64": os1_64,
}


def preset(name: str) -> BeamModel:
    """The beam model of a sensor by name.

    >>> len(preset("HDL-32E").elevations)
    32
    """
    if name not in PRESETS:
        raise UserError(f"unknown sensor '{name}'{nearest(name, PRESETS)}.")
    return PRESETS[name]()


def _sensor(
    degrees: np.ndarray[tuple[int], np.dtype[np.float64]],
    heights: np.ndarray[tuple[int], np.dtype[np.float64]],
    columns: int,
    reach: tuple[float, float],
) -> BeamModel:
    step = 2 * math.pi / columns
    return BeamModel(np.radians(degrees), heights, step, np.zeros(len(degrees)), *reach)
