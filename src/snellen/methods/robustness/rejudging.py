"""A case of robustness judged anew, from new answers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from snellen.changes.paste.insert import Insert
from snellen.changes.paste.patch import Patch
from snellen.changes.recipe import Recipe
from snellen.contract.verdict import Case, Status
from snellen.methods.free_places import Box, pasted_box
from snellen.methods.robustness.base_instances import BaseInstance
from snellen.methods.robustness.insertions.object_choice import HashedLibrary
from snellen.methods.robustness.relation import RobustnessRelation
from snellen.objects.label_names import plain_name
from snellen.vision.boxes.box_geometry import iou
from snellen.vision.detections import Detections


def rejudge(
    judge: RobustnessRelation, case: Case, shelf: HashedLibrary, answer: Detections
) -> Case:
    """The case as the judge sees this answer.

    The base instance is the one that the scene's answer has now where it was. If there is none,
    nothing can be lost: the case holds.
    """
    base = _base_now(judge, case)
    before = judge.stage.before
    if base is None:
        return replace(case, status=Status.HOLDS, events=(), before=before, after=answer)
    label = None
    if isinstance(case.recipe, Insert):
        name = shelf.library.cutout(case.recipe.object).label
        label = shelf.class_ids.get(plain_name(name))
    told = dict(case.measurements)
    return judge.case(case.recipe, case.role, base, answer, _pasted(case.recipe), label, told)


def _base_now(judge: RobustnessRelation, case: Case) -> BaseInstance | None:
    """The base instance in the new answer about the scene: of its label, most of it in its box."""
    before = case.before
    assert isinstance(before, Detections)
    index = int(case.measurements["base"])
    new, label = judge.stage.before, int(before.labels[index])
    same = (new.labels == label) & (new.scores >= np.float32(judge.stage.score))
    alike = iou(new.boxes, before.boxes[[index]])[:, 0] * same
    if not len(alike) or alike.max() < judge.options.iou:
        return None
    return judge.stage.base(int(alike.argmax()))


def _pasted(recipe: Recipe) -> Box | None:
    """Where something was put that is not what was there."""
    if isinstance(recipe, Insert):
        return pasted_box(recipe)
    if isinstance(recipe, Patch) and (recipe.x, recipe.y) != (recipe.from_x, recipe.from_y):
        return pasted_box(recipe)
    return None
