"""Objects alone as controls: each belongs to a test and has a known chance to be asked."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from snellen.changes.compose.compose import Compose
from snellen.contract.verdict import Case, Status
from tests.methods.combinations.row_driver import (
    Examined,
    by_rule,
    examined,
    labels_of,
    method,
)

ROW = (0, 1, 2, 3)


def controls(run: Examined) -> list[Case]:
    return [case for case in run.verdict.cases if case.role == "control:alone"]


def test_controls_are_the_objects_of_a_test_one_by_one_and_must_get_their_labels() -> None:
    run = examined(method(ROW, controls=1.0), by_rule(lambda shown: set(shown - {"a"})))
    found = controls(run)
    assert [case.parent for case in found] == [n for n in range(3) for _ in ROW]
    shown = []
    for case in found:
        assert isinstance(case.recipe, Compose)
        shown.append((case.parent, labels_of(case.recipe)))
    assert Counter(shown) == Counter((n, frozenset(one)) for n in range(3) for one in "abcd")
    assert {case.measurements["joint"] for case in found} == {1.0}
    for case in found:
        assert case.parent is not None
        whole = run.verdict.cases[case.parent]
        assert whole.role == "test"
        assert isinstance(case.recipe, Compose)
        assert isinstance(whole.recipe, Compose)
        assert len(case.recipe.placed) == 1
        assert set(case.recipe.placed) < set(whole.recipe.placed)
        failing = labels_of(case.recipe) == {"a"}
        assert (case.status == Status.FAILING) == failing


def test_a_failing_test_always_has_a_control_and_the_others_by_their_share() -> None:
    def rule(shown: frozenset[str]) -> set[str]:
        return set(shown - {"a"}) if "b" in shown else set(shown)

    failing = controls(examined(method((0, 1), images=12, controls=0.25), by_rule(rule)))
    assert len(failing) == 2 * 12
    assert {case.measurements["chance"] for case in failing} == {1.0}
    holding = controls(examined(method((0, 2), images=12, controls=0.25), by_rule(rule)))
    assert len(holding) == 2 * 3
    assert {case.measurements["chance"] for case in holding} == {0.25}


@pytest.mark.parametrize("allowance", range(1, 60, 3))
def test_a_budget_that_ends_among_the_controls_leaves_known_chances(allowance: int) -> None:
    tested = method((0, 1), images=8, controls=0.5, diagnose=False)
    run = examined(tested, by_rule(lambda shown: set(shown - {"a"})), allowance)
    tests = [case for case in run.verdict.cases if case.role == "test"]
    found = controls(run)
    assert len(run.questions) <= allowance
    assert {case.parent for case in found} <= set(range(len(tests)))
    assert all(count == 2 for count in Counter(case.parent for case in found).values())
    chances = {case.measurements["chance"] for case in found}
    assert chances <= ({1.0} if len(found) == 2 * len(tests) else {0.5})


def test_weighted_by_its_chance_the_control_rate_is_unbiased() -> None:
    """A quarter of the compositions fail; of the objects alone, those of label a."""

    def rule(shown: frozenset[str]) -> set[str]:
        return set(shown - {"a"}) if "b" in shown or len(shown) == 1 else set(shown)

    tests, weighted = 0, 0.0
    for seed, row in enumerate([(0, 1), (0, 2), (0, 3), (0, 4)] * 5):
        tested = method(row, images=20, controls=0.2, diagnose=False)
        run = examined(tested, by_rule(rule), seed=seed)
        tests += 20
        struck = {
            case.parent: case.measurements["chance"]
            for case in controls(run)
            if case.status == Status.FAILING
        }
        weighted += sum(1 / chance for chance in struck.values())
    # Every composition shows an a, which is missed alone.
    assert weighted / tests == pytest.approx(1.0, abs=3 * np.sqrt(0.25 * 5 / tests))


def test_without_controls_none_is_asked() -> None:
    assert controls(examined(method(ROW), by_rule(lambda shown: set()))) == []
