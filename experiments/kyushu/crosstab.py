"""Table 4: repaired and new failures by what base and inserting instances are like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from experiments.kyushu.before_after import Both
from snellen.statistics.intervals import Array, Rate
from snellen.statistics.scene_rates import rate_by_scene

BASES = ("base_uncertainty", "base_score")
INSERTED = ("inserted_uncertainty", "inserted_alone")
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Cell:
    """Of the tests of a pair of sorts: which share fails now and did not, and the other way."""

    new: Rate
    repaired: Rate


def crossed(rows: Sequence[Both]) -> list[list[Cell]]:
    """Cells by the sort of base instance (rows) and of inserting one, in the order of `SIDES`.

    rows: the same tests with subjects that were retrained in different ways; all count alike.
    """
    first = rows[0]
    bases = [side for name in BASES for side in halves(first, name, ("instance",))]
    inserted = [side for name in INSERTED for side in halves(first, name, ("instance", "object"))]
    return [[_cell(rows, base & one) for one in inserted] for base in bases]


def halves(both: Both, name: str, thing: tuple[str, ...]) -> tuple[Flags, Flags]:
    """(N,) each: tests whose value is up to the median, and above; none where it is not known.

    The median is over things that were tested, not over tests. thing: what tells them apart.
    """
    told = [both.measured[one.case] for one in both.tests.before]
    value = np.array([one.get(name, np.nan) for one in told])
    keys = {
        "instance": both.tests.instance.astype(np.float64),
        "object": np.array([one["object"] for one in told]),
    }
    own = np.stack([*(keys[one] for one in thing), value], axis=1)
    known = np.isfinite(value)
    if not known.any():
        return known, known
    middle = np.median(np.unique(own[known], axis=0)[:, -1])
    return known & (value <= middle), known & (value > middle)


def _cell(rows: Sequence[Both], chosen: Flags) -> Cell:
    weights = rows[0].weights
    flags = [both.tests.failed for both in rows]
    new = [after & ~before for before, after in flags]
    repaired = [before & ~after for before, after in flags]
    return Cell(_share(rows, new, chosen, weights), _share(rows, repaired, chosen, weights))


def _share(rows: Sequence[Both], flagged: list[Flags], chosen: Flags, weights: Array) -> Rate:
    sums = [both.tests.sums(one, chosen) for both, one in zip(rows, flagged, strict=True)]
    return rate_by_scene(sum(k for k, _ in sums), sum(n for _, n in sums), weights)
