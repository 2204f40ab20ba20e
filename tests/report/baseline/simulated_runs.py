"""Recorded counts of two subjects on the same cases, drawn with known failure rates."""

from __future__ import annotations

import numpy as np

from snellen.methods.compared_number import ComparedNumber
from snellen.report.comparison.cases import rate_pair
from snellen.store.case_rows import CaseRow
from snellen.vision.arrays import Bools


def failures(rate: float, scenes: int, cases: int, rng: np.random.Generator) -> Bools:
    """(scenes, cases): which cases fail; scenes differ in how hard they are."""
    hard = rng.beta(2 * rate, 2 * (1 - rate), scenes)
    return np.asarray(rng.random((scenes, cases)) < hard[:, None])


def numbers(a: Bools, b: Bools) -> tuple[ComparedNumber, ...]:
    """The failure rate and the scenes with a failure, as a comparison has them."""
    scenes = [f"s{n}" for n in range(len(a))]
    struck_a, struck_b = (np.asarray(one.any(axis=1, keepdims=True)) for one in (a, b))
    pairs = {"failure rate": (a, b), "scenes with a fault": (struck_a, struck_b)}
    found = []
    for name, (first, second) in pairs.items():
        pair = rate_pair(_rows(first), _rows(second), scenes)
        found.append(
            ComparedNumber.of(name, pair.a.value, pair.b.value, len(scenes), pair.evidence)
        )
    return tuple(found)


def _rows(failing: Bools) -> list[CaseRow]:
    return [
        CaseRow(f"s{scene}", f"s{scene}", "test", str(case), bool(bad), None, 0)
        for scene, row in enumerate(failing)
        for case, bad in enumerate(row)
    ]
