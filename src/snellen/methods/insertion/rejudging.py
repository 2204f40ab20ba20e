"""A case of insertion judged anew, from new answers."""

from __future__ import annotations

from snellen.changes.paste.insert import Insert
from snellen.changes.paste.patch import Patch
from snellen.changes.recipe import Recipe
from snellen.contract.questions import Answer
from snellen.contract.verdict import Case
from snellen.methods.free_places import Box, pasted_box
from snellen.methods.insertion.plan import PlannedInsertion
from snellen.methods.insertion.relation import InsertionRelation
from snellen.vision.detections import Detections


def rejudge(judge: InsertionRelation, case: Case, label: int | None, answer: Detections) -> Case:
    """The case as the judge sees this answer; label: the inserted object's, where there is one."""
    recipe, told = case.recipe, case.measurements
    if isinstance(recipe, Insert):
        planned = PlannedInsertion(recipe, label, int(told.get("target", 0)), told.get("gap", 0.0))
        return judge.insertion(planned, Answer(answer), case.role)
    return judge.unchanged(recipe, case.role, _pasted(recipe), answer)


def _pasted(recipe: Recipe) -> Box | None:
    """Where a control put something that is not what was there."""
    if isinstance(recipe, Patch) and (recipe.x, recipe.y) != (recipe.from_x, recipe.from_y):
        return pasted_box(recipe)
    return None
