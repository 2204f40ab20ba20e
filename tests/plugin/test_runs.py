"""A run of the plug-in's method: its rows, going on after a kill, replay and comparison."""

from __future__ import annotations

import json
import os
import signal
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from snellen.report.summary import summarise
from snellen.store.journal import journal_of
from tests.cli.test_killed_runs import digest, ended_units, facts
from tests.plugin.conftest import PERFECT, SCENES, Made, Snellen, write_configuration
from tests.processes import Started


def summary_of(run: Path) -> Any:
    return json.loads((run / "summary.json").read_text())


def test_a_blind_eye_is_found_on_the_right_objects(kept_run: Made) -> None:
    summary = summary_of(kept_run("one-eyed"))
    assert summary["failing_cases"] > 0
    assert set(summary["events"]) == {"lost"}, "what appears was there all along"
    halves = summary["own"]["halves"]
    assert halves["left"]["broken"] == 0, "what is blind on the left loses what was on the right"
    assert halves["right"]["broken"] == summary["events"]["lost"]
    assert summary["own"]["causes"] == {"object": 0, "scene": summary["failing_cases"]}
    assert summary["control"] | {"rate": None} == {"cases": 16, "failing": 0, "rate": None}


def test_a_perfect_subject_raises_nothing(kept_run: Made) -> None:
    summary = summary_of(kept_run("perfect"))
    assert (summary["test_cases"], summary["failing_cases"]) == (16, 0)
    assert summary["borderline_cases"] == 0


def test_counterfactual_cases_are_kept_and_not_counted(kept_run: Made) -> None:
    run = kept_run("one-eyed")
    with closing(journal_of(run)) as journal:
        [(parts,)] = journal.rows("SELECT count(*) FROM cases WHERE role = 'part'")
        assert parts == summarise(journal).failing_cases > 0
    assert summary_of(run)["test_cases"] == 16


def test_workers_and_batches_do_not_change_the_rows(
    kept_run: Made, tmp_path: Path, snellen: Snellen
) -> None:
    write_configuration(tmp_path, engine={"workers": 2, "batch": 3})
    done = snellen("run", "mirror.yaml")
    assert done.returncode == 1, done.stderr
    assert digest(tmp_path / "run") == digest(kept_run("one-eyed"))


@pytest.mark.slow
def test_a_killed_run_goes_on_to_the_same_rows(tmp_path: Path, snellen: Snellen) -> None:
    slow = {
        "kind": "planted",
        "fault": "loses",
        "victims": "any",
        "rate": 0.3,
        "sleep_ms": 15,
        "batch": 4,
    }
    write_configuration(tmp_path, subject=slow, scenes={**SCENES, "count": 60})
    process = Started(["snellen", "run", "mirror.yaml"], tmp_path, os.environ)
    limit = time.monotonic() + 60
    while ended_units(tmp_path / "run") < 5:
        assert process.poll() is None
        assert time.monotonic() < limit, "the run makes no headway"
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert 5 <= ended_units(tmp_path / "run") < 60
    assert snellen("run", "mirror.yaml", "--resume").returncode in (0, 1)
    assert snellen("run", "mirror.yaml", "--out", "unbroken").returncode in (0, 1)
    assert digest(tmp_path / "run") == digest(tmp_path / "unbroken")
    assert facts(tmp_path / "run") == facts(tmp_path / "unbroken")
    assert summary_of(tmp_path / "run")["failing_cases"] > 0


def test_a_replay_is_judged_by_the_relation_of_the_plugin(a_run: Made, snellen: Snellen) -> None:
    run = a_run("one-eyed")
    id = sorted((run / "findings").iterdir())[0].name
    recorded = snellen("replay", run, id, "--json")
    assert recorded.returncode == 1, recorded.stderr
    told = json.loads(recorded.stdout)
    assert (told["failing"], told["same_pixels"], told["same_subject"]) == (1, True, True)
    mended = snellen("replay", run, id, "--json", "--set", "subject.arguments={blind: 0.0}")
    assert mended.returncode == 0, mended.stdout
    assert json.loads(mended.stdout)["status"] == ["holds"], "mirrored boxes are as they should be"


def test_two_runs_are_compared(a_run: Made, snellen: Snellen) -> None:
    done = snellen("compare", a_run("one-eyed"), a_run("perfect"), "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["method"] == "mirror"
    same = told["same_cases"]
    assert (same["cases"], same["only_b_fails"]) == (16, 0)
    assert same["only_a_fails"] == told["failure_rate"]["a"]["failing"] > 0
    assert any("tolerated" in one for one in told["warnings"]), "its options differ"


def test_findings_of_an_unsteady_subject_are_confirmed(tmp_path: Path, snellen: Snellen) -> None:
    restless = {"kind": "planted", "fault": "restless", "rate": 0.5}
    write_configuration(tmp_path, subject=restless)
    snellen("run", "mirror.yaml")
    assert summary_of(tmp_path / "run")["flaky_cases"] > 0


def test_a_budget_is_kept(tmp_path: Path, snellen: Snellen) -> None:
    write_configuration(tmp_path, subject=PERFECT, engine={"workers": 0, "questions": 20})
    snellen("run", "mirror.yaml")
    summary = summary_of(tmp_path / "run")
    assert summary["questions"] <= 20
    assert summary["units"]["done"] > 0
