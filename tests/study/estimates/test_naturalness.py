"""The ranking of pipelines against scipy on the same numbers, and planted preferences."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from snellen.study.estimates.naturalness import kendall_w, naturalness_ranking
from snellen.study.record import PlannedTrial, StudyRecord
from snellen.study.trial import RankAnswer, StudyTask, TrialKind
from tests.study.fake_study import sample_of
from tests.study.records import given, record_of

NAMES = ("blended", "cropped", "pasted")


def ranked(worth: dict[str, float], people: int, scenes: int, seed: int = 1) -> StudyRecord:
    """Orders of people who see each pipeline's worth with normal noise of 1."""
    rng = np.random.default_rng(seed)
    samples = [
        sample_of(f"{name}{scene}", f"s{scene}", 0.5, name)
        for scene in range(scenes)
        for name in worth
    ]
    trials = [
        PlannedTrial(
            trial=f"t{scene}",
            task=StudyTask.RANK,
            kind=TrialKind.TEST,
            samples=tuple(f"{name}{scene}" for name in worth),
        )
        for scene in range(scenes)
    ]
    answers = []
    for person in range(people):
        for scene in range(scenes):
            felt = {f"{name}{scene}": one + rng.normal() for name, one in worth.items()}
            order = tuple(sorted(felt, key=lambda one: -felt[one]))
            answers.append(given(f"p{person}", f"t{scene}", RankAnswer(order=order), scene))
    return record_of(samples, trials, answers)


def test_a_pipeline_that_people_prefer_comes_first() -> None:
    found = naturalness_ranking(ranked({"pasted": 0.0, "blended": 2.0, "cropped": 1.9}, 15, 8))
    assert found is not None
    assert list(found.mean_ranks)[-1] == "pasted"
    against = {(one.better, one.worse): one for one in found.pairs}
    assert against["blended", "pasted"].p < 0.01
    assert against["blended", "pasted"].effect == 1.0
    assert "looks more natural than pasted" in " ".join(found.lines())
    assert found.orders == 120
    assert sum(found.mean_ranks.values()) == pytest.approx(6)


def test_equal_pipelines_are_not_told_apart() -> None:
    """Holm: at most one family in twenty has a false difference; here 4 of 40 at most."""
    false = 0
    for seed in range(40):
        found = naturalness_ranking(ranked(dict.fromkeys(NAMES, 0.0), 24, 4, seed))
        assert found is not None
        false += any(one.p < 0.05 for one in found.pairs)
    assert false <= 4


def test_one_person_with_many_scenes_is_one_person() -> None:
    """A person's taste is no evidence about people, however many scenes they order."""
    found = naturalness_ranking(ranked({"pasted": 0.0, "blended": 5.0}, 1, 60))
    assert found is not None
    assert found.pairs[0].p == 1.0


def test_the_test_is_scipys_on_the_mean_ranks() -> None:
    record = ranked({"a": 0.0, "b": 0.4}, 20, 5, seed=4)
    found = naturalness_ranking(record)
    assert found is not None
    means: dict[str, list[float]] = {}
    for one in record.answers:
        assert isinstance(one.answer, RankAnswer)
        means.setdefault(one.participant, []).append(1.0 if one.answer.order[0][0] == "a" else 2.0)
    a = np.array([np.mean(one) for one in means.values()])
    moved = (2 * a - 3).round(9)
    assert found.pairs[0].p == pytest.approx(stats.wilcoxon(moved[moved != 0]).pvalue)


def test_kendalls_w_is_the_friedman_statistic_scaled() -> None:
    ranks = np.array([stats.rankdata(one) for one in np.random.default_rng(2).random((9, 4))])
    chi2 = stats.friedmanchisquare(*ranks.T).statistic
    assert kendall_w(ranks) == pytest.approx(chi2 / (9 * 3))


def test_no_orders_give_no_ranking() -> None:
    assert naturalness_ranking(record_of([], [], [])) is None
