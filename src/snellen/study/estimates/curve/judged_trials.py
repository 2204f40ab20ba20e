"""Answers as the curve takes them: right or wrong, by whom, about which scene."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.study.estimates.curve.curve_posterior import AnswerCounts
from snellen.vision.arrays import F64, Bools, Ints

STEP = 0.005
"""Visual changes are counted at multiples of this."""


@dataclass(frozen=True, eq=False)
class JudgedTrials:
    """N answers, each array (N,).

    delta_v: visual change. right: whether it is right. chance: of guessing right. person, scene:
    numbers of who answered and of what was shown.
    """

    delta_v: F64
    right: Bools
    chance: F64
    person: Ints
    scene: Ints

    def __len__(self) -> int:
        return len(self.right)

    def chosen(self, rows: Bools) -> JudgedTrials:
        """Some of the answers."""
        return JudgedTrials(
            self.delta_v[rows],
            self.right[rows],
            self.chance[rows],
            self.person[rows],
            self.scene[rows],
        )

    def counts(self) -> AnswerCounts:
        """The answers at each visual change and chance of guessing."""
        place = np.rint(self.delta_v / STEP)
        keys = np.stack([place, self.chance], axis=1)
        levels, row = np.unique(keys, axis=0, return_inverse=True)
        row = row.reshape(-1)
        asked = np.bincount(row, minlength=len(levels)).astype(np.float64)
        right = np.asarray(np.bincount(row, self.right, len(levels)), dtype=np.float64)
        return AnswerCounts(levels[:, 0] * STEP, levels[:, 1], right, asked)
