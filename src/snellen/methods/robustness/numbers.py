"""The numbers of a run of robustness, from its journal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from snellen import statistics
from snellen.contract.verdict import CHANCE, TEST
from snellen.methods.inserted_objects import INSERTED, inserted_numbers
from snellen.methods.paste.paste_controls import PATCH_ROLE
from snellen.methods.robustness.calibration import calibration
from snellen.methods.robustness.instance_notes import InstanceNote, instances_of, ranked
from snellen.methods.robustness.level_tables import level_tables
from snellen.methods.robustness.own_numbers import (
    ClusterNumbers,
    CountedRate,
    DistanceLevel,
    InstanceLine,
    RobustnessNumbers,
)
from snellen.methods.view import RunRecord
from snellen.statistics import multiplicity
from snellen.statistics.intervals import Rate
from snellen.store.estimate import Estimate
from snellen.store.rates import JudgedCases, Rates
from snellen.vision.arrays import Bools

SIGNIFICANT = 0.05
KEPT = {"recognised": "recognised", "class": "class_kept", "place": "place_kept",
        "place_75": "place_kept_75"}  # fmt: skip
"""The consistencies, and the measurement of each."""


def robustness_numbers(record: RunRecord) -> RobustnessNumbers:
    """Failure rates by level, instance and uncertainty, and clusters."""
    journal, rates = record.journal, record.rates
    tests, controls = rates.cases(TEST), rates.cases(PATCH_ROLE)
    instances = instances_of(journal)
    tested = [one for one in instances if one.tests]
    facts = (journal.get("facts") or {}).get("robustness") or {}
    tables = level_tables(tested, rates)
    found = RobustnessNumbers(
        contour=facts.get("contour"),
        uncertainty=facts.get("uncertainty"),
        instances=len(instances),
        tested=len(tested),
        never_failing=sum(one.failing == 0 for one in tested),
        mean_rate=_mean([one.rate.value for one in tested if one.rate.value is not None]),
        mean_uncertainty=_mean([one.uncertainty.total for one in tested if one.uncertainty]),
        as_published=_rate(tests, rates, _broken(tests)),
        consistency={
            name: _rate(tests, rates, tests.measured(measured) == 0)
            for name, measured in KEPT.items()
        },
        by_level=by_level(tests, controls, rates),
        score_levels=tables.score_levels,
        uncertainty_levels=tables.uncertainty_levels,
        table=tables.table,
        correlations=tables.correlations,
        calibration=calibration(journal, rates),
        clusters=clusters(tested, rates),
        by_instance=[_line(one) for one in ranked(tested)],
        not_tested=[_line(one) for one in instances if not one.tests],
    )
    inserted = inserted_numbers(tests, rates, record.journal.get("facts") or {})
    return found if inserted is None else found.model_copy(update={INSERTED: inserted})


def _line(one: InstanceNote) -> InstanceLine:
    clustered, unsure = one.clusters, one.uncertainty
    return InstanceLine(
        scene=one.scene,
        base=one.base,
        name=one.name,
        score=one.score,
        contour=one.contour,
        tests=one.tests,
        failing=one.failing,
        rate=one.rate,
        as_published=one.as_published,
        start=one.start,
        reach=one.reach,
        smallest_failing_distance=one.smallest_failing_distance,
        largest_failing_distance=one.largest_failing_distance,
        smallest_holding_distance=one.smallest_holding_distance,
        truth_iou=one.truth_iou,
        why=one.why,
        uncertainty=unsure.total if unsure else None,
        clusterable=clustered.clusterable,
        cluster_share=clustered.share,
        cluster_p=clustered.p_value,
    )


def by_level(tests: JudgedCases, controls: JudgedCases, rates: Rates) -> list[DistanceLevel]:
    """The failure rate of tests and of their controls at each level, nearest first."""
    level, beside = tests.measured("level"), controls.measured("level")
    made = []
    for number in np.unique(level).tolist():
        of = level == number
        counted = _rate(tests, rates, tests.failing, of)
        made.append(
            DistanceLevel(
                level=int(number),
                share=float(tests.measured("share")[of][0]),
                distance=round(float(np.median(tests.measured("distance")[of])), 1),
                cases=counted.cases,
                failing=counted.failing,
                rate=counted.rate,
                control=Estimate.of(control_rate(controls, beside == number, rates)),
            )
        )
    return made


def control_rate(controls: JudgedCases, of: Bools, rates: Rates) -> Rate:
    """The failure rate that controls would have if every test had one.

    Each control counts for the tests that it stands for, one over the chance with which it was
    drawn; the interval is that of the effective number of controls, by Kish's formula.
    """
    chance = np.nan_to_num(controls.measured(CHANCE)[of], nan=1.0)
    weights, scenes = 1 / chance, controls.scenes[of]
    scale = weights.sum() / (weights**2).sum() if len(weights) else 0.0
    struck, cases = (
        np.bincount(scenes, weights=scale * one, minlength=rates.weights.shape[1])
        for one in (weights * controls.failing[of], weights)
    )
    return statistics.rate(struck, cases)


def clusters(instances: Sequence[InstanceNote], rates: Rates) -> ClusterNumbers:
    """How many instances have clustered failures, and their failure rates.

    significant: those with a p-value below 0.05 after Benjamini and Hochberg's correction.
    """
    failing = [one for one in instances if one.failing]
    values = [one.clusters.p_value for one in failing]
    known = [value for value in values if value is not None]
    held = [one for one in failing if one.clusters.clusterable]
    rest = [one for one in instances if not one.clusters.clusterable]
    return ClusterNumbers(
        with_failures=len(failing),
        clusterable=len(held),
        share=round(len(held) / len(failing), 4) if failing else None,
        judged=len(known),
        significant=discoveries(known),
        rate_clusterable=_of_instances(held, rates),
        rate_others=_of_instances(rest, rates),
    )


def discoveries(p_values: Sequence[float]) -> int:
    """The number of p-values of at most 0.05 after Benjamini and Hochberg's correction.

    On average at most 5% of them are false if the tests are independent or positively dependent.
    """
    return int(multiplicity.discoveries(p_values, SIGNIFICANT).sum())


def _of_instances(instances: Sequence[InstanceNote], rates: Rates) -> Estimate:
    """The failure rate over all tests of some instances."""
    places = [rates.place(one.scene) for one in instances for _ in range(one.tests)]
    struck = [n < one.failing for one in instances for n in range(one.tests)]
    found = rates.among(np.array(places, dtype=np.int64), np.array(struck, dtype=bool))
    return Estimate.of(found)


def _broken(tests: JudgedCases) -> Bools:
    """Which tests break any of the three consistencies, however slightly."""
    names = ("recognised", "class_kept", "place_kept")
    return np.asarray(np.stack([tests.measured(name) == 0 for name in names]).any(axis=0))


def _rate(
    tests: JudgedCases,
    rates: Rates,
    struck: Bools,
    of: Bools | None = None,
) -> CountedRate:
    chosen = np.ones(len(tests), dtype=bool) if of is None else of
    rate = rates.among(tests.scenes[chosen], struck[chosen])
    return CountedRate(cases=int(rate.cases), failing=int(rate.failing), rate=Estimate.of(rate))


def _mean(values: Sequence[float]) -> float | None:
    return round(float(np.mean(values)), 4) if values else None
