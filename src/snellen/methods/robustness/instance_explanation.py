"""What a failing test strikes, and why it fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from numpy.random import Generator

from snellen.changes.paste.insert import Insert
from snellen.contract.asked import Asked
from snellen.contract.explanation import Explaining, unexplained
from snellen.contract.fault_target import FaultTarget
from snellen.contract.verdict import Case
from snellen.methods.free_places import FreeSpace
from snellen.methods.paste.paste_counterfactuals import PasteCounterfactuals
from snellen.methods.paste.paste_ladder import PasteLadder, struck_boxes
from snellen.methods.robustness.base_instances import RobustnessScene
from snellen.methods.robustness.case_measurements import INSTANCE
from snellen.objects.library.library import Library
from snellen.vision.detections import Detections


def explain_instance(
    case: Case,
    prepared: RobustnessScene,
    library: Library,
    judge: Callable[[Asked], Case],
    rng: Generator,
) -> Explaining:
    """Why a base instance breaks; judge: the relation."""
    recipe, around = case.recipe, prepared.around
    if not isinstance(recipe, Insert):
        return (yield from unexplained())
    room = FreeSpace(around.scene.size, around.obstacles)
    made = PasteCounterfactuals(recipe, around, struck_boxes(case), library, room)
    facts = {INSTANCE: case.measurements[INSTANCE]}
    return (yield from PasteLadder(case, made, judge, facts).climb(rng))


def struck_instance(case: Case, classes: Sequence[str]) -> FaultTarget:
    """The base instance of a test; classes: the subject's."""
    assert isinstance(case.before, Detections)
    index = int(case.measurements[INSTANCE])
    x1, y1, x2, y2 = case.before.boxes[index].tolist()
    name = classes[int(case.before.labels[index])]
    return FaultTarget(f"object {name}", name, (x1, y1, x2, y2))
