"""The cases of a run that tested an insertion, with the recipe of what they put in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from snellen.changes.recipe import Recipe
from snellen.changes.registry import recipe_from_json
from snellen.contract.repairs import Retrains
from snellen.store.journal import Journal

_CASES = (
    "SELECT units.scene, cases.id, cases.status, role, recipe, measurements, cases.before "
    "FROM cases JOIN units ON units.number = cases.unit ORDER BY cases.unit, cases.number"
)


@dataclass(frozen=True, eq=False)
class InsertionCase:
    """One case. recipe: what it put in. before: the row of what was seen in the scene, or None."""

    scene: str
    case: str
    failing: bool
    recipe: Recipe
    measurements: Mapping[str, float]
    before: int | None


def insertion_cases(journal: Journal, retrains: Retrains) -> Iterator[InsertionCase]:
    """The cases whose places a retraining set may use, in the order they were judged."""
    for scene, case, status, role, recipe, measured, before in journal.rows(_CASES):
        put_in = retrains.insertion(role, recipe_from_json(json.loads(recipe)))
        if put_in is not None:
            told = json.loads(measured)
            yield InsertionCase(scene, case, status == "failing", put_in, told, before)
