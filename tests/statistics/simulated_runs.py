"""Simulated runs with a known truth, whose cases are correlated within a scene."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F64


def clustered(
    rng: np.random.Generator, runs: int, scenes: int, rate: float, likeness: float
) -> tuple[F64, F64]:
    """Failing cases and cases, each (runs, scenes), of beta-binomial scenes of 3 to 15 cases.

    likeness: the correlation of two cases of one scene; 0 for independent cases.
    """
    cases = rng.integers(3, 16, (runs, scenes))
    own = scene_rates(rng, (runs, scenes), rate, likeness)
    return rng.binomial(cases, own).astype(float), cases.astype(float)


def scene_rates(
    rng: np.random.Generator, shape: tuple[int, int], rate: float, likeness: float
) -> F64:
    if likeness == 0:
        return np.full(shape, rate)
    scale = (1 - likeness) / likeness
    return rng.beta(rate * scale, (1 - rate) * scale, shape)
