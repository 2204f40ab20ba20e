"""The cases of a run that test an insertion, with the recipe of the insertion."""

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
    """One case. recipe: of the insertion. before: the row of the scene's prediction, or None."""

    scene: str
    case: str
    failing: bool
    recipe: Recipe
    measurements: Mapping[str, float]
    before: int | None


def insertion_cases(journal: Journal, retrains: Retrains) -> Iterator[InsertionCase]:
    """The cases whose places a retraining set may use, in order."""
    for scene, case, status, role, recipe, measured, before in journal.rows(_CASES):
        insertion = retrains.insertion(role, recipe_from_json(json.loads(recipe)))
        if insertion is not None:
            measurements = json.loads(measured)
            yield InsertionCase(scene, case, status == "failing", insertion, measurements, before)
