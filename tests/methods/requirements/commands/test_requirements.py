"""`snellen requirements` as a user has it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from snellen.errors import UserError
from snellen.methods.human.answers.answer_files import read_human
from snellen.methods.human.estimate import EstimateRequest
from snellen.methods.human.estimation import estimates
from snellen.methods.requirements.commands.requirements import app
from snellen.methods.requirements.specification.margin_composition import margins_of
from snellen.methods.requirements.specification.requirement_file import read_requirements
from tests.methods.human.simulated_answers import write_boxes

VOC = ["--source", "decompovision-voc", "--label", "person", "--transformation", "frost"]


def asked(*words: object) -> str:
    result = CliRunner().invoke(app, [str(word) for word in words])
    if isinstance(result.exception, UserError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def test_published_thresholds_become_a_file(tmp_path: Path) -> None:
    out = tmp_path / "person.yaml"
    printed = asked(
        "generate", "--task", "segmentation", *VOC, "--kind", "correctness", "--out", out
    )
    assert "person-frost-localise-correctness: up to a visual change of 0.6 and 0.9" in printed
    found = read_requirements(out)
    assert [one.subtask for one in found] == ["localise", "classify", "segment", "whole"]
    assert {one.measure for one in found} == {"vifp(sigma_nsq=0.4)"}
    assert {one.confidence for one in found} == {0.95}
    *parts, whole = (one.margin for one in found)
    assert whole == 0.02
    assert parts == [0.0066] * 3, "parts add up to the whole"
    assert asked("show", out) in printed
    shown = json.loads(asked("show", out, "--json"))
    assert [one["name"] for one in shown] == [one.name for one in found]


def test_both_kinds_are_the_default_and_shared_subtasks_are_there_once(tmp_path: Path) -> None:
    out = tmp_path / "person.yaml"
    printed = asked("generate", "--task", "detection", "--task", "segmentation", *VOC, "--out", out)
    assert "shared by detection and segmentation" in printed
    found = read_requirements(out)
    assert len(found) == 10
    assert {one.kind for one in found} == {"correctness", "preservation"}


def test_own_thresholds_bring_the_direct_one_as_naive(tmp_path: Path) -> None:
    path = write_boxes(tmp_path / "boxes.csv", np.random.default_rng(5), 0.7, 2.0, 0.4)
    wanted = EstimateRequest(
        "decompovision", None, "correctness", "detection", "person", replicates=20
    )
    [estimate] = estimates(read_human(path), wanted)
    thresholds, out = tmp_path / "thresholds.json", tmp_path / "own.yaml"
    thresholds.write_text(json.dumps(estimate.to_json()))
    asked("generate", "--task", "detection", "--thresholds", thresholds, "--out", out)
    found = {one.subtask: one for one in read_requirements(out)}
    assert found["whole"].threshold == found["localise"].threshold == pytest.approx(0.7)
    assert found["whole"].naive == pytest.approx(0.7)
    assert found["classify"].source.limited_by_data
    assert found["whole"].source.sha256 == estimate.sha256


def test_margins_from_people_are_what_they_lose_up_to_the_threshold(tmp_path: Path) -> None:
    path = write_boxes(tmp_path / "boxes.csv", np.random.default_rng(5), 0.7, 2.0, 0.4)
    wanted = EstimateRequest(
        "decompovision", None, "correctness", "detection", "person", replicates=60
    )
    [estimate] = estimates(read_human(path), wanted)
    thresholds, out = tmp_path / "thresholds.json", tmp_path / "own.yaml"
    thresholds.write_text(json.dumps(estimate.to_json()))
    shared = ("generate", "--task", "detection", "--thresholds", thresholds, "--out", out)
    printed = asked(*shared, "--margin", "human")
    assert "no more loss than people" in printed
    found = read_requirements(out)
    assert {one.margin for one in found} == {"human"}
    localise = margins_of(found)[found[0].name]["recall"]
    assert localise.low <= localise.value <= localise.high
    assert localise.source == "people"


def test_margins_from_people_need_their_answers(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="does not say what people lose of precision and recall"):
        asked("generate", "--task", "detection", *VOC, "--margin", "human",
              "--out", tmp_path / "a.yaml")  # fmt: skip
    with pytest.raises(UserError, match="--margin: found '2%'"):
        asked("generate", "--task", "detection", *VOC, "--margin", "2%",
              "--out", tmp_path / "a.yaml")  # fmt: skip


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ([], "no thresholds. Pass --source decompovision-voc"),
        (["--source", "decompovision-voc"], "--label and --transformation"),
        ([*VOC[:-1], "fog"], "has no thresholds for person under fog"),
        (["--thresholds", "none.json"], "none.json: no such file"),
    ],
)
def test_a_mistake_says_what_to_do(tmp_path: Path, words: list[str], printed: str) -> None:
    with pytest.raises(UserError, match=printed):
        asked("generate", "--task", "detection", *words, "--out", tmp_path / "out.yaml")
    assert not (tmp_path / "out.yaml").exists()
