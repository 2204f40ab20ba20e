"""The numbers of insertion beyond the failure rate."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict

from snellen.contract.verdict import CONTROL, TEST
from snellen.methods.inserted_objects import InsertedNumbers, inserted_numbers
from snellen.methods.insertion.box_shift import ShiftNumbers, shift_numbers
from snellen.methods.view import RunRecord
from snellen.store.estimate import Estimate
from snellen.store.journal import Journal
from snellen.store.number_model import NumberModel
from snellen.store.rates import JudgedCases, Rates
from snellen.vision.arrays import F64

QUANTILES = {"q10": 0.1, "q25": 0.25, "q50": 0.5, "q75": 0.75, "q90": 0.9}
FEWEST = 10
"""The minimum number of cases in a distance bin, where there are so many."""
EDGES = (0, *(2**power for power in range(2, 18)))
"""In pixels; the last is wider than any image."""


class RelocationNumbers(NumberModel):
    """The results of relocation; progress: quantiles of the fraction of the way to the target.

    moved, reached_target: how many still fail closer to the target, and at it.
    """

    started: int
    moved: int
    unique: int
    reached_target: int
    asked: int
    progress: dict[str, float]


class GapBin(NumberModel):
    """The failure rate at a distance of `low` up to `high` pixels from the nearest object."""

    low: float
    high: float
    cases: int
    failing: int
    rate: Estimate


class InsertionNumbers(NumberModel):
    """The numbers of a run; each is None where the run has none."""

    inserted: InsertedNumbers | None = None
    relocation: RelocationNumbers | None = None
    by_gap: tuple[GapBin, ...] | None = None
    shift: ShiftNumbers | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain values for a summary, without those that are None."""
        absent = {name for name, value in self if value is None}
        return self.model_dump(mode="json", exclude=absent)


class RelocationNote(BaseModel):
    """One relocation in the notes of a unit: places in pixels, progress to the target 0 to 1."""

    model_config = ConfigDict(frozen=True)

    start: tuple[float, float]
    best: tuple[float, float]
    target: tuple[float, float]
    progress: float
    asked: int
    unique: bool = False


def insertion_numbers(record: RunRecord) -> InsertionNumbers:
    """Missed inserted objects, relocation, the failure rate by distance, and shifts of boxes."""
    rates = record.rates
    tests = rates.cases(TEST)
    return InsertionNumbers(
        inserted=inserted_numbers(tests, rates, record.journal.get("facts") or {}),
        relocation=_relocation(record.once(relocations)),
        by_gap=by_gap(tests, rates),
        shift=shift_numbers(tests, rates.cases(f"{CONTROL}%")),
    )


def relocations(journal: Journal) -> list[RelocationNote]:
    """The notes of all relocations of the run, in the order of the units."""
    rows = journal.rows("SELECT notes FROM units WHERE status = 'done' ORDER BY number")
    return [
        RelocationNote.model_validate(move)
        for (notes,) in rows
        for move in json.loads(notes).get("relocations") or ()
    ]


def _relocation(moves: Sequence[RelocationNote]) -> RelocationNumbers | None:
    if not moves:
        return None
    progress = np.array([move.progress for move in moves], dtype=np.float64)
    values = np.quantile(progress, list(QUANTILES.values())).round(4).tolist()
    return RelocationNumbers(
        started=len(moves),
        moved=sum(move.best != move.start for move in moves),
        unique=sum(move.unique for move in moves),
        reached_target=sum(move.best == move.target for move in moves),
        asked=sum(move.asked for move in moves),
        progress=dict(zip(QUANTILES, values, strict=True)),
    )


def by_gap(tests: JudgedCases, rates: Rates) -> tuple[GapBin, ...] | None:
    """The failure rate by distance to the nearest object, in bins of doubling width, in pixels."""
    gaps = tests.measured("gap")
    if not np.isfinite(gaps).any():
        return None
    edges = gap_edges(gaps)
    bins = []
    for low, high in pairwise(edges):
        within = (gaps >= low) & (gaps < high)
        rate = rates.among(tests.scenes[within], tests.failing[within])
        bins.append(
            GapBin(
                low=low,
                high=high,
                cases=int(rate.cases),
                failing=int(rate.failing),
                rate=Estimate.of(rate),
            )
        )
    return tuple(bins)


def gap_edges(gaps: F64, fewest: int = FEWEST) -> list[float]:
    """Edges of bins that hold every finite gap, none with fewer than `fewest` if possible.

    >>> gap_edges(np.array([1.0, 2, 3, 5, 9, 40, 41]), fewest=2)
    [0.0, 4.0, 16.0, 64.0]
    """
    known = gaps[np.isfinite(gaps)]
    edges, count = [0.0], 0
    for low, high in pairwise(EDGES):
        count += int(((known >= low) & (known < high)).sum())
        left = int((known >= high).sum())
        if left == 0:
            if count < fewest and len(edges) > 1:
                edges.pop()
            edges.append(float(high))
            break
        if count >= fewest:
            edges.append(float(high))
            count = 0
    return edges
