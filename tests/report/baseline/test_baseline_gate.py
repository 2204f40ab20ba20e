"""Runs gated against a baseline, where what each subject does is known."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from snellen.errors import UserError
from snellen.report.baseline.baseline_gate import BaselineGate, GateRules, gated_against
from snellen.report.baseline.gate_files import write_gate
from snellen.report.baseline.gate_markdown import gate_markdown
from snellen.report.baseline.gated_number import ChangeStatus
from tests.report.comparison.compared_runs import Made, requirement, write_run

SCENES = [f"s{n:03}" for n in range(40)]
SOUND = Made("sound", seed=1)
BLIND = Made("blind", changed=0.5, seed=2)
LOOSE = GateRules(margin=0.2)


def gate(
    tmp_path: Path, a: Made, b: Made, rules: GateRules | None = None, **more: Any
) -> BaselineGate:
    """The gate of b against a; more: of the new run only."""
    write_run(tmp_path / "old", a, SCENES)
    write_run(tmp_path / "new", b, SCENES, **more)
    return gated_against(tmp_path / "new", tmp_path / "old", rules)


def statuses(found: BaselineGate) -> dict[str, str]:
    return {one.number.name: one.status.value for one in found.numbers}


def test_a_subject_that_goes_blind_under_change_is_worse_in_what_it_lost(tmp_path: Path) -> None:
    found = gate(tmp_path, SOUND, BLIND)
    known = statuses(found)
    assert known["failure rate"] == "worse"
    assert known["frost: loss of recall"] == "worse"
    assert known["average precision on unchanged scenes"] != "worse", "it sees as well as before"
    assert (found.code, found.word) == (1, "failed")
    back = gated_against(tmp_path / "old", tmp_path / "new")
    assert back.code == 0, "the other way round it is better"
    assert not back.of(ChangeStatus.WORSE)


def test_the_values_of_a_number_are_those_of_the_runs(tmp_path: Path) -> None:
    found = gate(tmp_path, SOUND, BLIND)
    numbers = {one.number.name: one.number for one in found.numbers}
    own = found.comparison.to_json()
    clean = own["clean"]["average precision"]
    average = numbers["average precision on unchanged scenes"]
    assert (average.a, average.b) == (clean["a"]["value"], clean["b"]["value"])
    assert average.worse.value == pytest.approx(average.a - average.b), "less is worse"
    recall = next(one for one in own["requirements"][0]["losses"] if one["metric"] == "recall")
    assert numbers["frost: loss of recall"].worse.value == recall["difference"]["value"]
    rate = own["failure_rate"]["difference"]["value"]
    assert numbers["failure rate"].worse.value == pytest.approx(rate)


def test_a_subject_that_sees_less_falls_in_average_precision(tmp_path: Path) -> None:
    found = gate(tmp_path, SOUND, replace(SOUND, found=0.4, changed=0.4, seed=9))
    assert statuses(found)["average precision on unchanged scenes"] == "worse"


def test_the_same_subject_passes_and_what_is_undecided_is_said(tmp_path: Path) -> None:
    found = gate(tmp_path, SOUND, SOUND)
    assert found.code == 0
    assert not found.faults
    text = "\n".join(found.lines())
    assert "more scenes like these would decide it" in text
    assert "gate: passed (0 worse, " in text
    assert "numbers are gated: a false `worse` on any of them" in text
    strict = gated_against(found.folder, tmp_path / "old", GateRules(strict=True))
    assert (strict.code, strict.worse) == (1, False)
    wide = gated_against(found.folder, tmp_path / "old", replace(LOOSE, strict=True))
    assert wide.code == 0, wide.lines()


def test_scenes_that_the_baseline_lacks_too_do_not_matter(tmp_path: Path) -> None:
    assert gate(tmp_path, SOUND, SOUND, LOOSE, errors=2).code == 0


def test_a_new_subject_that_crashes_where_the_old_one_answered_does_not_pass(
    tmp_path: Path,
) -> None:
    write_run(tmp_path / "old", SOUND, [*SCENES, "gone0"])
    write_run(tmp_path / "new", SOUND, SCENES, errors=1)
    found = gated_against(tmp_path / "new", tmp_path / "old", LOOSE)
    assert found.code == 3
    assert "1 of 41 scenes ended in an error" in found.missing[0]
    write_run(tmp_path / "bad", BLIND, SCENES, errors=1)
    assert gated_against(tmp_path / "bad", tmp_path / "old").code == 1, "worse all the same"


def test_new_faults_are_listed_and_fail_only_a_gate_that_forbids_them(tmp_path: Path) -> None:
    """Both subjects fail as often, in other places: other faults, not more of them."""
    found = gate(tmp_path, SOUND, replace(SOUND, seed=11), LOOSE)
    facts = [one for one in found.faults if one.fact]
    assert facts
    assert found.comparison.faults.fixed
    assert found.code == 0
    assert "the baseline passes the same case" in "\n".join(found.lines())
    rules = replace(LOOSE, no_new_faults=True)
    forbidden = gated_against(found.folder, tmp_path / "old", rules)
    assert (forbidden.code, len(forbidden.forbidden)) == (1, len(facts))
    assert "new fault" in gate_markdown(forbidden)


def test_a_fault_that_is_not_new_is_not_forbidden(tmp_path: Path) -> None:
    found = gate(tmp_path, SOUND, SOUND, replace(LOOSE, no_new_faults=True))
    assert (found.code, found.faults) == (0, ())


def test_junit_has_one_case_for_each_number(tmp_path: Path) -> None:
    found = gate(tmp_path, SOUND, BLIND, GateRules(no_new_faults=True))
    page = write_gate(found)
    assert page == found.folder / "gate.html"
    suite = ElementTree.parse(found.folder / "junit.xml").getroot()[0]
    tags = {str(one.get("name")): [each.tag for each in one] for one in suite.findall("testcase")}
    expected = {"worse": ["failure"], "undecided": ["skipped"], "not worse": []}
    assert tags.pop("no new faults") == ["failure"]
    assert tags == {name: expected[status] for name, status in statuses(found).items()}


def test_json_has_every_number_and_no_nan(tmp_path: Path) -> None:
    found = gate(tmp_path, SOUND, BLIND)
    values = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert (values["gate"], values["exit_code"], values["margin"]) == ("failed", 1, 0.01)
    first = values["numbers"][0]
    assert first["name"] == "failure rate"
    assert first["worse_by"]["low"] < first["new"] - first["baseline"] < first["worse_by"]["high"]
    assert len(values["new_faults"]) == len(values["comparison"]["faults"]["new"])


def changed(folder: Path, **values: Any) -> None:
    """Change the configuration of a run that was written."""
    path = folder / "config.yaml"
    path.write_text(yaml.safe_dump({**yaml.safe_load(path.read_text()), **values}))


def another_seed(tmp_path: Path) -> None:
    write_run(tmp_path / "new", SOUND, SCENES, seed=2)


def other_scenes(tmp_path: Path) -> None:
    write_run(tmp_path / "new", SOUND, ["x1", "x2"])


def other_options(tmp_path: Path) -> None:
    write_run(tmp_path / "new", replace(SOUND, options={"iou": 0.7}), SCENES)


def another_budget(tmp_path: Path) -> None:
    write_run(tmp_path / "new", SOUND, SCENES)
    changed(tmp_path / "new", engine={"questions": 10})


def other_objects(tmp_path: Path) -> None:
    write_run(tmp_path / "new", SOUND, SCENES)
    changed(tmp_path / "new", objects={"kind": "synthetic", "seed": 3})


@pytest.mark.parametrize(
    ("write", "words", "end"),
    [
        (another_seed, r"seed \(1 and 2\)", "new/config.yaml --against old --out new-gate"),
        (other_scenes, "no scene in common", "snellen run new --out old-new"),
        (other_options, "requirements.iou", "new/config.yaml --against old --out new-gate"),
        (another_budget, "engine.questions", "new/config.yaml --against old --out new-gate"),
        (other_objects, "in objects", "new/config.yaml --against old --out new-gate"),
    ],
)
def test_what_is_not_comparable_is_refused_with_the_next_command(
    write: Callable[[Path], None],
    words: str,
    end: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    write_run(tmp_path / "old", SOUND, SCENES)
    write(tmp_path)
    with pytest.raises(UserError, match=words) as refused:
        gated_against(Path("new"), Path("old"))
    assert str(refused.value).endswith(end)
    assert not (tmp_path / "new" / "gate.html").exists()


@pytest.mark.parametrize(
    ("finished", "words", "end"),
    [
        (False, "unfinished, 40 of 40", "snellen run old/config.yaml --resume --out old"),
        (None, "is not a run folder", "snellen run CONFIG.yaml --out old"),
    ],
)
def test_a_baseline_that_is_none_is_refused(
    finished: bool | None, words: str, end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if finished is not None:
        write_run(tmp_path / "old", SOUND, SCENES, finished=finished)
    with pytest.raises(UserError, match=words) as refused:
        gated_against(write_run(tmp_path / "new", SOUND, SCENES), Path("old"))
    assert str(refused.value).endswith(end)


def test_a_run_of_another_method_is_refused(
    tmp_path: Path, run_folder: Callable[[str], Path]
) -> None:
    write_run(tmp_path / "old", SOUND, SCENES)
    with pytest.raises(UserError, match="its method is identity, that of the baseline") as refused:
        gated_against(run_folder("fine"), tmp_path / "old")
    assert str(refused.value).endswith(f"--out {tmp_path / 'old'}-identity")


@pytest.mark.parametrize("margin", [-0.1, 1.0, float("nan")])
def test_a_margin_that_is_no_share_is_refused(margin: float) -> None:
    with pytest.raises(UserError, match="expected a share"):
        GateRules(margin=margin)


def test_names_are_literal_in_markdown(tmp_path: Path) -> None:
    """A class or requirement is data: it may not become markup of a pull request."""
    evil = requirement("x|y <img src=x> [a](http://b) @you `c`")
    write_run(tmp_path / "old", SOUND, SCENES, [evil])
    write_run(tmp_path / "new", replace(BLIND, name="<b>*new*"), SCENES, [evil])
    text = gate_markdown(gated_against(tmp_path / "new", tmp_path / "old"))
    assert "<img" not in text
    assert "<b>" not in text
    assert r"x\|y &lt;img src=x&gt; \[a\](http\://b) \@you \`c\`" in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {line.replace(r"\|", "").count("|") for line in rows} == {4}
    assert r"&lt;b&gt;\*new\*" in text
