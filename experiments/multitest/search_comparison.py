"""Which search finds more with the same number of questions, by frame, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from experiments.multitest.fusion_runs import Asked, Run
from snellen.statistics.bootstrap import scene_weights
from snellen.statistics.intervals import Interval
from snellen.statistics.permutation import paired_permutation_test
from snellen.statistics.scene_rates import rate_difference_by_scene

REPLICATES = 2000
COUNTED: dict[str, Callable[[Asked], bool]] = {
    "failing": lambda one: one.failing,
    "new failures": lambda one: bool(one.measurements["new_failure"]),
}
"""What is counted: cases that fail, and those that fail in more ways than what they grew from."""

Counts = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Versus:
    """One search's rate less another's, by frame, and the chance of as much without a cause."""

    difference: Interval
    p_value: float


def by_frame(runs: Sequence[Run], counted: Callable[[Asked], bool]) -> tuple[Counts, Counts]:
    """(frames,) what was counted, and what was asked, over all runs of a search."""
    scenes = [frame.scene for frame in runs[0].frames]
    found = {scene: [0.0, 0.0] for scene in scenes}
    for run in runs:
        for frame in run.frames:
            found[frame.scene][0] += sum(counted(one) for one in frame.cases)
            found[frame.scene][1] += len(frame.cases)
    table = np.array([found[scene] for scene in scenes]).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def versus(first: Sequence[Run], second: Sequence[Run], counted: Callable[[Asked], bool]) -> Versus:
    """The first search's rate less the second's; both asked about the same frames."""
    a, b = by_frame(first, counted), by_frame(second, counted)
    rng = np.random.default_rng(1)
    weights = scene_weights(len(a[0]), REPLICATES, rng)
    test = paired_permutation_test(a, b, rng)
    return Versus(rate_difference_by_scene(a, b, weights), test.p_value)
