"""How many objects can be inserted one after the other, and at what price (Table 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from experiments.multitest.fusion_runs import Run
from snellen.changes.measures.registry import VISIBILITY

MOST = 6
"""Objects inserted into a frame, at most."""
TRIES = 10


@dataclass(frozen=True)
class Count:
    """What became of frames that were to take `objects` objects.

    seeds: the share of frames that took them, none of them after more than the tries it had.
    iterations: mean insertions asked about until then, of those frames. consistency, gap: mean MC
    and visibility gap of the last object; nan for none.
    """

    objects: int
    seeds: float
    iterations: float
    consistency: float
    gap: float


def counts(run: Run, tries: int) -> list[Count]:
    """The row of a system, from the first chain of insertions of each frame."""
    return [_count(run, objects, tries) for objects in range(1, MOST + 1)]


def taken(chain: Sequence[int], tries: int) -> int:
    """How many objects a chain has before one for which all tries failed.

    chain: the numbers of the cases that were kept.

    >>> taken([0, 3, 14], tries=10)
    2
    """
    waits = [after - before for before, after in pairwise([-1, *chain])]
    return next((place for place, wait in enumerate(waits) if wait > tries), len(chain))


def _count(run: Run, objects: int, tries: int) -> Count:
    reached = [
        (frame, frame.chains[0][objects - 1])
        for frame in run.frames
        if frame.chains and taken(frame.chains[0], tries) >= objects
    ]
    measured = [frame.cases[number].measurements for frame, number in reached]
    return Count(
        objects,
        len(reached) / len(run.frames) if run.frames else float("nan"),
        _mean([number + 1 for _, number in reached]),
        _mean([one[f"{VISIBILITY}.modality_consistency"] for one in measured]),
        _mean([one[f"{VISIBILITY}.visibility_gap"] for one in measured]),
    )


def _mean(values: list[float]) -> float:
    return float(np.mean(values)) if values else float("nan")
