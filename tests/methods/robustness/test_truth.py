"""Known faults give known failure rates at known distances; a perfect subject gives none."""

from __future__ import annotations

from typing import Any

import pytest
from scipy.stats import binomtest

from tests.methods.robustness.generated_runs import Run, cases_of, instances, rows, run

__all__ = ["run"]
REACH = 14.0
# The subject measures between outlines that it reads off soft edges: a pixel or two more or less.
SLACK = 3.0


def test_a_perfect_subject_has_a_failure_rate_of_nothing_at_every_level(run: Run) -> None:
    campaign = run({}, {"tests_per_level": 6}, count=4)
    found = instances(campaign)
    assert len(found) >= 4
    for one in found:
        assert one["tests"] == 30
        assert one["failing"] == one["as_published"] == 0
        assert [level["tests"] for level in one["levels"]] == [6] * 5
        assert one["smallest_failing_distance"] is None
    assert rows(campaign, "SELECT count(*) FROM events") == [(0,)]
    assert rows(campaign, "SELECT count(*) FROM cases WHERE role LIKE 'control:%'")[0][0] > 10


def test_an_object_lost_within_a_distance_fails_exactly_at_the_levels_within_it(run: Run) -> None:
    campaign = run({"fault": "loses", "distance": REACH}, {"tests_per_level": 6}, count=4)
    near = far = 0
    for test in cases_of(campaign):
        if test["distance"] <= REACH - SLACK:
            assert test["status"] == "failing", test
            assert test["recognised"] == test["class_kept"] == test["place_kept"] == 0
            near += 1
        elif test["distance"] >= REACH + SLACK:
            assert test["status"] == "holds", test
            assert test["recognised"] == test["class_kept"] == test["place_kept"] == 1
            far += 1
    assert near > 60
    assert far > 40
    for one in instances(campaign):
        rates = {level["share"]: level["rate"]["value"] for level in one["levels"]}
        start = one["start"]
        for share, rate in rates.items():
            if share * start <= REACH - SLACK:
                assert rate == 1
            elif share * start >= REACH + SLACK:
                assert rate == 0
        assert one["smallest_failing_distance"] <= 1
        assert one["largest_failing_distance"] <= REACH + SLACK
        assert one["smallest_holding_distance"] >= REACH - SLACK
    controls = cases_of(campaign, "control:patch")
    assert len(controls) >= near, "each failing test has one"
    assert {one["chance"] for one in controls} == {0.2, 1.0}
    assert {one["status"] for one in controls} == {"holds"}


@pytest.mark.parametrize(
    ("fault", "recognised", "class_kept", "place_kept"),
    [("relabels", 1, 0, 1), ("shifts", 1, 1, 0), ("phantom", 1, 1, 1)],
)
def test_each_consistency_breaks_alone(
    run: Run, fault: str, recognised: int, class_kept: int, place_kept: int
) -> None:
    """shift 0.5 leaves an IoU of 1/3: moved, not lost. A phantom is not the instance's affair."""
    campaign = run({"fault": fault, "distance": REACH}, {"labels": "other"}, count=2)
    near = [test for test in cases_of(campaign) if test["distance"] <= REACH - SLACK]
    assert len(near) > 10
    for test in near:
        assert test["recognised"] == recognised
        assert test["class_kept"] == class_kept
        assert test["place_kept"] == place_kept
        assert (test["status"] == "holds") == (fault == "phantom")
        assert (test["iou"] >= 0.5) == bool(place_kept)
    if fault == "phantom":
        assert any(test["others_changed"] for test in near)


def test_the_failure_rate_has_wilsons_interval(run: Run) -> None:
    campaign = run({"fault": "loses", "distance": REACH}, count=2)
    for one in instances(campaign):
        for part in (one, *one["levels"]):
            expected = binomtest(part["failing"], part["tests"]).proportion_ci(method="wilson")
            assert part["rate"]["value"] == pytest.approx(part["failing"] / part["tests"], abs=1e-6)
            assert part["rate"]["low"] == pytest.approx(expected.low, abs=1e-6)
            assert part["rate"]["high"] == pytest.approx(expected.high, abs=1e-6)


def test_every_test_is_a_row_with_all_that_is_known_of_it(run: Run) -> None:
    campaign = run({"fault": "loses", "distance": REACH}, {"uncertainty": "views"}, count=1)
    wanted = {
        "base", "base_label", "base_score", "base_uncertainty", "base_box_trace",
        "base_box_entropy", "base_class_entropy", "base_mutual_information", "base_found",
        "level", "share", "distance", "x", "y", "inserted_label", "inserted_score", "size_ratio",
        "hash_distance", "class_kept", "place_kept", "place_kept_75", "recognised", "iou",
    }  # fmt: skip
    tests = cases_of(campaign)
    notes = {one["base"]: one for one in instances(campaign)}
    assert sum(one["tests"] for one in notes.values()) == len(tests)
    for test in tests:
        assert wanted <= set(test)
        recipe = test["recipe"]
        assert (test["x"], test["y"]) == (
            recipe["x"] + recipe["width"] / 2,
            recipe["y"] + recipe["height"] / 2,
        )
        assert test["base_uncertainty"] == notes[test["base"]]["uncertainty"]["total"]
        assert test["level"] == 1 + [0, 0.125, 0.25, 0.5, 1].index(test["share"])


def test_an_unsteady_subject_has_flaky_cases_and_no_failing_ones(run: Run) -> None:
    campaign = run({"fault": "restless", "rate": 0.5}, count=3)
    statuses: dict[str, Any] = dict(
        rows(campaign, "SELECT status, count(*) FROM cases WHERE role = 'test' GROUP BY status")
    )
    assert statuses.get("flaky", 0) > 0
    assert statuses.get("failing", 0) <= 0.1 * sum(statuses.values())
