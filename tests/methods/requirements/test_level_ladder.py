"""Explanations of whole runs on subjects whose truth is known: which subtask, and from where on."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
import yaml

from snellen.engine.campaign import load_campaign
from snellen.engine.run import run_campaign
from snellen.methods.requirements.level_ladder import ENCODED, LESS, VARIATION
from snellen.scenes.coco.writer import write_coco
from tests.methods.requirements.breaking_subject import BREAKS, MEASURE, known_scenes

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
