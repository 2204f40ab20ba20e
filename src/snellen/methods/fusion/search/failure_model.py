"""What a place and a mesh promise: a linear model of failing, learnt while one frame is searched.

It starts from what geometry was worth on streets and real frames and moves with each answer. Of a
frame only a dozen or two questions are asked, so the model is small, and its doubt counts: what is
little known is tried early.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from snellen.methods.fusion.search.difficulty import FEATURES
from snellen.vision.arrays import F64

USUAL = 0.3
"""The share of insertions that fail where nothing is known."""
PRIOR = {"beside": 0.1, "hiding": 0.4, "near": 0.35, "edge": 0.2, "oblique": 0.1}
"""What features add to it, after fits to three systems on streets and KITTI; the others nothing."""
DOUBT = (0.05, 0.05, 0.1)
"""Variances of that: of the usual share, of a feature's worth, of a kind of mesh's."""
NOISE = 0.15
"""Variance of one outcome beside what the model says."""
CURIOSITY = 0.5
"""Standard deviations of doubt that are added to a promise."""


@dataclass(eq=False)
class FailureModel:
    """The model of one frame. kinds: of the meshes that can be inserted.

    precision: (D, D) and pull: (D,) of the weights' normal distribution, in the order of a row of
    `_rows`: the usual share, FEATURES, kinds.
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
        """(C,) how likely each candidate fails, and more for each that is in doubt.

        features: (C, F) from `strains`. kinds: of the C meshes.
        """
        rows = self._rows(features, kinds)
        spread = np.linalg.inv(self.precision)
        doubt = np.sqrt(np.einsum("ci,ij,cj->c", rows, spread, rows))
        return np.asarray(rows @ spread @ self.pull + CURIOSITY * doubt)

    def learn(self, features: F64, kind: str, outcome: float) -> None:
        """Take in what one insertion led to. features: (F,). outcome: 1 for a failure, else 0."""
        [row] = self._rows(features[None], [kind])
        self.precision += np.outer(row, row) / NOISE
        self.pull += row * outcome / NOISE

    def _rows(self, features: F64, kinds: Sequence[str]) -> F64:
        """(C, D) rows of the linear model."""
        which = np.array([[kind == one for one in self.kinds] for kind in kinds], dtype=np.float64)
        return np.concatenate([np.ones((len(features), 1)), features, which], axis=1)
