"""Explanations of whole runs on subjects whose truth is known: which subtask, and from where on."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from snellen.changes.corruptions.corrupt import CorruptTo
from snellen.changes.recipe import Recipe
from snellen.contract.asked import Asked
from snellen.contract.questions import Answer
from snellen.contract.verdict import TEST, Case, status_of
from snellen.engine.campaign import load_campaign
from snellen.engine.run import run_campaign
from snellen.methods.requirements.level_ladder import ENCODED, LESS, VARIATION, LevelLadder
from snellen.scenes.coco.writer import write_coco
from snellen.scenes.scene import PictureArray, Scene
from snellen.vision.detections import Detections
from snellen.vision.events import Event, EventKind, Severity
from tests.methods.requirements.breaking_subject import BREAKS, MEASURE, known_scenes
from tests.methods.robustness.scene_driver import driven

ONSET = 0.5
QUERY = (
    "SELECT cause, proven, says, coalesce(json_extract(small.measurements, '$.delta_v'), "
    "json_extract(own.measurements, '$.delta_v')) FROM explanations AS e "
    'JOIN cases AS own ON own.unit = e.unit AND own.number = e."case" '
    "LEFT JOIN cases AS small ON small.unit = e.unit AND small.number = e.smallest"
)


def journal(
    folder: Path, breaks: str, transformations: tuple[str, ...] = ("gaussian_noise",), **engine: Any
) -> sqlite3.Connection:
    wanted = [
        {
            "name": name,
            "task": "segmentation",
            "subtask": "whole",
            "transformation": name,
            "measure": MEASURE,
            "threshold": 0.9,
            "thresholds": [0.9],
            "source": {"study": "planted"},
        }
        for name in transformations
    ]
    (folder / "wanted.yaml").write_text(
        yaml.safe_dump({"snellen_requirements": 1, "requirements": wanted})
    )
    write_coco(known_scenes(8), folder / "scenes")
    config = {
        "method": "requirements",
        "subject": {
            "kind": "python",
            "target": f"{__package__}.breaking_subject:Breaking",
            "arguments": {"breaks": breaks, "onset": ONSET},
            "task": "segmentation",
            "score": 0.5,
            "deterministic": True,
        },
        "scenes": {
            "kind": "coco",
            "annotations": str(folder / "scenes/instances.json"),
            "images": str(folder / "scenes/images"),
        },
        "requirements": {"file": "wanted.yaml", "samples": 3},
        "engine": {"workers": 0, "cache": False, **engine},
        "out": str(folder / "run"),
    }
    (folder / "run.yaml").write_text(yaml.safe_dump(config))
    run_campaign(load_campaign(folder / "run.yaml"))
    return sqlite3.connect(folder / "run" / "journal.sqlite")


@pytest.mark.parametrize("broken", BREAKS)
def test_the_subtask_is_named_and_the_least_change_found_within_a_tenth(
    broken: str, tmp_path: Path
) -> None:
    with journal(tmp_path, broken) as db:
        found = db.execute(QUERY).fetchall()
        asked = db.execute(
            'SELECT count(*) FROM rungs GROUP BY unit, "case" ORDER BY 1 DESC'
        ).fetchall()
    assert len(found) >= 8
    for cause, proven, says, change in found:
        assert cause == broken
        assert proven
        assert ONSET <= change <= 1.1 * ONSET + 0.02
        assert f"gaussian_noise breaks {broken} from a visual change of" in says
    assert asked[0][0] <= 2 + 5, "two questions, and at most five of the search"


def test_what_the_same_change_drawn_again_loses_is_proven_for_each_object_alone() -> None:
    """Object 0 breaks from a change of 0.3 on, 1 at this draw only, 2 by encoding as well."""
    own = CorruptTo("frost", 0.8, seed=1, measure=MEASURE)

    def case(recipe: Recipe, role: str, change: float) -> Case:
        lost = [0] * (change >= 0.3) + [1] * (recipe == own) + [2] * (change in (0.0, 0.8))
        events = tuple(
            Event(EventKind.LOST, 0, one, None, 0.9 - one / 10, Severity.HARD, box=(0, 0, 9, 9))
            for one in lost
        )
        nothing, measured = Detections.empty(), {"delta_v": change}
        return Case(recipe, role, status_of(events), nothing, nothing, events, measured)

    def judge(asked: Asked) -> Case:
        recipe = asked.recipe
        change = recipe.delta_v if isinstance(recipe, CorruptTo) else 0.0
        return case(recipe, asked.role, change)

    scene = Scene("scene", PictureArray(np.zeros((40, 40, 3), np.uint8)), (40, 40))
    ladder = LevelLadder(case(own, TEST, 0.8), scene, judge, lambda *_: "localise")
    found = driven(ladder.climb(2), lambda _: Answer(Detections.empty()))
    proven = {one.about[0].before: one.proven for one in (found, *found.others)}
    assert proven == {0: True, 1: False, 2: False}
    assert found.smallest is not None
    assert 0.3 <= found.smallest.measurements["delta_v"] <= 0.33
    assert found.others[0].says == (
        "frost breaks localise at a visual change of 0.8; the same change drawn again does not; "
        "encoding the unchanged scene again does not"
    )
    assert found.others[1].says.endswith("; so does encoding the unchanged scene again")


def test_one_object_under_two_transformations_is_two_faults(tmp_path: Path) -> None:
    with journal(tmp_path, "classify", ("gaussian_noise", "frost")) as db:
        keys = {key for (key,) in db.execute("SELECT DISTINCT key FROM struck")}
        causes = {cause for (cause,) in db.execute("SELECT DISTINCT cause FROM explanations")}
    assert {key.rpartition(" under ")[2] for key in keys} == {"gaussian_noise", "frost"}
    assert causes == {"classify"}


def test_a_perfect_subject_is_asked_nothing_more(tmp_path: Path) -> None:
    with journal(tmp_path, "") as db:
        assert db.execute("SELECT count(*) FROM explanations").fetchone() == (0,)
        roles = {role for (role,) in db.execute("SELECT DISTINCT role FROM cases")}
    assert roles <= {"test", "check:reencode"}


def test_a_spent_budget_leaves_what_is_known(tmp_path: Path) -> None:
    with journal(tmp_path, "localise", questions=8 * 7) as db:
        found = db.execute(QUERY).fetchall()
        names = {name for (name,) in db.execute("SELECT DISTINCT name FROM rungs")}
    assert found
    assert {cause for cause, *_ in found} <= {"localise"}
    assert names <= {VARIATION, ENCODED, LESS}
