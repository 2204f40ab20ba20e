"""The same tests before and after retraining, by either criterion."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from experiments.kyushu.characteristics import HARD
from snellen.repair.evaluation.change import Change, mean_change, rate_change, share_of_cases
from snellen.repair.evaluation.evaluation_sides import CaseOutcome, EvaluationSide, opened_sides
from snellen.repair.evaluation.instance_shares import (
    InstanceShares,
    few,
    instance_shares,
    undetected_change,
)
from snellen.repair.evaluation.paired_cases import PairedCases, pair_cases
from snellen.statistics.bootstrap import scene_weights
from snellen.statistics.intervals import Rate
from snellen.statistics.scene_rates import rate
from snellen.store.journal import Journal
from snellen.store.rates import REPLICATES
from snellen.vision.arrays import F64

Measured = dict[str, dict[str, float]]
"""Measurements of tests by the id of the case."""


@dataclass(frozen=True, eq=False)
class PairedTests:
    """The tests of two subjects. measured: measurements of the original run."""

    tests: PairedCases
    measured: Measured
    uncertainties: tuple[dict[Any, float], dict[Any, float]]

    @property
    def weights(self) -> F64:
        """(replicates, scenes): the same for every figure on these tests."""
        return scene_weights(len(self.tests.scenes), REPLICATES, np.random.default_rng(1))


@dataclass(frozen=True)
class Figures:
    """The figures of a row of Tables 2 and 3. Rates are of all tests.

    spared: share of instances with almost no new failure.
    """

    instances: int
    scenes: int
    failures: Change
    undetected: Change
    uncertainty: Change | None
    shares: InstanceShares
    repaired: Rate
    new: Rate
    spared: Rate


def paired_tests(before: Path, after: Path, judge: str) -> PairedTests:
    """The tests of two folders with the same cases; judge: one of `JUDGES`.

    The folders are of runs in which any change counts as a failure.
    """
    with opened_sides(before, after) as sides:
        tests = pair_cases(*sides)
        if judge == HARD:
            hard = [_hard(side.journal) for side in sides]
            tests = replace(
                tests, before=_judged(tests.before, hard[0]), after=_judged(tests.after, hard[1])
            )
        first, second = sides
        known = first.uncertainties(), second.uncertainties()
        return PairedTests(tests, _measured(first), known)


def _judged(tests: Sequence[CaseOutcome], failing: set[str]) -> tuple[CaseOutcome, ...]:
    return tuple(replace(one, failing=one.case in failing) for one in tests)


def _hard(journal: Journal) -> set[str]:
    """Ids of the cases with a hard event."""
    rows = journal.rows(
        "SELECT DISTINCT cases.id FROM cases JOIN events ON events.unit = cases.unit "
        "AND events.\"case\" = cases.number WHERE severity = 'hard'"
    )
    return {str(id) for (id,) in rows}


def _measured(side: EvaluationSide) -> Measured:
    """The measurements of each test, with its inserted object as a number under `object`."""
    rows = side.journal.rows("SELECT id, recipe, measurements FROM cases WHERE role = 'test'")
    numbers: dict[str, int] = {}
    found: Measured = {}
    for id, recipe, measurements in rows:
        number = numbers.setdefault(json.loads(recipe)["object"], len(numbers))
        found[id] = {**json.loads(measurements), "object": float(number)}
    return found


def figures(both: PairedTests) -> Figures:
    """All figures of two subjects on the same tests."""
    tests, weights = both.tests, both.weights
    failed = tests.failed
    return Figures(
        len(tests.instances),
        len(set(tests.scene.tolist())),
        rate_change(tests, failed),
        undetected_change(tests),
        _uncertainty(both, weights),
        instance_shares(tests, failed, failed_before=True),
        share_of_cases(tests, failed[0] & ~failed[1]),
        share_of_cases(tests, failed[1] & ~failed[0]),
        _spared(tests),
    )


def _uncertainty(both: PairedTests, weights: F64) -> Change | None:
    """The mean total uncertainty of the instances that both detect."""
    tests, (first, second) = both.tests, both.uncertainties
    places = dict(zip(tests.instances, tests.instance_scenes.tolist(), strict=True))
    shared = [one for one in tests.instances if one in first and one in second]
    if not shared:
        return None
    columns = [[float(of[one]) for one in shared] for of in (places, first, second)]
    scene, old, new = (np.array(column) for column in columns)
    return mean_change(scene, old, new, weights)


def _spared(tests: PairedCases) -> Rate:
    """The share of instances with almost no new failure."""
    new = tests.by_instance(tests.failed[1] & ~tests.failed[0])
    every = tests.by_instance(np.ones(len(tests), dtype=bool))
    count = len(tests.scenes)
    good = tests.instance_scenes[few(new, every)]
    return rate(
        np.bincount(good, minlength=count),
        np.bincount(tests.instance_scenes, minlength=count),
    )
