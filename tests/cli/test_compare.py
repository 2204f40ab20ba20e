"""`snellen compare` as a user has it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from tests.cli.conftest import Snellen
from tests.report.comparison.compared_runs import Made, requirement, write_run

SCENES = [f"s{n:03}" for n in range(50)]


def test_a_person_and_a_machine_read_the_same(snellen: Snellen, tmp_path: Path) -> None:
    wanted = [requirement(margin=0.1)]
    write_run(tmp_path / "old", Made("old"), SCENES, wanted)
    write_run(tmp_path / "new", Made("new", changed=0.5, seed=2), SCENES, wanted)
    output = snellen("compare", "old", "new")
    assert output.returncode == 0, output.stderr
    assert "A: old, old, judged at score 0.5, precision" in output.stdout
    assert "B fails more often than A." in output.stdout
    assert "frost: satisfied, violated" in output.stdout
    values = json.loads(snellen("compare", "old", "new", "--json").stdout)
    assert values["failure_rate"]["difference"]["low"] > 0
    assert values["requirements"][0]["status"] == {"a": "satisfied", "b": "violated"}
    assert values["same_cases"]["cases"] == 150
    assert values["warnings"] == []


def test_operating_points_are_matched_on_demand(snellen: Snellen, tmp_path: Path) -> None:
    write_run(tmp_path / "a", Made(phantoms=0.9), SCENES)
    write_run(tmp_path / "b", replace(Made(phantoms=0.9), score=0.1), SCENES)
    assert "warning: operating points are not matched" in snellen("compare", "a", "b").stdout
    matched = snellen("compare", "a", "b", "--match", "precision")
    assert "warning" not in matched.stdout
    assert "(run at 0.1)" in matched.stdout


def test_what_cannot_be_compared_ends_with_2(fresh_snellen: Snellen, tmp_path: Path) -> None:
    write_run(tmp_path / "a", Made(), SCENES[:3])
    write_run(tmp_path / "b", Made(), SCENES[3:6])
    output = fresh_snellen("compare", "a", "b")
    assert output.returncode == 2
    assert "no scene in common" in output.stderr
    assert "Traceback" not in output.stderr
