"""The numbers of a camera+LiDAR run beyond the failure rate, from its journal."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from snellen.contract.verdict import TEST
from snellen.methods.fusion.own_numbers import (
    Agreement,
    ChainLength,
    DistanceBand,
    FusionNumbers,
    RatedCases,
    SearchNumbers,
    ViewCounts,
)
from snellen.methods.fusion.precision import precision_numbers
from snellen.methods.view import RunRecord
from snellen.pages.solids.solid_words import mesh_kind
from snellen.store.estimate import Estimate
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


def fusion_numbers(record: RunRecord) -> FusionNumbers:
    """Errors, rates by distance and kind, the search; `precision` where cases can be rebuilt."""
    journal, rates = record.journal, record.rates
    tests, kinds = rates.cases(TEST), _events(journal)
    return FusionNumbers(
        errors={name: _counts(kinds, members) for name, members in CLASSES.items()},
        events={kind: _counts(kinds, (kind,)) for kind in sorted({kind for _, kind in kinds})},
        by_distance=_by_distance(tests, rates),
        by_kind=_by_kind(tests, rates),
        by_objects=_by_objects(tests, rates),
        search=_search(journal, tests),
        agreement=_agreement(tests),
        precision=None if record.run is None else precision_numbers(journal, record.run),
    )


def _counts(kinds: Counter[tuple[str, str]], members: Sequence[str]) -> ViewCounts:
    return ViewCounts(
        solid=sum(kinds["3d", kind] for kind in members),
        image=sum(kinds["image", kind] for kind in members),
    )


def _events(journal: Journal) -> Counter[tuple[str, str]]:
    """Hard events of failing tests by kind, in 3D or in the image."""
    rows = journal.rows(
        "SELECT events.solid IS NULL, kind, count(*) FROM events JOIN cases "
        'ON cases.unit = events.unit AND cases.number = events."case" '
        "WHERE role = ? AND severity = 'hard' AND cases.status = 'failing' GROUP BY 1, 2",
        (TEST,),
    )
    return Counter({("image" if flat else "3d", kind): count for flat, kind, count in rows})


def _by_distance(tests: JudgedCases, rates: Rates) -> tuple[DistanceBand, ...]:
    """The failure rate by distance of the last inserted object, in non-empty bands."""
    metres = tests.measured("distance")
    known = metres[np.isfinite(metres)]
    if not len(known):
        return ()
    edges = range(0, int(known.max() // BAND + 1) * BAND + 1, BAND)
    bands = (((metres >= low) & (metres < high), low, high) for low, high in pairwise(edges))
    return tuple(
        DistanceBand(low=low, high=high, **dict(_rated(tests, rates, within)))
        for within, low, high in bands
        if within.any()
    )


def _by_kind(tests: JudgedCases, rates: Rates) -> dict[str, RatedCases]:
    """The failure rate by kind of the last inserted mesh, worst first."""
    kinds = np.array([_last_kind(recipe) for recipe in tests.recipes])
    found = {
        str(kind): _rated(tests, rates, np.asarray(kinds == kind)) for kind in np.unique(kinds)
    }
    return dict(sorted(found.items(), key=lambda one: (-(one[1].rate.value or 0.0), one[0])))


def _last_kind(recipe: dict[str, Any]) -> str:
    objects = recipe.get("objects") or ()
    return mesh_kind(objects[-1][0]) if objects else "nothing"


def _by_objects(tests: JudgedCases, rates: Rates) -> tuple[ChainLength, ...]:
    """Along chains, by number of inserted objects: failure rate, accepted ones, fitness."""
    counts = np.array([len(recipe.get("objects") or ()) for recipe in tests.recipes], dtype=int)
    kept, fitness = tests.measured("kept") > 0, tests.measured("fitness")
    made = []
    for count in np.unique(counts).tolist():
        of = counts == count
        values = fitness[of & kept]
        made.append(
            ChainLength(
                objects=count,
                **dict(_rated(tests, rates, of)),
                kept=int((of & kept).sum()),
                fitness=_mean(values),
                highest_fitness=round(float(values.max()), 4) if len(values) else None,
            )
        )
    return tuple(made)


def _rated(tests: JudgedCases, rates: Rates, of: Bools) -> RatedCases:
    rate = rates.among(tests.scenes[of], tests.failing[of])
    return RatedCases(cases=int(rate.cases), failing=int(rate.failing), rate=Estimate.of(rate))


def _search(journal: Journal, tests: JudgedCases) -> SearchNumbers:
    """The number of chains, of accepted insertions, and of chains that end in a failing case."""
    rows = journal.rows("SELECT notes FROM units WHERE status = 'done'")
    notes = [json.loads(text) for (text,) in rows]
    chains = [chain for note in notes for chain in note.get("chains") or ()]
    return SearchNumbers(
        insertions=len(tests),
        kept=sum(map(len, chains)),
        chains=len(chains),
        chains_with_kept=sum(bool(chain) for chain in chains),
        failing_ends=sum(note.get("failing_kept", 0) for note in notes),
        longest=max(map(len, chains), default=0),
        frames_full=sum(bool(note.get("no_room")) for note in notes),
    )


def _agreement(tests: JudgedCases) -> Agreement:
    return Agreement(
        modality_consistency=_mean(tests.measured("visibility.modality_consistency")),
        visibility_gap=_mean(tests.measured("visibility.visibility_gap")),
    )


def _mean(values: F64) -> float | None:
    known = values[np.isfinite(values)]
    return round(float(known.mean()), 4) if len(known) else None
