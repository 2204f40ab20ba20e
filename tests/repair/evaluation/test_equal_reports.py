"""A subject that only reports more is called bolder, not more robust."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.repair.data_split.leakage import DataPart
from snellen.repair.evaluation.equal_reports import outcomes_at_threshold
from snellen.repair.evaluation.evaluation_sides import EvaluationSide
from snellen.repair.evaluation.paired_evaluation import evaluate_pair
from snellen.repair.evaluation.repair_verdict import RepairVerdict
from snellen.repair.evaluation.run_replay import replay_run
from snellen.report.reopened_run import reopened
from snellen.scenes.synthetic.generator import SyntheticOptions, synthetic_scenes
from snellen.store.journal import journal_of
from tests.repair.evaluation.conftest import Runs
from tests.repair.evaluation.planted_runs import METHODS, SCENES
from tests.repair.evaluation.timid_subject import WRONG, configured

TRAINED = [DataPart("training", synthetic_scenes(SyntheticOptions(count=4, seed=77)).scenes)]


@pytest.mark.parametrize("method", ["robustness", "insertion"])
@pytest.mark.parametrize("name", ["run", "same", "half"])
def test_at_its_own_threshold_every_test_is_judged_as_it_was(
    method: str, name: str, planted: Runs
) -> None:
    folder = planted(name, method)
    with closing(journal_of(folder)) as journal, reopened(folder, journal) as run:
        side = EvaluationSide(folder, journal)
        assert outcomes_at_threshold(side, run, side.subject["score"]) == side.cases
        assert any(one.failing for one in side.cases.values())


def test_above_all_its_scores_a_subject_finds_nothing(planted: Runs) -> None:
    folder = planted("same")
    with closing(journal_of(folder)) as journal, reopened(folder, journal) as run:
        assert all(
            one.undetected
            for one in outcomes_at_threshold(EvaluationSide(folder, journal), run, 0.95).values()
        )


@pytest.fixture(scope="module")
def timid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of a timid subject, its replay, and the replay of the same with a lower threshold."""
    folder = tmp_path_factory.mktemp("timid")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SNELLEN_CACHE", str(folder / "cache"))
        values = {
            "method": "robustness",
            "seed": 3,
            "scenes": SCENES["robustness"],
            "subject": configured(0.5),
            "objects": {"kind": "synthetic", "count": 4, "seed": 9, "shade": "deep"},
            "engine": {"workers": 0},
            "out": "run",
            "robustness": {**METHODS["robustness"], "uncertainty": "none"},
        }
        run_campaign(campaign_from(values, folder / "timid.yaml"))
        replay_run(folder / "run", None, folder / "before")
        replay_run(folder / "run", configured(0.3), folder / "after")
    return folder


def test_a_lower_threshold_is_bolder_and_not_more_robust(timid: Path) -> None:
    found = evaluate_pair(
        timid / "before", timid / "after", trained_on=TRAINED, by_id=False, margin=0.5
    )
    assert found.failures.difference.high < 0
    assert found.failures.after.value == 0
    assert found.equal is not None
    assert found.equal.reported.after.value == found.equal.reported.before.value + 1
    assert found.equal.threshold <= WRONG
    assert found.equal.failures.before.value == 0
    assert found.verdict == RepairVerdict.BOLDER
    assert "lower threshold may have the same effect" in found.reasons[0]


def test_a_mended_subject_reports_as_many_and_stays_more_robust(planted: Runs) -> None:
    found = evaluate_pair(planted("same"), planted("mended"), trained_on=TRAINED, by_id=False)
    assert found.equal is not None
    assert found.equal.threshold == found.before.score
    assert found.equal.failures.before == found.failures.before
    assert found.verdict == RepairVerdict.MORE_ROBUST
