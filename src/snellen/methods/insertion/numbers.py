"""The numbers of insertion beyond the failure rate."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from snellen.contract.verdict import TEST
from snellen.methods.inserted_objects import inserted_numbers
from snellen.methods.view import RunRecord
from snellen.store.journal import Journal
from snellen.store.rates import JudgedCases, Rates
from snellen.vision.arrays import F64

QUANTILES = {"q10": 0.1, "q25": 0.25, "q50": 0.5, "q75": 0.75, "q90": 0.9}
FEWEST = 10
"""The minimum number of cases in a distance bin, where there are so many."""
EDGES = (0, *(2**power for power in range(2, 18)))
"""In pixels; the last is wider than any image."""


def insertion_numbers(record: RunRecord) -> dict[str, Any]:
    """The keys `inserted`, `relocation` and `by_gap`, where the run has them."""
    rates = record.rates
    tests = rates.cases(TEST)
    made = {
        "inserted": inserted_numbers(tests, rates),
        "relocation": _relocation(record.once(relocations)),
        "by_gap": by_gap(tests, rates),
    }
    return {name: value for name, value in made.items() if value is not None}


def relocations(journal: Journal) -> list[dict[str, Any]]:
    """The notes of all relocations of the run, in the order of the units."""
    rows = journal.rows("SELECT notes FROM units WHERE status = 'done' ORDER BY number")
    return [move for (notes,) in rows for move in json.loads(notes).get("relocations") or ()]


def _relocation(moves: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    if not moves:
        return None
    progress = np.array([move["progress"] for move in moves], dtype=np.float64)
    values = np.quantile(progress, list(QUANTILES.values())).round(4).tolist()
    return {
        "started": len(moves),
        "moved": sum(move["best"] != move["start"] for move in moves),
        "unique": sum(bool(move.get("unique")) for move in moves),
        "reached_target": sum(move["best"] == move["target"] for move in moves),
        "asked": sum(move["asked"] for move in moves),
        "progress": dict(zip(QUANTILES, values, strict=True)),
    }


def by_gap(tests: JudgedCases, rates: Rates) -> list[dict[str, Any]] | None:
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
            {
                "low": low,
                "high": high,
                "cases": int(rate.cases),
                "failing": int(rate.failing),
                "rate": rate.to_json(),
            }
        )
    return bins


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
