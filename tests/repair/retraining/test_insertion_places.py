"""Places are read off the journal, whichever method wrote it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np

from snellen.changes.identity import Identity
from snellen.changes.paste.insert import Insert
from snellen.contract.verdict import Case, Status, Verdict
from snellen.methods.insertion.repair_support import InsertionRepairs
from snellen.methods.robustness.repair_support import RobustnessRepairs
from snellen.repair.retraining.insertion_places import scene_places
from snellen.store.journal import Journal, UnitEnd
from snellen.vision.detections import Detections

SEEN = Detections(
    np.array([[0, 0, 30, 40], [50, 50, 53, 54], [60, 0, 66, 8]]),
    np.array([0, 1, 2]),
    np.array([0.4, 0.9, 0.8]),
)


def case(number: int, role: str = "test", status: str = "failing", **measured: float) -> Case:
    recipe = Insert("o", number, 0, 5, 5)
    return Case(recipe, role, Status(status), SEEN, SEEN, measurements=measured)


def journal(path: Path, *units: list[Case]) -> Journal:
    made = Journal(path / "journal.sqlite")
    for number, cases in enumerate(units):
        verdict = Verdict(tuple(cases))
        made.write(UnitEnd(number, f"u{number}", f"scene {number // 2}", 1, verdict), ("a", "b"))
    return made


def test_only_tests_and_relocations_that_insert_are_places(tmp_path: Path) -> None:
    cases = [
        case(0),
        case(1, "relocation"),
        case(2, "control:patch"),
        case(3, status="holds"),
        case(4, status="flaky"),
        case(5, status="borderline"),
        Case(Identity(), "test", Status.FAILING, SEEN, SEEN),
    ]
    with closing(journal(tmp_path, cases)) as kept:
        [found] = scene_places(kept, InsertionRepairs(), 0.5)
    assert [place.recipe.x for place in found.places] == [0, 1, 3, 4, 5]
    assert [place.recipe.x for place in found.failing] == [0, 1]
    assert found.detections == SEEN


def test_units_of_one_scene_come_together(tmp_path: Path) -> None:
    """Robustness may have a unit for each instance."""
    with closing(journal(tmp_path, [case(0)], [case(1)], [case(2)])) as kept:
        found = scene_places(kept, InsertionRepairs(), 0.5)
    assert [(one.scene, len(one.places)) for one in found] == [("scene 0", 2), ("scene 1", 1)]


def test_a_base_counts_among_all_detections_and_a_target_among_the_strong(tmp_path: Path) -> None:
    cases = [case(0, base=2.0), case(1, target=0.0), case(2, target=1.0), case(3)]
    with closing(journal(tmp_path, cases)) as kept:
        [of_base] = scene_places(kept, RobustnessRepairs(), 0.5)
        [found] = scene_places(kept, InsertionRepairs(), 0.5)
    assert [place.instance for place in of_base.places] == [2, None, None, None]
    assert [place.instance for place in found.places] == [None, 1, 2, None]
    inserted = float(np.hypot(5, 5))
    assert [place.diagonal for place in of_base.places] == [10.0, *[inserted] * 3]
    assert [place.diagonal for place in found.places] == [inserted, 5.0, 10.0, inserted]
    assert found.places[1].centre == (3.5, 2.5)


def test_a_relocation_is_a_place_of_insertion_alone(tmp_path: Path) -> None:
    with closing(journal(tmp_path, [case(0), case(1, "relocation")])) as kept:
        [found] = scene_places(kept, RobustnessRepairs(), 0.5)
    assert [place.recipe.x for place in found.places] == [0]
