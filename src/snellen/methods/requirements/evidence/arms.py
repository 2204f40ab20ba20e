"""Two sets of cases on the same scenes: the baseline and the changed ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.methods.requirements.evidence.run_evidence import CLEAN, RunEvidence
from snellen.vision.arrays import F64, Bools, Ints

MINIMAL = 0.2
"""Preservation is measured against images changed by no more than this."""


@dataclass(frozen=True, eq=False)
class Arms:
    """Cases before and after, of scenes that have both.

    scene: (N,) of each case. before, after: (N,) which cases belong to each; some may be in both.
    scenes: how many scenes the evidence has.
    """

    scene: Ints
    before: Bools
    after: Bools
    scenes: int

    def by_scene(self, counts: Ints, arm: Bools) -> F64:
        """(scenes, K) the mean over the cases of each scene of counts, (N, K).

        Scenes have equal weight in both arms, however many of their cases are in a range, so that a
        subject whose answers do not change loses exactly 0.
        """
        scene, cases = self.scene[arm], np.maximum(self.cases(arm), 1)
        sums = [np.bincount(scene, column, self.scenes) for column in counts[arm].T]
        return np.asarray(np.stack(sums, axis=1) / cases[:, None])

    def cases(self, arm: Bools) -> Ints:
        """(scenes,) how many cases of each scene are in an arm."""
        return np.bincount(self.scene[arm], minlength=self.scenes)


def arms(
    evidence: RunEvidence, transformation: str, low: float, high: float, minimal: float = MINIMAL
) -> Arms:
    """Cases with low < visual change <= high, and their baseline for the evidence's kind.

    Correctness compares with unchanged scenes. Preservation compares cases changed by no more than
    `minimal` with those changed by more, so that no case is compared with itself; up to `minimal`
    nothing is demanded. low < 0 includes 0.
    """
    if evidence.kind == "correctness":
        before = np.asarray(evidence.transformation == CLEAN)
    else:
        before = evidence.chosen(transformation, -1.0, minimal)
        low = low if high <= minimal else max(low, minimal)
    after = evidence.chosen(transformation, low, high)
    scenes = evidence.scenes
    both = _has(evidence, before, scenes) & _has(evidence, after, scenes)
    used = both[evidence.scene] if scenes else np.zeros(0, dtype=bool)
    return Arms(evidence.scene, before & used, after & used, scenes)


def _has(evidence: RunEvidence, chosen: Bools, scenes: int) -> Bools:
    return np.bincount(evidence.scene[chosen], minlength=scenes) > 0
