"""Two runs compared, where what each subject does is known."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from snellen.errors import UserError
from snellen.methods.requirements.comparison.requirement_comparison import (
    ComparedRequirements,
)
from snellen.methods.requirements.comparison.rescored_run import rescored
from snellen.report.comparison.comparison import Comparison, compared
from snellen.report.comparison.runs import opened_pair
from snellen.report.comparison.words import lines, verdict
from snellen.report.summary import summarise
from snellen.store.case_rows import case_rows
from snellen.store.compared_run import ComparedRun
from snellen.store.journal import journal_of
from tests.report.comparison.compared_runs import CHANGES, OBJECTS, Made, requirement, write_run

SCENES = [f"s{n:03}" for n in range(42)]
SOUND = Made("sound", seed=1)
BLIND = Made("blind", changed=0.5, seed=2)


def pair(tmp_path: Path, a: Made, b: Made, match: Any = None, **more: Any) -> Comparison:
    write_run(tmp_path / "a", a, SCENES, **more)
    write_run(tmp_path / "b", b, SCENES, **more)
    return compared(tmp_path / "a", tmp_path / "b", match)


def own(found: Comparison) -> ComparedRequirements:
    assert isinstance(found.own, ComparedRequirements)
    return found.own


def test_the_subject_that_goes_blind_under_change_loses_more(tmp_path: Path) -> None:
    found = pair(tmp_path, SOUND, BLIND, requirements=[requirement(margin=0.08)])
    [one] = own(found).requirements
    assert [status.value for status in one.status] == ["satisfied", "violated"]
    recall = next(each for each in one.losses if each.metric == "recall")
    assert recall.difference.low > 0.3, "B loses 40 points of recall, A none"
    assert found.tests.difference.low > 0
    assert verdict(found) == "B fails more often than A."
    text = "\n".join(lines(found))
    assert "frost: satisfied, violated" in text
    assert "warning" not in text
    back = compared(tmp_path / "b", tmp_path / "a")
    assert verdict(back) == "B fails less often than A."
    assert own(back).requirements[0].losses[1].difference.value == pytest.approx(
        -recall.difference.value
    )


def test_verdicts_are_those_of_the_runs_themselves(tmp_path: Path) -> None:
    wanted = [
        requirement(f"r{n}", margin=margin, kind=kind, thresholds=[0.5, 0.8])
        for n, (margin, kind) in enumerate(
            (margin, kind)
            for margin in (0.01, 0.05, 0.45)
            for kind in ("correctness", "preservation")
        )
    ]
    found = pair(tmp_path, SOUND, BLIND, requirements=wanted)
    told = {one.name: [status.value for status in one.status] for one in own(found).requirements}
    for place, name in enumerate("ab"):
        with closing(journal_of(tmp_path / name)) as journal:
            verdicts = summarise(journal).requirements
        assert {one.name: one.status.value for one in verdicts} == {
            name: statuses[place] for name, statuses in told.items()
        }
    assert len({tuple(one) for one in told.values()}) > 2, "the margins make a difference"


def test_clean_metrics_are_counts_over_counts(tmp_path: Path) -> None:
    found = pair(tmp_path, SOUND, replace(BLIND, found=0.6))
    for made, side in ((SOUND, "a"), (replace(BLIND, found=0.6), "b")):
        clean = [answers[0].above(0.5) for answers in made.answers(len(SCENES))]
        right = sum(int((one.boxes[:, 1] == 0).sum()) for one in clean)
        seen = sum(len(one) for one in clean)
        assert getattr(own(found).clean["precision"], side).value == pytest.approx(right / seen)
        recall = right / (OBJECTS * len(SCENES))
        assert getattr(own(found).clean["recall"], side).value == pytest.approx(recall)
    gap = own(found).clean["recall"].difference
    assert gap.value == pytest.approx(
        own(found).clean["recall"].b.value - own(found).clean["recall"].a.value
    )
    assert gap.high < 0
    assert own(found).clean["average precision"].difference.high < 0


def test_average_precision_is_the_area_under_the_curve(tmp_path: Path) -> None:
    """One score for all that is found, and phantoms: an area that can be had by hand."""
    made = replace(SOUND, phantoms=0.0)
    found = pair(tmp_path, made, replace(made, found=0.5, seed=4))
    for side in "ab":
        recall = getattr(own(found).clean["recall"], side).value
        assert getattr(own(found).clean["average precision"], side).value == pytest.approx(recall)


@pytest.mark.parametrize("score", [0.2, 0.5, 0.95])
def test_a_run_judged_at_another_threshold_is_the_run_made_at_it(
    score: float, tmp_path: Path
) -> None:
    """Cases that fail and outcomes of both kinds, as if the subject had had that threshold."""
    write_run(tmp_path / "a", BLIND, SCENES)
    write_run(tmp_path / "b", replace(BLIND, score=score), SCENES)
    with opened_pair(tmp_path / "a", tmp_path / "b") as (a, b):
        judged, notes = rescored(a, case_rows(a.journal, SCENES), score)
        expected = case_rows(b.journal, SCENES)
        assert [one.failing for one in judged] == [one.failing for one in expected]
        assert json.loads(json.dumps(notes)) == b.notes


def test_unmatched_operating_points_are_told_in_one_sentence(tmp_path: Path) -> None:
    found = pair(tmp_path, replace(SOUND, phantoms=0.9), replace(SOUND, phantoms=0.9, score=0.1))
    [told] = found.warnings
    assert told.startswith("operating points are not matched: A is judged at score 0.5 (precision")
    assert "0.05 and 0.5" in told
    assert told.endswith("Pass --match precision")


def test_b_is_judged_at_the_precision_of_a(tmp_path: Path) -> None:
    doubtful = replace(SOUND, phantoms=0.9)
    found = pair(tmp_path, doubtful, replace(doubtful, score=0.1), "precision")
    a, b = found.subjects
    assert a.point is not None
    assert b.point is not None
    assert b.run_score == 0.1
    assert b.score > 0.35, "above the doubtful phantoms, as A is"
    assert b.point.precision == pytest.approx(a.point.precision)
    assert not found.warnings
    assert (found.same.only_a, found.same.only_b) == (0, 0), "it is the same subject"
    assert found.tests.difference.value == 0
    assert all(each.difference.value == 0 for one in own(found).requirements for each in one.losses)


def test_b_is_judged_at_the_threshold_of_a(tmp_path: Path) -> None:
    found = pair(tmp_path, SOUND, replace(SOUND, score=0.1), "threshold")
    assert found.subjects[1].score == 0.5
    assert (found.same.only_a, found.same.only_b) == (0, 0)


@pytest.mark.parametrize(
    ("a", "b", "match", "words"),
    [
        (
            Made(score=0.1),
            Made(floor=0.3),
            "threshold",
            "answers were recorded down to a score of 0.3",
        ),
        (
            Made(phantoms=0),
            Made(phantoms=1.0, doubt=0.9),
            "precision",
            "does not reach at any threshold",
        ),
    ],
)
def test_a_threshold_that_cannot_be_had_is_refused(
    a: Made, b: Made, match: str, words: str, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=words):
        pair(tmp_path, a, b, match)


def test_a_precision_that_lies_below_the_floor_is_told(tmp_path: Path) -> None:
    found = pair(tmp_path, Made(phantoms=1.0, doubt=0.9), Made(phantoms=0.1), "precision")
    assert any(
        "can't be reached: B's answers were recorded down to" in one for one in found.warnings
    )


def test_precision_is_not_known_without_annotations(tmp_path: Path) -> None:
    only = [requirement(kind="preservation")]
    found = pair(tmp_path, SOUND, replace(BLIND, score=0.3), annotated=False, requirements=only)
    assert not own(found).clean
    assert [one.name for one in own(found).requirements] == ["frost"]
    assert any(one.endswith("Run both at one score") for one in found.warnings)
    with pytest.raises(UserError, match="no common scene is annotated"):
        compared(tmp_path / "a", tmp_path / "b", "precision")


def test_only_scenes_that_both_examined_are_compared(tmp_path: Path) -> None:
    write_run(tmp_path / "a", SOUND, SCENES[:40], errors=2)
    write_run(tmp_path / "b", SOUND, SCENES[20:55], seed=5)
    found = compared(tmp_path / "a", tmp_path / "b")
    assert found.scenes == 20
    assert found.tests.a.cases == found.tests.b.cases == 20 * len(CHANGES)
    told = " ".join(found.warnings)
    assert "A examined 40 scenes; the 20 common ones are compared" in told
    assert "2 scenes of A ended in an error" in told
    assert "the seeds differ, 1 and 5" in told
    assert "the scenes are read from different places" in told


def test_what_differs_beside_the_subject_is_told(tmp_path: Path) -> None:
    write_run(tmp_path / "a", SOUND, SCENES, [requirement(), requirement("only-a")])
    other = replace(BLIND, options={"iou": 0.6}, floor=0.3)
    write_run(tmp_path / "b", other, SCENES, [requirement(margin=0.3)])
    found = compared(tmp_path / "a", tmp_path / "b")
    told = " ".join(found.warnings)
    assert "options of method requirements differ: iou" in told
    assert "requirements that only one run has, or that differ: frost, only-a" in told
    assert "average precisions cover different ranges" in told
    assert not own(found).requirements
    same = compared(tmp_path / "a", tmp_path / "a")
    assert same.warnings == ("both runs have the same subject with the same settings",)


def test_the_same_requirements_from_another_file_are_no_difference(tmp_path: Path) -> None:
    write_run(tmp_path / "a", replace(SOUND, options={"file": "a.yml"}), SCENES, [requirement()])
    write_run(tmp_path / "b", replace(BLIND, options={"file": "b.yml"}), SCENES, [requirement()])
    found = compared(tmp_path / "a", tmp_path / "b")
    assert not any("options" in one for one in found.warnings)
    assert [one.name for one in own(found).requirements] == ["frost"]


def test_runs_that_have_nothing_in_common_are_refused(tmp_path: Path, runs: Any) -> None:
    write_run(tmp_path / "a", SOUND, SCENES[:5])
    write_run(tmp_path / "b", SOUND, SCENES[5:10])
    with pytest.raises(UserError, match="no scene in common"):
        compared(tmp_path / "a", tmp_path / "b")
    with pytest.raises(UserError, match=r"method requirements.*of identity"):
        compared(tmp_path / "a", runs("fine"))
    with pytest.raises(UserError, match="is not a run folder"):
        compared(tmp_path / "a", tmp_path / "nowhere")


def test_runs_of_any_method_are_compared(run_folder: Any) -> None:
    """A subject that always gives the same answers and one that does not."""
    fine, restless = run_folder("fine"), run_folder("identity")
    found = compared(fine, restless)
    assert found.method == "identity"
    assert (found.same.both, found.same.only_a) == (0, 0)
    with closing(journal_of(restless)) as journal:
        failing = summarise(journal).failing_cases
    assert found.same.only_b == found.tests.b.failing == failing > 0
    assert found.to_json()["clean"] == {}
    assert found.to_json()["requirements"] == []
    assert compared(fine, restless, "threshold").same.only_b == failing, "their scores are equal"
    with pytest.raises(UserError, match="can't be judged at another threshold"):
        compared(fine, restless, "precision")


def test_the_json_has_only_numbers_that_json_has(tmp_path: Path) -> None:
    found = pair(tmp_path, Made(found=0, changed=0, phantoms=0), SOUND)
    text = json.dumps(found.to_json(), allow_nan=False)
    assert {"a", "b", "failure_rate", "same_cases", "clean", "requirements"} <= set(
        json.loads(text)
    )
    assert "\n".join(lines(found)), "words are found for it too"


def test_places_on_disk_decide_whether_scenes_are_the_same(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "x").mkdir()
    write_run(tmp_path / "run", SOUND, SCENES[:3])
    with closing(journal_of(tmp_path / "run")) as journal:
        here = {"base": str(tmp_path), "scenes": {"path": "photos"}}
        there = {"base": str(tmp_path / "x"), "scenes": {"path": "../photos"}}
        one, other = (ComparedRun("A", tmp_path, journal, config) for config in (here, there))
        assert one.data("scenes") == other.data("scenes")
