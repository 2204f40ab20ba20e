"""Losses over visual change on the same scenes at every level.

The cases of a scene, ordered by visual change, are its levels: the first case of every scene makes
up the first level, and so on. A point of the curve differs from the next by the change alone, not
by the scenes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from snellen.methods.requirements.evidence.arms import Arms
from snellen.methods.requirements.evidence.run_evidence import CLEAN, RunEvidence
from snellen.vision.arrays import Bools, Ints


@dataclass(frozen=True, eq=False)
class ChangeLevel:
    """One case of each of the same scenes, and the same scenes unchanged.

    low, high, at: the smallest, the largest and the mean visual change.
    """

    low: float
    high: float
    at: float
    arms: Arms

    @property
    def cases(self) -> int:
        """How many cases there are: as many as scenes."""
        return int(self.arms.after.sum())


def change_levels(evidence: RunEvidence, transformation: str) -> Iterator[ChangeLevel]:
    """The levels of a transformation, by rising visual change, on scenes that have all of them."""
    chosen = np.asarray(evidence.transformation == transformation)
    clean = np.asarray(evidence.transformation == CLEAN)
    ranks = ranks_in_scenes(evidence, chosen)
    kept = complete_scenes(evidence, chosen, clean)
    for rank in range(int(ranks[chosen & kept].max(initial=-1)) + 1):
        after = chosen & kept & (ranks == rank)
        changes = evidence.delta_v[after]
        both = Arms(evidence.scene, clean & kept, after, evidence.scenes)
        yield ChangeLevel(
            float(changes.min()), float(changes.max()), round(float(changes.mean()), 4), both
        )


def ranks_in_scenes(evidence: RunEvidence, chosen: Bools) -> Ints:
    """(N,) the place of each chosen case among those of its scene, by visual change; -1 else."""
    ranks = np.full(len(evidence.scene), -1)
    order = np.flatnonzero(chosen)
    order = order[np.lexsort((evidence.delta_v[order], evidence.scene[order]))]
    scene = evidence.scene[order]
    ranks[order] = np.arange(len(order)) - np.searchsorted(scene, scene)
    return ranks


def complete_scenes(evidence: RunEvidence, chosen: Bools, clean: Bools) -> Bools:
    """(N,) cases of the scenes that were asked unchanged and have the usual number of changes.

    The usual number is the most frequent one; with a budget some scenes have fewer.
    """
    counts = np.bincount(evidence.scene[chosen], minlength=evidence.scenes)
    if not counts.any():
        return np.zeros(len(chosen), dtype=bool)
    usual = int(np.bincount(counts[counts > 0]).argmax())
    known = np.bincount(evidence.scene[clean], minlength=evidence.scenes) > 0
    return np.asarray(((counts == usual) & known)[evidence.scene])
