"""Whole evaluations of planted subjects, whose truth is known."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.errors import UserError
from snellen.repair.data_split.leakage import DataPart
from snellen.repair.evaluation.evaluation import Evaluation
from snellen.repair.evaluation.paired_evaluation import evaluate_pair
from snellen.repair.evaluation.repair_verdict import RepairVerdict
from snellen.repair.iteration import still_falls
from snellen.scenes.scene import SceneSet
from snellen.scenes.synthetic.generator import SyntheticOptions, synthetic_scenes
from snellen.vision.precision.average_precision import evaluate
from tests.repair.evaluation.conftest import Runs
from tests.repair.evaluation.planted_runs import METHODS, SCENES

TRAINED = [DataPart("training", synthetic_scenes(SyntheticOptions(count=4, seed=77)).scenes)]


def own_scenes() -> SceneSet:
    return synthetic_scenes(SyntheticOptions.model_validate(SCENES["robustness"]))


def judged(before: Path, after: Path) -> Evaluation:
    return evaluate_pair(before, after, trained_on=TRAINED, by_id=False)


@pytest.mark.parametrize("first", ["run", "same"])
def test_a_mended_subject_is_more_robust_with_all_failures_repaired_and_none_new(
    first: str, planted: Runs
) -> None:
    found = judged(planted(first), planted("mended"))
    assert (found.verdict, found.reasons) == (RepairVerdict.MORE_ROBUST, ())
    assert found.failures.before.value > 0.3
    assert found.failures.after.value == 0
    assert found.repaired.value == found.failures.before.value
    assert found.new.failing == 0
    assert found.shares.almost_none.value == 1
    assert found.undetected.after.value == 0
    assert found.by_level[1].difference.value < 0
    assert set(found.by_level) == {1, 2}
    assert found.held.held_out is True


def test_a_spoilt_subject_is_worse(planted: Runs) -> None:
    found = judged(planted("mended"), planted("same"))
    assert found.verdict == RepairVerdict.WORSE
    assert found.shares.instances == 0
    assert found.all_shares.more.value > 0.5


def test_the_same_subject_twice_changes_nothing(planted: Runs) -> None:
    found = judged(planted("run"), planted("same"))
    assert found.verdict == RepairVerdict.NOT_SHOWN
    assert found.failures.difference.value == 0
    assert found.failures.difference.low < 0 < found.failures.difference.high
    assert found.failures.difference.p == 1
    assert found.shares.unchanged.value == 1
    assert found.uncertainty is not None
    assert found.uncertainty.difference.value == 0
    assert any("the same subject" in line for line in found.warnings)


def test_a_gain_on_what_it_was_repaired_with_is_refused_the_word(planted: Runs) -> None:
    parts = [*TRAINED, DataPart("repair scenes", own_scenes().scenes[:3])]
    found = evaluate_pair(planted("run"), planted("mended"), trained_on=parts, by_id=False)
    assert found.verdict == RepairVerdict.SEEN_BEFORE
    assert "repair scenes" in found.reasons[0]
    assert found.failures.after.value == 0  # the figures are still reported


def test_a_gain_with_the_objects_it_was_repaired_with_is_refused_too(planted: Runs) -> None:
    found = judged(planted("run"), planted("mended"))
    assert found.held.judged_on.objects > 0
    from snellen.repair.evaluation.evaluation_sides import opened_sides

    with opened_sides(planted("run"), planted("run")) as (side, _):
        some = min(side.inserted())
    parts = [DataPart("repair", TRAINED[0].scenes, {some: ""})]
    found = evaluate_pair(planted("run"), planted("mended"), trained_on=parts, by_id=False)
    assert found.verdict == RepairVerdict.SEEN_BEFORE
    assert some in found.reasons[0]


def test_what_it_was_trained_on_must_be_known(planted: Runs) -> None:
    found = evaluate_pair(planted("run"), planted("mended"), trained_on=None)
    assert found.verdict == RepairVerdict.NOT_SHOWN
    assert "unknown" in found.reasons[0]


def test_blindness_is_no_robustness(planted: Runs) -> None:
    """It loses objects in the unchanged scene: gone, strict failures, and a lower clean AP."""
    found = judged(planted("same"), planted("blind"))
    assert found.undetected.after.value > 0
    assert found.failures.after.value > found.failures_detected.after.value
    assert found.precision is not None
    assert found.precision.change.difference.value < -0.1
    assert found.verdict == RepairVerdict.WORSE


def test_clean_ap_is_that_of_the_evaluation_over_every_scene(planted: Runs) -> None:
    from snellen.repair.evaluation.evaluation_sides import opened_sides

    found = judged(planted("same"), planted("blind")).precision
    assert found is not None
    assert (found.scenes, found.of) == (12, 12)
    scenes = own_scenes()
    with opened_sides(planted("same"), planted("blind")) as sides:
        for side, value in zip(sides, (found.change.before, found.change.after), strict=True):
            answers = side.answers()
            seen = [answers[scene.id] for scene in scenes]
            truths = [scene.annotations for scene in scenes if scene.annotations is not None]
            expected = evaluate(seen, truths, classes=len(scenes.classes)).value()
            assert value.value == pytest.approx(expected)


def test_annotations_may_come_from_elsewhere_or_from_nowhere(planted: Runs) -> None:
    found = evaluate_pair(
        planted("run"), planted("mended"), trained_on=TRAINED, annotations=SceneSet(()), by_id=False
    )
    assert found.precision is None
    assert found.verdict == RepairVerdict.NOT_SHOWN
    assert "clean AP is unknown" in found.reasons[0]


def test_the_json_is_plain_and_whole(planted: Runs) -> None:
    output = judged(planted("run"), planted("half")).to_json()
    text = json.dumps(output, allow_nan=False)
    assert json.loads(text) == output
    rate = output["failure_rate"]
    assert rate["after"]["failing"] < rate["before"]["failing"]
    assert (
        rate["before"]["cases"] == rate["after"]["cases"] == output["per_hundred"]["new"]["tests"]
    )
    gap = output["per_hundred"]["new"]["value"] - output["per_hundred"]["repaired"]["value"]
    assert gap == pytest.approx(100 * rate["difference"]["value"])
    shares = output["shares"]["all"]
    assert sum(shares[key]["value"] for key in ("pr1", "pr2", "pr3", "unchanged")) == pytest.approx(
        1
    )


def test_insertion_is_evaluated_likewise(planted: Runs) -> None:
    found = judged(planted("run", "insertion"), planted("mended", "insertion"))
    assert found.failures.before.value > 0
    assert found.failures.after.value == 0
    assert found.by_level == {}
    assert set(found.by_class) <= set(own_scenes().classes)
    assert sum(int(one.to_json()["before"]["cases"]) for one in found.by_class.values()) == int(
        found.to_json()["failure_rate"]["before"]["cases"]
    )
    assert found.uncertainty is None


def test_a_run_of_its_own_stands_beside(planted: Runs, tmp_path: Path) -> None:
    values = {
        "method": "robustness", "seed": 3, "scenes": SCENES["robustness"],
        "subject": {"kind": "planted"}, "out": "own", "engine": {"workers": 0},
        "objects": {"kind": "synthetic", "count": 4, "seed": 9, "shade": "deep"},
        "robustness": {**METHODS["robustness"], "tests_per_level": 1, "uncertainty": "none"},
    }  # fmt: skip
    run_campaign(campaign_from(values, tmp_path / "own.yaml"))
    mended, run = planted("mended"), planted("run")
    found = evaluate_pair(run, mended, trained_on=TRAINED, fresh=tmp_path / "own", by_id=False)
    assert found.fresh is not None
    assert found.fresh.rate.value == 0
    assert found.fresh.scenes == 12
    assert found.fresh.difference.value == pytest.approx(-found.failures.before.value)
    with pytest.raises(UserError, match="was not run with the subject"):
        evaluate_pair(run, planted("half"), trained_on=TRAINED, fresh=tmp_path / "own", by_id=False)


def test_rounds_of_repair_stop_when_the_rate_no_longer_falls(planted: Runs) -> None:
    rounds = ["same", "half", "mended", "mended"]
    steps = [
        judged(planted(one), planted(other)).failures.difference for one, other in pairwise(rounds)
    ]
    assert [still_falls(steps[:n]) for n in range(4)] == [True, True, True, False]
