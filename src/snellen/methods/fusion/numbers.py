"""The numbers of a camera+LiDAR run beyond the failure rate, from its journal."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np

from snellen.contract.verdict import TEST
from snellen.methods.fusion.precision import precision_numbers
from snellen.methods.view import RunRecord
from snellen.pages.solids.solid_words import mesh_kind
from snellen.store.journal import Journal
from snellen.store.rates import JudgedCases, Rates
from snellen.vision.arrays import F64, Bools

BAND = 10
"""The width of a distance band in metres."""
CLASSES = {
    "missing": ("lost", "inserted-missed"),
    "false": ("appeared",),
    "location": ("moved",),
    "class": ("relabelled",),
}
"""MultiTest's three error classes by kinds of events, and one that it lacks."""
AGREEMENT = {
    "modality_consistency": "visibility.modality_consistency",
    "visibility_gap": "visibility.visibility_gap",
}
Numbers = dict[str, Any]


def fusion_numbers(record: RunRecord) -> Numbers:
    """Errors, rates by distance and kind, the search; `precision` where cases can be rebuilt."""
    journal, rates = record.journal, record.rates
    tests, kinds = rates.cases(TEST), _events(journal)
    found: Numbers = {
        "errors": {
            name: {where: sum(kinds[where, kind] for kind in members) for where in ("3d", "image")}
            for name, members in CLASSES.items()
        },
        "events": {
            kind: {where: kinds[where, kind] for where in ("3d", "image")}
            for kind in sorted({kind for _, kind in kinds})
        },
        "by_distance": _by_distance(tests, rates),
        "by_kind": _by_kind(tests, rates),
        "by_objects": _by_objects(tests, rates),
        "search": _search(journal, tests),
        "agreement": _agreement(tests),
    }
    if record.run is not None:
        found["precision"] = precision_numbers(journal, record.run)
    return found


def _events(journal: Journal) -> Counter[tuple[str, str]]:
    """Hard events of failing tests by kind, in 3D or in the image."""
    rows = journal.rows(
        "SELECT events.solid IS NULL, kind, count(*) FROM events JOIN cases "
        'ON cases.unit = events.unit AND cases.number = events."case" '
        "WHERE role = ? AND severity = 'hard' AND cases.status = 'failing' GROUP BY 1, 2",
        (TEST,),
    )
    return Counter({("image" if flat else "3d", kind): count for flat, kind, count in rows})


def _by_distance(tests: JudgedCases, rates: Rates) -> list[Numbers]:
    """The failure rate by distance of the last inserted object, in non-empty bands."""
    metres = tests.measured("distance")
    known = metres[np.isfinite(metres)]
    if not len(known):
        return []
    edges = range(0, int(known.max() // BAND + 1) * BAND + 1, BAND)
    bands = (((metres >= low) & (metres < high), low, high) for low, high in pairwise(edges))
    return [
        {"low": low, "high": high, **_rate(tests, rates, within)}
        for within, low, high in bands
        if within.any()
    ]


def _by_kind(tests: JudgedCases, rates: Rates) -> dict[str, Numbers]:
    """The failure rate by kind of the last inserted mesh, worst first."""
    kinds = np.array([_last_kind(recipe) for recipe in tests.recipes])
    found = {str(kind): _rate(tests, rates, np.asarray(kinds == kind)) for kind in np.unique(kinds)}
    return dict(sorted(found.items(), key=lambda one: (-one[1]["rate"]["value"], one[0])))


def _last_kind(recipe: Numbers) -> str:
    objects = recipe.get("objects") or ()
    return mesh_kind(objects[-1][0]) if objects else "nothing"


def _by_objects(tests: JudgedCases, rates: Rates) -> list[Numbers]:
    """Along chains, by number of inserted objects: failure rate, accepted ones, fitness."""
    counts = np.array([len(recipe.get("objects") or ()) for recipe in tests.recipes], dtype=int)
    kept, fitness = tests.measured("kept") > 0, tests.measured("fitness")
    made = []
    for count in np.unique(counts).tolist():
        of = counts == count
        values = fitness[of & kept]
        made.append(
            {
                "objects": count,
                **_rate(tests, rates, of),
                "kept": int((of & kept).sum()),
                "fitness": _mean(values),
                "highest_fitness": round(float(values.max()), 4) if len(values) else None,
            }
        )
    return made


def _rate(tests: JudgedCases, rates: Rates, of: Bools) -> Numbers:
    rate = rates.among(tests.scenes[of], tests.failing[of])
    return {"cases": int(rate.cases), "failing": int(rate.failing), "rate": rate.to_json()}


def _search(journal: Journal, tests: JudgedCases) -> Numbers:
    """The number of chains, of accepted insertions, and of chains that end in a failing case."""
    rows = journal.rows("SELECT notes FROM units WHERE status = 'done'")
    notes = [json.loads(text) for (text,) in rows]
    chains = [chain for note in notes for chain in note.get("chains") or ()]
    return {
        "insertions": len(tests),
        "kept": sum(map(len, chains)),
        "chains": len(chains),
        "chains_with_kept": sum(bool(chain) for chain in chains),
        "failing_ends": sum(note.get("failing_kept", 0) for note in notes),
        "longest": max(map(len, chains), default=0),
        "frames_full": sum(bool(note.get("no_room")) for note in notes),
    }


def _agreement(tests: JudgedCases) -> dict[str, float | None]:
    """Mean agreement of camera and LiDAR on the inserted objects."""
    return {name: _mean(tests.measured(key)) for name, key in AGREEMENT.items()}


def _mean(values: F64) -> float | None:
    known = values[np.isfinite(values)]
    return round(float(known.mean()), 4) if len(known) else None
