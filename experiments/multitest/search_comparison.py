"""Comparison of searches at the same number of questions, paired by frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from experiments.multitest.fusion_runs import AskedInsertion, Run
from snellen.statistics.intervals import Interval
from snellen.statistics.scene_rates import difference

COUNTED: dict[str, Callable[[AskedInsertion], bool]] = {
    "failing": lambda one: one.failing,
    "new failures": lambda one: bool(one.measurements["new_failure"]),
}
"""Counted cases: failing ones, and those with more failures than the case they extend."""

Counts = npt.NDArray[np.float64]


def by_frame(
    runs: Sequence[Run], counted: Callable[[AskedInsertion], bool]
) -> tuple[Counts, Counts]:
    """(frames,) counted cases and all cases, over all runs of a search."""
    scenes = [frame.scene for frame in runs[0].frames]
    found = {scene: [0.0, 0.0] for scene in scenes}
    for run in runs:
        for frame in run.frames:
            found[frame.scene][0] += sum(counted(one) for one in frame.cases)
            found[frame.scene][1] += len(frame.cases)
    table = np.array([found[scene] for scene in scenes]).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def versus(
    first: Sequence[Run], second: Sequence[Run], counted: Callable[[AskedInsertion], bool]
) -> Interval:
    """The first search's rate minus the second's, on the same frames, with its p-value."""
    return difference(*by_frame(first, counted), *by_frame(second, counted))
