"""The ground points of a sweep."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from threading import Lock
from typing import Any

import numpy as np

from snellen.errors import MissingExtraError
from snellen.vision.arrays import Bools, Floating
from snellen.vision.compilation import read_only

SENSOR_HEIGHT = 1.73
NEAREST, FARTHEST = 2.7, 80.0
STDOUT = 1

_stdout_lock = Lock()


def ground_mask(points: Floating, height_above_ground: float = SENSOR_HEIGHT) -> Bools:
    """(N,) whether each of the points (N, 4) lies on the ground, by Patchwork++.

    points: x forward, y left, z up in metres in the LiDAR frame, and intensity.
    height_above_ground: of the LiDAR, metres. Points nearer than 2.7 m or beyond 80 m never count.
    Each call uses a new estimator, so that the result depends neither on earlier sweeps nor on the
    order of the points.
    """
    from snellen.vision.lidar.ground_kernels import ground_candidates

    estimator = _new_estimator(height_above_ground)
    mask = np.zeros(len(points), dtype=bool)
    cloud = read_only(np.asarray(points, dtype=np.float32))
    rows, places = ground_candidates(cloud, height_above_ground, NEAREST, FARTHEST)
    if len(rows):
        estimator.estimateGround(places.T)
        mask[rows[estimator.getGroundIndices()]] = True
    return mask


def ground_library() -> Any:
    """The library that finds the ground, or an error that names the extra that brings it."""
    try:
        return import_module("pypatchworkpp")
    except ImportError:
        raise MissingExtraError("Finding the ground in a sweep", "fusion") from None


def _new_estimator(height: float) -> Any:
    pypatchworkpp = ground_library()
    parameters = pypatchworkpp.Parameters()
    parameters.sensor_height = height
    parameters.verbose = False
    parameters.min_range, parameters.max_range = NEAREST, FARTHEST
    parameters.enable_RNR = False  # `ground_candidates` has done that
    with _silent_stdout():
        return pypatchworkpp.patchworkpp(parameters)


@contextmanager
def _silent_stdout() -> Iterator[None]:
    """Suppress the library's greeting, which no option turns off, in machine-readable output."""
    with _stdout_lock:
        try:
            original = os.dup(STDOUT)
        except OSError:  # no standard output
            yield
            return
        nowhere = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(nowhere, STDOUT)
            yield
        finally:
            os.dup2(original, STDOUT)
            os.close(original)
            os.close(nowhere)
