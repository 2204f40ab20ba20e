"""Scenes in which nothing could be tested are counted as such, and are few."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.contract.method import Setting
from snellen.contract.verdict import UNTESTED, Verdict
from snellen.methods.insertion.method import InsertionMethod
from snellen.methods.insertion.options import InsertionOptions
from snellen.methods.planned_case import NO_OBJECT, NO_ROOM, NOTHING_DETECTED
from snellen.methods.robustness.method import RobustnessMethod
from snellen.methods.robustness.options import RobustnessOptions
from snellen.objects.library.label_subset import LabelSubset
from snellen.scenes.scene import SceneSet
from snellen.session.campaign import run
from tests.methods.planted_pastes import LIBRARY, BoxScene, PlantedPaste
from tests.methods.robustness.scene_driver import driven

Boxes = list[tuple[float, float, float, float]]


def crowded(gap: float, side: float = 40.0) -> BoxScene:
    """A scene with objects on a grid, this many pixels apart."""
    world = BoxScene(1)
    across, down = (np.arange(0, length, side + gap).tolist() for length in (240, 180))
    world.boxes = [(x, y, min(x + side, 240), min(y + side, 180)) for x in across for y in down]
    world.labels = [0] * len(world.boxes)
    return world


def verdict_of(world: BoxScene, options: Any, library: Any = LIBRARY) -> Verdict:
    subject = PlantedPaste(lambda recipe, box: False)
    setting = Setting(subject, SceneSet((world.scene,), subject.classes), Path(), 1)
    kind = InsertionMethod if isinstance(options, InsertionOptions) else RobustnessMethod
    method: Any = kind(options, setting, library)
    asking = method.examine(method.units()[0], np.random.default_rng(1))
    found: Verdict = driven(asking, lambda question: subject.answer(world, question))
    return found.concluded()


OPTIONS = (
    InsertionOptions(relocate=False, per_object=2),
    RobustnessOptions(tests_per_level=1, uncertainty="none"),
)
NAMES = ("insertion", "robustness")


@pytest.mark.parametrize("options", OPTIONS, ids=NAMES)
def test_a_scene_full_of_objects_says_that_it_had_no_room(options: Any) -> None:
    found = verdict_of(crowded(gap=0), options)
    assert not found.cases
    assert found.notes[UNTESTED] == NO_ROOM


@pytest.mark.parametrize("options", OPTIONS, ids=NAMES)
def test_a_scene_without_detections_says_so(options: Any) -> None:
    world = crowded(gap=0)
    world.boxes, world.labels = [], []
    assert verdict_of(world, options).notes[UNTESTED] == NOTHING_DETECTED


@pytest.mark.parametrize("options", OPTIONS, ids=NAMES)
def test_a_tested_scene_has_no_such_note(options: Any) -> None:
    found = verdict_of(BoxScene(1), options)
    assert found.cases
    assert UNTESTED not in found.notes


def test_a_library_without_the_labels_of_the_scene_is_not_called_a_lack_of_room() -> None:
    found = verdict_of(BoxScene(1), OPTIONS[0], LabelSubset(LIBRARY, ()))
    assert found.notes[UNTESTED] == NO_OBJECT


def sizes(found: Verdict) -> list[float]:
    recipes: list[Any] = [case.recipe for case in found.cases if case.role == "test"]
    return [float(max(one.width, one.height)) for one in recipes]


def test_where_room_is_short_objects_are_smaller_but_not_tiny() -> None:
    """Objects of 37 pixels in the mean; gaps of 30 have no room for these."""
    options = InsertionOptions(relocate=False, per_object=2, footing="anywhere", controls=0)
    found = verdict_of(crowded(gap=30), options)
    assert sizes(found)
    assert all(25 <= size <= 31 for size in sizes(found)), "at least 70% of the objects' size"
    assert not verdict_of(crowded(gap=22), options).cases, "smaller than that is not tried"


def test_as_published_nothing_else_is_tried() -> None:
    options = InsertionOptions(as_published=True, controls=0).published()
    assert not verdict_of(crowded(gap=30), options).cases


def test_where_there_is_no_room_around_the_target_it_is_looked_for_elsewhere() -> None:
    """Objects fill the upper left corner; the frame around that in the corner itself is full."""
    world = crowded(gap=0)
    world.boxes = [box for box in world.boxes if box[0] < 160 and box[1] < 120]
    world.labels = [0] * len(world.boxes)
    options = InsertionOptions(relocate=False, per_object=2, footing="anywhere", controls=0)
    found = verdict_of(world, options)
    targets = {case.measurements["target"] for case in found.cases}
    assert targets == set(range(len(world.boxes))), "every object is tested"


def test_the_summary_the_terminal_and_the_page_count_untested_scenes(tmp_path: Path) -> None:
    """The planted subject detects nothing in a scene without objects."""
    summary = run(
        {
            "method": "insertion",
            "subject": {"kind": "planted"},
            "scenes": {"kind": "synthetic", "count": 4, "objects": [0, 1]},
            "objects": {"kind": "synthetic", "count": 6, "seed": 2},
            "insertion": {"per_object": 1, "relocate": False},
            "out": str(tmp_path / "run"),
        }
    ).summary
    untested = summary.units.untested[NOTHING_DETECTED]
    assert 0 < untested < 4
    assert summary.units.tested == 4 - untested == summary.faults.examined
    assert f"{4 - untested} of 4 units examined; {untested} had no detected object" in str(summary)
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert f"of 4 scenes examined; {untested} had no detected object" in page
