"""Table 4: repaired and new failures by characteristics of base and inserting instances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from experiments.kyushu.before_after import PairedTests
from snellen.statistics.intervals import Rate
from snellen.statistics.scene_rates import rate

BASES = ("base_uncertainty", "base_score")
INSERTED = ("inserted_uncertainty", "inserted_alone")
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Cell:
    """Among the tests of a pair of groups: the shares of new and of repaired failures."""

    new: Rate
    repaired: Rate


def crosstab(rows: Sequence[PairedTests]) -> list[list[Cell]]:
    """Cells by group of base instance (rows) and inserting instance, in the order of `SIDES`.

    rows: the same tests with differently retrained subjects, equally weighted.
    """
    first = rows[0]
    bases = [side for name in BASES for side in halves(first, name, ("instance",))]
    inserted = [side for name in INSERTED for side in halves(first, name, ("instance", "object"))]
    return [[_cell(rows, base & one) for one in inserted] for base in bases]


def halves(both: PairedTests, name: str, thing: tuple[str, ...]) -> tuple[Flags, Flags]:
    """(N,) each: tests with a value up to the median, and above; False in both if unknown.

    The median is over tested instances or objects, not over tests. thing: their identity.
    """
    measurements = [both.measured[one.case] for one in both.tests.before]
    value = np.array([one.get(name, np.nan) for one in measurements])
    keys = {
        "instance": both.tests.instance.astype(np.float64),
        "object": np.array([one["object"] for one in measurements]),
    }
    own = np.stack([*(keys[one] for one in thing), value], axis=1)
    known = np.isfinite(value)
    if not known.any():
        return known, known
    middle = np.median(np.unique(own[known], axis=0)[:, -1])
    return known & (value <= middle), known & (value > middle)


def _cell(rows: Sequence[PairedTests], chosen: Flags) -> Cell:
    flags = [both.tests.failed for both in rows]
    new = [after & ~before for before, after in flags]
    repaired = [before & ~after for before, after in flags]
    return Cell(_share(rows, new, chosen), _share(rows, repaired, chosen))


def _share(rows: Sequence[PairedTests], flagged: list[Flags], chosen: Flags) -> Rate:
    sums = [both.tests.sums(one, chosen) for both, one in zip(rows, flagged, strict=True)]
    return rate(np.sum([k for k, _ in sums], axis=0), np.sum([n for _, n in sums], axis=0))
