"""People with a known break: it is found, in the right subtask, with an interval that covers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from snellen.errors import UserError
from snellen.methods.human.answers.answer_files import read_human
from snellen.methods.human.estimate import EstimateRequest, HumanEstimate
from snellen.methods.human.estimation import all_estimates, estimates
from snellen.methods.human.procedures.answer_tally import (
    AnswerTally,
    drawn_within_bins,
)
from snellen.methods.human.procedures.decompovision import DecompoVision
from snellen.methods.human.procedures.icraf import Icraf
from snellen.methods.human.subtasks import TaskName
from snellen.methods.human.threshold import threshold_of
from tests.methods.human.simulated_answers import (
    CLEAN,
    falling,
    write_bins,
    write_boxes,
    write_class_answers,
)

EDGES = np.round(np.arange(1, 101) / 100, 2)
ASKED = np.full(100, 60.0)


def drawn(breaks_at: float, rows: int, seed: int) -> np.ndarray:
    chance = falling(EDGES - 0.005, breaks_at)
    return np.random.default_rng(seed).binomial(60, chance, (rows, 100)).astype(float)


@pytest.mark.parametrize("breaks_at", [0.3, 0.6, 0.8])
def test_the_break_in_bins_is_found(tmp_path: Path, breaks_at: float) -> None:
    path = write_bins(tmp_path / "human_c_p_frost.csv", drawn(breaks_at, 1, 7)[0], ASKED, EDGES)
    [found] = estimates(read_human(path), EstimateRequest(replicates=50))
    assert found.transformation == "frost"
    assert found.composed.value == pytest.approx(breaks_at, abs=0.04)
    assert not found.composed.limited_by_data
    [wide] = estimates(read_human(path), EstimateRequest(procedure="decompovision", replicates=50))
    assert wide.composed.value == pytest.approx(breaks_at, abs=0.1 + 1e-9)


def test_people_who_never_get_worse_are_limited_by_the_data(tmp_path: Path) -> None:
    path = write_bins(tmp_path / "bins.csv", np.full(100, 58.0), ASKED, EDGES)
    [found] = estimates(read_human(path), EstimateRequest(replicates=20))
    assert found.composed.limited_by_data
    assert found.composed.value == 1.0
    assert "no significant drop up to 1.00" in found.composed.words()


@pytest.mark.parametrize("procedure", ["icraf", "decompovision"])
def test_the_break_in_answers_is_found_for_both_kinds(tmp_path: Path, procedure: str) -> None:
    path = write_class_answers(tmp_path / "answers.csv", 0.55, np.random.default_rng(3))
    wanted = EstimateRequest(procedure=procedure, replicates=30)  # type: ignore[arg-type]
    found = {one.kind: one for one in estimates(read_human(path), wanted)}
    assert set(found) == {"correctness", "preservation"}
    for one in found.values():
        assert one.resampled == "images"
        assert one.composed.value == pytest.approx(0.55, abs=0.11)
        assert one.to_json()["p0"] == pytest.approx(CLEAN, abs=0.02)


def boxes(tmp_path: Path, *, task: TaskName = "segmentation", **breaks: float) -> HumanEstimate:
    where = {"localise": 2.0, "classify": 2.0, "segment": 2.0} | breaks
    path = write_boxes(tmp_path / "boxes.csv", np.random.default_rng(5), **where)
    wanted = EstimateRequest(
        procedure="decompovision",
        task=task,
        label="person",
        kind="correctness",
        replicates=50,
    )
    [found] = estimates(read_human(path), wanted)
    return found


@pytest.mark.parametrize("worst", ["localise", "classify", "segment"])
def test_the_subtask_that_breaks_is_named_and_no_other(tmp_path: Path, worst: str) -> None:
    found = boxes(tmp_path, **{worst: 0.5})  # type: ignore[arg-type]
    assert found.subtasks[worst].value == pytest.approx(0.5)  # type: ignore[index]
    assert not found.subtasks[worst].limited_by_data  # type: ignore[index]
    assert all(one.limited_by_data for name, one in found.subtasks.items() if name != worst)
    assert found.composed.value == pytest.approx(0.5)
    assert not found.composed.limited_by_data


def test_the_direct_threshold_stands_beside_the_composed_one(tmp_path: Path) -> None:
    found = boxes(tmp_path, localise=0.7, classify=0.5, segment=0.3)
    values = [one.value for one in found.subtasks.values()]
    assert values == pytest.approx([0.7, 0.5, 0.3], abs=0.02)
    assert found.composed.value == min(value for value in values if value is not None)
    assert found.direct is not None
    assert found.direct.value == pytest.approx(0.3)
    assert found.measure == "vifp(sigma_nsq=0.4)"


def test_detection_leaves_masks_out(tmp_path: Path) -> None:
    found = boxes(tmp_path, task="detection", localise=0.7, segment=0.2)
    assert list(found.subtasks) == ["localise", "classify"]
    assert found.composed.value == pytest.approx(0.7)


def covered(procedure: Icraf | DecompoVision, seeds: int) -> float:
    """How often the interval holds the threshold that the procedure gives in the middle."""
    many = drawn(0.6, 150, 11)
    p0 = np.full(150, CLEAN)
    tally = AnswerTally(EDGES, EDGES, many, np.broadcast_to(ASKED, many.shape))
    target = float(np.median(procedure.scan(tally, p0).values))
    inside = []
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        again = drawn_within_bins(EDGES, many[seed], ASKED, 40, rng)
        found = threshold_of(procedure.scan(again, np.full(41, CLEAN)))
        assert found.low is not None
        assert found.high is not None
        inside.append(found.low - 1e-9 <= target <= found.high + 1e-9)
    return float(np.mean(inside))


def test_the_interval_covers_what_the_procedure_estimates() -> None:
    assert covered(DecompoVision(), 100) >= 0.9
    assert covered(Icraf(), 25) >= 0.85


def test_a_kind_or_transformation_that_is_not_there_is_reported(tmp_path: Path) -> None:
    path = write_bins(tmp_path / "human_c_p_frost.csv", np.full(100, 58.0), ASKED, EDGES)
    data = read_human(path)
    with pytest.raises(UserError, match="did you mean 'frost'"):
        all_estimates([data], EstimateRequest(transformation="forst"))
    with pytest.raises(UserError, match="of preservation in these data"):
        all_estimates([data], EstimateRequest(transformation="frost", kind="preservation"))
    with pytest.raises(UserError, match="answers for classification, not for --task detection"):
        estimates(data, EstimateRequest(task="detection"))


def test_boxes_without_unchanged_images_need_a_rate(tmp_path: Path) -> None:
    path = write_boxes(tmp_path / "boxes.csv", np.random.default_rng(1), 2.0, 2.0, 2.0)
    lines = [line for line in path.read_text().splitlines() if ",original," not in line]
    path.write_text("\n".join(lines))
    wanted = EstimateRequest(procedure="decompovision", kind="correctness", replicates=10)
    with pytest.raises(UserError, match="Give the rate with --p0"):
        estimates(read_human(path), wanted)
    given = EstimateRequest(procedure="decompovision", kind="correctness", replicates=10, p0=0.9)
    assert estimates(read_human(path), given)[0].p0_from == "given"
