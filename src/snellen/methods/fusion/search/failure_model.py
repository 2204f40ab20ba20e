"""A linear model of failure by place and mesh, learnt while one frame is searched.

It starts from weights fitted on synthetic streets and real frames and is updated with each answer.
A frame gets only a dozen or two questions, so the model is small, and its uncertainty counts:
little-known candidates are tried early.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from snellen.methods.fusion.search.difficulty import FEATURES
from snellen.vision.arrays import F64

USUAL = 0.3
"""The prior share of failing insertions."""
PRIOR = {"beside": 0.1, "hiding": 0.4, "near": 0.35, "edge": 0.2, "oblique": 0.1}
"""Prior weights of features, fitted to three systems on streets and KITTI; 0 for the rest."""
DOUBT = (0.05, 0.05, 0.1)
"""Prior variances: of the share, of a feature's weight, of a mesh kind's weight."""
NOISE = 0.15
"""Residual variance of one outcome."""
CURIOSITY = 0.5
"""Standard deviations added to a prediction (upper confidence bound)."""


@dataclass(eq=False)
class FailureModel:
    """The model of one frame. kinds: of the meshes that can be inserted.

    precision: (D, D) and pull: (D,) of the weights' normal distribution, in the order of a row of
    `_rows`: intercept, FEATURES, kinds.
    """

    kinds: tuple[str, ...]
    precision: F64 = field(init=False)
    pull: F64 = field(init=False)

    def __post_init__(self) -> None:
        usual, feature, kind = DOUBT
        worth = [PRIOR.get(name, 0.0) for name in FEATURES]
        doubt = np.array([usual, *[feature] * len(worth), *[kind] * len(self.kinds)])
        self.precision = np.diag(1 / doubt)
        self.pull = np.array([USUAL, *worth, *[0.0] * len(self.kinds)]) / doubt

    def of(self, features: F64, kinds: Sequence[str]) -> F64:
        """(C,) the upper confidence bound of each candidate's failure probability.

        features: (C, F) from `difficulty_features`. kinds: of the C meshes.
        """
        rows = self._rows(features, kinds)
        spread = np.linalg.inv(self.precision)
        doubt = np.sqrt(np.einsum("ci,ij,cj->c", rows, spread, rows))
        return np.asarray(rows @ spread @ self.pull + CURIOSITY * doubt)

    def learn(self, features: F64, kind: str, outcome: float) -> None:
        """Update with the outcome of one insertion: 1 for a failure, else 0. features: (F,)."""
        [row] = self._rows(features[None], [kind])
        self.precision += np.outer(row, row) / NOISE
        self.pull += row * outcome / NOISE

    def _rows(self, features: F64, kinds: Sequence[str]) -> F64:
        """(C, D) rows of the linear model."""
        which = np.array([[kind == one for one in self.kinds] for kind in kinds], dtype=np.float64)
        return np.concatenate([np.ones((len(features), 1)), features, which], axis=1)
