"""RQ1: failure rates by characteristics of base and inserted instances."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from snellen.contract.verdict import CHANCE, TEST
from snellen.methods.paste.paste_controls import PATCH_ROLE
from snellen.methods.robustness.calibration import calibration
from snellen.methods.robustness.instance_notes import (
    InstanceCounts,
    InstanceNote,
    UncertaintyNote,
    instances_of,
)
from snellen.methods.robustness.level_tables import correlation, level_tables
from snellen.methods.robustness.own_numbers import LevelTables, RankCorrelation
from snellen.statistics.intervals import Rate
from snellen.statistics.stratified_controls import controlled_difference
from snellen.store.journal import journal_of
from snellen.store.rates import JudgedCases, Rates
from snellen.vision.arrays import Bools
from snellen.vision.entropies import scale_free_entropy

PUBLISHED, HARD = "any change", "hard events"
JUDGES = (PUBLISHED, HARD)
"""Criteria of failure."""
SURE = 0.7
"""The published minimum score of a base instance."""
INSERTED = {"score": "inserted_alone", "uncertainty": "inserted_uncertainty"}
CONSISTENCIES = ("recognised", "class_kept", "place_kept")


@dataclass(frozen=True)
class JudgedRates:
    """The results by one criterion.

    rate: over all tests. control: over all patches, weighted by the tests that each stands for.
    sure: of instances that score 0.7 or more. levels: tables and correlations, see `level_tables`.
    inserted: rank correlations with the inserting
    instance's score and uncertainty, None where one does not vary. area: that with the size of the
    base instance's box. distances: the failure rate at each level, the nearest first.
    """

    rate: Rate
    control: Rate
    sure: Rate
    levels: LevelTables
    inserted: Mapping[str, RankCorrelation | None]
    area: RankCorrelation | None = None
    distances: Sequence[Rate] = ()


@dataclass(frozen=True)
class Characteristics:
    """RQ1: the tested instances, and their failures by each criterion.

    scenes: those of the instances. examined, given: scenes tested, and all. calibration: rank
    correlations of uncertainty and score with the localisation error. between: those of parts of
    the uncertainty with size and score.
    """

    instances: Sequence[InstanceCounts]
    scenes: int
    examined: int
    given: int
    judged: Mapping[str, JudgedRates]
    calibration: Mapping[str, RankCorrelation | None] = field(default_factory=dict)
    between: Mapping[str, RankCorrelation | None] = field(default_factory=dict)


def characteristics(folder: Path) -> Characteristics:
    """RQ1 of a run judged by hard events."""
    with closing(journal_of(folder)) as journal:
        rates = Rates(journal)
        instances = [one for one in instances_of(journal) if one.tests]
        tests, controls = rates.cases(TEST), rates.cases(PATCH_ROLE)
        found = {judge: _judged(judge, instances, tests, controls, rates) for judge in JUDGES}
        [(examined,)] = journal.rows("SELECT count(*) FROM units WHERE status = 'done'")
        given = int(journal.get("scenes"))
        known = calibration(journal, rates)
        own = _between(instances, rates)
    scenes = len({one.scene for one in instances})
    wrong = {
        "uncertainty": known.correlation if known else None,
        "box entropy relative to size": known.relative_correlation if known else None,
        "score": known.score_correlation if known else None,
    }
    return Characteristics(instances, scenes, examined, given, found, wrong, own)


def _judged(
    judge: str,
    instances: Sequence[InstanceNote],
    tests: JudgedCases,
    controls: JudgedCases,
    rates: Rates,
) -> JudgedRates:
    failing, broken = failing_cases(tests, judge), failing_cases(controls, judge)
    judged = [_counted(one, judge) for one in instances]
    sure = tests.measured("base_score") >= SURE
    return JudgedRates(
        rates.among(tests.scenes, failing),
        _control_rate(controls, broken),
        rates.among(tests.scenes[sure], failing[sure]),
        level_tables(judged, rates),
        {name: inserted(tests, failing, key, rates) for name, key in INSERTED.items()},
        _correlated(judged, _areas(judged), [one.failing / one.tests for one in judged], rates),
        by_distance(tests, failing, rates),
    )


def _control_rate(controls: JudgedCases, broken: Bools) -> Rate:
    """The rate of broken controls, each weighted by the tests that it stands for."""
    tests = np.zeros(len(controls), dtype=bool)  # all of one kind, weighted by chance alone
    chance = controls.measured(CHANCE)
    return controlled_difference(controls.scenes, tests, chance, broken).controls


def _counted(one: InstanceNote, judge: str) -> InstanceNote:
    """The instance with its failing tests by a criterion."""
    return one if judge == HARD else one.model_copy(update={"failing": one.as_published})


def _between(instances: Sequence[InstanceNote], rates: Rates) -> dict[str, RankCorrelation | None]:
    boxes = [_uncertainty(one).box_entropy for one in instances]
    classes = [_uncertainty(one).class_entropy for one in instances]
    scores = [one.score for one in instances]
    return {
        "box entropy and the size of the box": _correlated(
            instances, boxes, _areas(instances), rates
        ),
        "box entropy relative to size, and the size of the box": _correlated(
            instances,
            [scale_free_entropy(_uncertainty(one).box_entropy, one.box) for one in instances],
            _areas(instances),
            rates,
        ),
        "class entropy and the score": _correlated(instances, classes, scores, rates),
    }


def _uncertainty(one: InstanceNote) -> UncertaintyNote:
    assert one.uncertainty is not None
    return one.uncertainty


def _areas(instances: Sequence[InstanceNote]) -> list[float]:
    boxes = [one.box for one in instances]
    return [(x2 - x1) * (y2 - y1) for x1, y1, x2, y2 in boxes]


def _correlated(
    instances: Sequence[InstanceNote], x: Sequence[float], y: Sequence[float], rates: Rates
) -> RankCorrelation | None:
    scenes = np.array([rates.place(one.scene) for one in instances], dtype=np.int64)
    return correlation(np.array(x), np.array(y), scenes, rates.weights)


def by_distance(tests: JudgedCases, failing: Bools, rates: Rates) -> list[Rate]:
    """The failure rate at each level of distance, the nearest first."""
    level = tests.measured("level")
    return [
        rates.among(tests.scenes[level == one], failing[level == one]) for one in np.unique(level)
    ]


def failing_cases(cases: JudgedCases, judge: str) -> Bools:
    """(N,) whether each case fails, by a criterion."""
    if judge == HARD:
        return cases.failing
    return np.asarray(
        np.any([cases.measured(name) == 0 for name in CONSISTENCIES], axis=0), dtype=bool
    )


def inserted(tests: JudgedCases, failing: Bools, key: str, rates: Rates) -> RankCorrelation | None:
    """The rank correlation of a property of the inserting instance with the failure rate.

    One value per base instance and inserted object: the share of their tests that fail. Objects
    that the subject does not detect alone have no uncertainty and are excluded.
    """
    pairs: dict[tuple[int, float, str], list[int]] = defaultdict(list)
    bases = tests.measured("base").tolist()
    for place, recipe in enumerate(tests.recipes):
        pairs[int(tests.scenes[place]), bases[place], recipe["object"]].append(place)
    value = tests.measured(key)
    known = [places for places in pairs.values() if np.isfinite(value[places[0]])]
    return correlation(
        np.array([value[places[0]] for places in known]),
        np.array([failing[places].mean() for places in known]),
        np.array([tests.scenes[places[0]] for places in known], dtype=np.int64),
        rates.weights,
    )
