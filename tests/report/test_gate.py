"""The gate: when it opens, what it says, and what CI systems read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from snellen.errors import UserError
from snellen.report.gate import Gate, gate_of, gated, required
from snellen.report.junit_tests import add_tests
from snellen.store.summary import RequirementVerdict
from tests.report.comparison.compared_runs import OPTIONS, Made, requirement, write_run
from tests.summaries import made_summary

SCENES = [f"s{n:03}" for n in range(50)]
BLIND = Made(changed=0.5)


def told(status: str, **more: Any) -> RequirementVerdict:
    known = {"name": f"r-{status}", "status": status, "value": 0.1, "low": 0.05, "high": 0.2}
    return RequirementVerdict.model_validate({**known, "says": f"it is {status}", **more})


@pytest.mark.parametrize(
    ("statuses", "code", "word"),
    [
        (["satisfied"], 0, "passed"),
        (["satisfied", "satisfied"], 0, "passed"),
        (["satisfied", "violated"], 1, "failed"),
        (["undecided", "violated"], 1, "failed"),
        (["satisfied", "undecided"], 3, "no verdict"),
        ([], 3, "no verdict"),
    ],
)
def test_only_a_gate_with_nothing_open_passes(statuses: list[str], code: int, word: str) -> None:
    gate = gate_of(made_summary(requirements=[told(one) for one in statuses]), Path("run"))
    assert (gate.code, gate.word) == (code, word)
    assert f"gate: {word}" in gate.lines()[-1]
    assert gate.to_json()["exit_code"] == code


def test_the_worst_comes_first() -> None:
    gate = Gate(tuple(told(one) for one in ("satisfied", "undecided", "violated")))
    assert [line.split()[0] for line in gate.lines()] == [
        "violated", "undecided", "satisfied", "gate:",
    ]  # fmt: skip
    assert gate.lines()[-1] == "gate: failed (1 satisfied, 1 undecided, 1 violated)"


def test_a_run_of_which_scenes_failed_does_not_pass() -> None:
    """A subject that crashes on hard scenes is judged on the easy ones alone."""
    units = {"total": 9, "done": 8, "errors": 1, "left_out": 0}
    summary = made_summary(units=units, requirements=[told("satisfied")])
    gate = gate_of(summary, Path("run"))
    assert gate.code == 3
    assert "1 of 9 scenes ended in an error" in gate.missing[0]
    assert gate.missing[0].endswith("snellen run run/config.yaml --resume --retry-errors")
    assert gate_of(made_summary(requirements=[told("violated")]), Path("run")).code == 1


def test_a_run_that_was_cut_does_not_pass_but_one_with_a_budget_may() -> None:
    units = {"total": 9, "done": 5, "errors": 0, "left_out": 4}
    summary = made_summary(units=units, requirements=[told("satisfied")])
    assert gate_of(summary, Path("run"), finished=False).code == 3
    assert gate_of(summary, Path("run")).code == 0


@pytest.mark.parametrize(
    ("made", "more", "code"),
    [
        (Made(), {}, 0),
        (BLIND, {}, 1),
        (Made(), {"errors": 1}, 3),
        (Made(found=0.0, changed=0.0, phantoms=0.0), {}, 3),
    ],
)
def test_a_run_is_gated_by_its_journal(
    made: Made, more: dict[str, Any], code: int, tmp_path: Path
) -> None:
    folder = write_run(tmp_path / "run", made, SCENES, [requirement(margin=0.1)], **more)
    gate = gated(folder)
    assert gate.code == code, gate.lines()
    summary = json.loads((folder / "summary.json").read_text())
    assert [one["status"] for one in summary["requirements"]] == [
        one.status for one in gate.requirements
    ]


def test_junit_has_one_case_for_each_requirement(tmp_path: Path) -> None:
    wanted = [
        requirement("met", subtask="classify", margin=0.2),
        requirement("missed <&>"),
        requirement("open", label="dog", margin=0.4, thresholds=[0.8]),
    ]
    folder = write_run(tmp_path / "run", BLIND, SCENES, wanted)
    gate = gated(folder)
    suite = ElementTree.parse(folder / "junit.xml").getroot()[0]
    cases = {str(one.get("name")): one for one in suite.findall("testcase")}
    assert set(cases) == {"met", "missed <&>", "open"}, "events alone fail nothing here"
    tags = {"satisfied": None, "violated": "failure", "undecided": "skipped"}
    statuses = {one.name: one.status.value for one in gate.requirements}
    assert sorted(statuses.values()) == ["satisfied", "undecided", "violated"]
    for name, case in cases.items():
        children = [child.tag for child in case]
        assert children == ([tags[statuses[name]]] if tags[statuses[name]] else [])
    failure = cases["missed <&>"].find("failure")
    assert failure is not None
    assert "recall of any label falls by" in str(failure.get("message"))
    assert "loss: 0." in str(failure.text)
    assert "margin: 0.05" in str(failure.text)
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "1", "1")


def test_scenes_that_failed_are_errors_beside_the_requirements(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", Made(), SCENES, errors=2)
    gated(folder)
    suite = ElementTree.parse(folder / "junit.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("errors")) == ("3", "2")


def test_a_loss_that_is_not_known_is_said_to_be_so() -> None:
    suite = ElementTree.Element("testsuite")
    add_tests(suite, "x", [told("undecided", value=None, low=None, high=None)], "loss")
    assert "loss: unknown" in str(suite.findtext("testcase/skipped"))


def test_the_names_of_requirements_are_known_before_anything_is_run(tmp_path: Path) -> None:
    known = {"snellen_requirements": 1, "requirements": [requirement("a"), requirement(
        "b", subtask="classify")]}  # fmt: skip
    (tmp_path / "requirements.yaml").write_text(yaml.safe_dump(known))
    config = {
        "method": "requirements",
        "subject": {"kind": "planted"},
        "scenes": {"kind": "synthetic"},
        "requirements": OPTIONS,
    }
    path = tmp_path / "config.yaml"
    path.write_text(yaml.safe_dump(config))
    assert required(path) == ("a", "b")
    path.write_text(yaml.safe_dump({**config, "requirements": {**OPTIONS, "only": ["b"]}}))
    assert required(path) == ("b",)
    path.write_text(yaml.safe_dump({**config, "method": "identity"}))
    with pytest.raises(UserError, match="checks no requirements"):
        required(path)
    assert required(write_run(tmp_path / "run", Made(), SCENES[:3])) == ("frost",)


def test_a_run_without_requirements_has_no_verdict(run_folder: Any) -> None:
    folder = run_folder("fine")
    gate = gated(folder)
    assert gate.code == 3
    assert "checks no requirements" in gate.lines()[0]
    with pytest.raises(UserError, match="checks no requirements"):
        required(folder)
