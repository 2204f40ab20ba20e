"""Cubic smoothing splines whose smoothness is chosen by leave-one-out cross-validation.

The choices follow R's `smooth.spline(cv = TRUE)`, with which ICRAF's thresholds were estimated:
fewer knots than points from 50 points on, the scale of its parameter `spar`, and a search for the
nearest minimum of the criterion, not the lowest one. All splines at the same points share one
decomposition, after which a fit costs two small products.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from snellen.vision.arrays import F64

LEAST = 4
"""The fewest points that can be smoothed."""
SPAR = (-1.5, 1.5)
_REFERENCE = 0.3
_NEGLIGIBLE = 1e-10


def knot_count(points: int) -> int:
    """The number of knots for `points` distinct points: all below 50, then ever fewer.

    >>> knot_count(40), knot_count(89), knot_count(200)
    (40, 59, 100)
    """
    if points < 50:
        return points
    marks, knots = (50, 200, 800, 3200), np.log2((50, 100, 140, 200))
    return int(2 ** np.interp(points, marks, knots) + 1e-9)


class SmoothingSpline:
    """Splines through values at the same places.

    x: (N,) rising, at least 4. weights: (N,) of the squared residuals, 1 by default.
    """

    def __init__(self, x: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> None:
        from scipy.linalg import eigh

        places = np.asarray(x, dtype=np.float64)
        if len(places) < LEAST or np.any(np.diff(places) <= 0):
            raise ValueError(f"needs at least {LEAST} rising places, found {places}")
        self._root = np.sqrt(np.ones(len(places)) if weights is None else np.asarray(weights))
        basis, penalty = _basis((places - places[0]) / (places[-1] - places[0]))
        rows = self._root[:, None] * basis
        gram = rows.T @ rows
        inner = slice(2, len(gram) - 3)
        self._ratio = np.trace(gram[inner, inner]) / np.trace(penalty[inner, inner])
        rough = self.penalty(_REFERENCE) * penalty
        share, vectors = eigh(rough, gram + rough)
        used = 1 - share > _NEGLIGIBLE
        self._rough = np.clip(share[used], 0, 1)
        self._modes = rows @ vectors[:, used]
        self._squares = self._modes**2

    def fitted(self, y: npt.ArrayLike) -> F64:
        """(N,) the spline through `y`, (N,), at the same places, with the best smoothness."""
        from scipy.optimize import fminbound

        values = np.asarray(y, dtype=np.float64)
        scores = (self._root * values) @ self._modes
        with np.errstate(divide="ignore", invalid="ignore"):
            spar = fminbound(lambda one: self._left_out(one, values, scores), *SPAR, xtol=1e-4)
        return self.at(values, float(spar))

    def at(self, y: npt.ArrayLike, spar: float) -> F64:
        """(N,) the spline through `y` with a given smoothness on R's scale."""
        scores = (self._root * np.asarray(y, dtype=np.float64)) @ self._modes
        return np.asarray(self._modes @ (self._shrinkage(spar) * scores) / self._root)

    def penalty(self, spar: float) -> float:
        """The weight of the squared second derivative, places being scaled to [0, 1]."""
        return float(self._ratio * 256 ** (3 * spar - 1))

    def _shrinkage(self, spar: float) -> F64:
        share = self.penalty(spar) / self.penalty(_REFERENCE)
        return np.asarray(1 / (1 - self._rough + share * self._rough))

    def _left_out(self, spar: float, values: F64, scores: F64) -> float:
        """The mean squared error at each point of the spline through the others."""
        shrinkage = self._shrinkage(spar)
        residual = self._root * values - self._modes @ (shrinkage * scores)
        error = float(np.mean((residual / (1 - self._squares @ shrinkage)) ** 2))
        return error if math.isfinite(error) else 1e100


def _basis(x: F64) -> tuple[F64, F64]:
    """(N, K) cubic B-splines at places that go from 0 to 1, and (K, K) their roughness."""
    from scipy.interpolate import BSpline

    count = knot_count(len(x))
    chosen = x[np.floor(np.linspace(0, len(x) - 1, count) + 1e-9).astype(int)]
    knots = np.concatenate([np.zeros(3), chosen, np.ones(3)])
    basis = BSpline.design_matrix(x, knots, 3).toarray()
    half = np.diff(chosen) / 2
    middle = (chosen[1:] + chosen[:-1]) / 2
    at = np.concatenate([middle - half / math.sqrt(3), middle + half / math.sqrt(3)])
    bends = BSpline(knots, np.eye(count + 2), 3)(at, nu=2)
    return basis, bends.T @ (np.concatenate([half, half])[:, None] * bends)
