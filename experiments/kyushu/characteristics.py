"""RQ1: failure rates of base instances by what they are like, and by what is inserted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.contract.verdict import TEST
from snellen.methods.robustness.calibration import calibration
from snellen.methods.robustness.level_tables import correlation, level_tables
from snellen.methods.robustness.numbers import CONTROLS, instances_of
from snellen.statistics.intervals import Rate
from snellen.store.journal import journal_of
from snellen.store.rates import JudgedCases, Rates
from snellen.vision.entropies import scale_free_entropy

PUBLISHED, HARD = "any change", "hard events"
JUDGES = {PUBLISHED: "as_published", HARD: "failing"}
"""Ways of judging, with what the notes on an instance call its failing tests."""
SURE = 0.7
"""The published lowest score of a base instance."""
WRONG = {
    "uncertainty": "correlation",
    "box entropy relative to size": "relative_correlation",
    "score": "score_correlation",
}
INSERTED = {"score": "inserted_alone", "uncertainty": "inserted_uncertainty"}
CONSISTENCIES = ("recognised", "class_kept", "place_kept")
Flags = npt.NDArray[np.bool_]
Numbers = dict[str, Any]


@dataclass(frozen=True)
class Judged:
    """What one way of judging comes to.

    rate, control: over all tests and controls. sure: of instances that score 0.7 or more. levels:
    tables and correlations, see `level_tables`. inserted: rank correlations with the inserting
    instance's score and uncertainty, None where one does not vary. area: that with the size of the
    base instance's box. distances: the failure rate at each level, the nearest first.
    """

    rate: Rate
    control: Rate
    sure: Rate
    levels: Numbers
    inserted: Mapping[str, Numbers | None]
    area: Numbers | None = None
    distances: Sequence[Rate] = ()


@dataclass(frozen=True)
class Characteristics:
    """RQ1: the instances that were tested, and how they failed by each way of judging.

    scenes: those of the instances. examined, given: scenes that were looked at, and all.
    calibration: rank correlations of uncertainty and score with how wrong boxes are. between: those
    of parts of the uncertainty with size and score.
    """

    instances: Sequence[Numbers]
    scenes: int
    examined: int
    given: int
    judged: Mapping[str, Judged]
    calibration: Mapping[str, Numbers | None] = field(default_factory=dict)
    between: Mapping[str, Numbers | None] = field(default_factory=dict)


def characteristics(folder: Path) -> Characteristics:
    """RQ1 of a run that judged by hard events."""
    with closing(journal_of(folder)) as journal:
        rates = Rates(journal)
        tested = [one for one in instances_of(journal) if one["tests"]]
        tests, controls = rates.cases(TEST), rates.cases(CONTROLS)
        found = {judge: _judged(judge, tested, tests, controls, rates) for judge in JUDGES}
        [(examined,)] = journal.rows("SELECT count(*) FROM units WHERE status = 'done'")
        given = int(journal.get("scenes"))
        known = calibration(journal, rates) or {}
        own = _between(tested, rates)
    scenes = len({one["scene"] for one in tested})
    wrong = {name: known.get(key) for name, key in WRONG.items()}
    return Characteristics(tested, scenes, examined, given, found, wrong, own)


def _judged(
    judge: str, tested: Sequence[Numbers], tests: JudgedCases, controls: JudgedCases, rates: Rates
) -> Judged:
    failing, broken = failing_cases(tests, judge), failing_cases(controls, judge)
    told = [{**one, "failing": one[JUDGES[judge]]} for one in tested]
    sure = tests.measured("base_score") >= SURE
    return Judged(
        rates.among(tests.scenes, failing),
        rates.among(controls.scenes, broken),
        rates.among(tests.scenes[sure], failing[sure]),
        level_tables(told, rates),
        {name: inserted(tests, failing, key, rates) for name, key in INSERTED.items()},
        _correlated(told, _areas(told), [one["failing"] / one["tests"] for one in told], rates),
        by_distance(tests, failing, rates),
    )


def _between(tested: Sequence[Numbers], rates: Rates) -> dict[str, Numbers | None]:
    boxes, classes = (
        [one["uncertainty"][part] for one in tested] for part in ("box_entropy", "class_entropy")
    )
    scores = [one["score"] for one in tested]
    return {
        "box entropy and the size of the box": _correlated(tested, boxes, _areas(tested), rates),
        "box entropy relative to size, and the size of the box": _correlated(
            tested,
            [scale_free_entropy(one["uncertainty"]["box_entropy"], one["box"]) for one in tested],
            _areas(tested),
            rates,
        ),
        "class entropy and the score": _correlated(tested, classes, scores, rates),
    }


def _areas(tested: Sequence[Numbers]) -> list[float]:
    boxes = [one["box"] for one in tested]
    return [(x2 - x1) * (y2 - y1) for x1, y1, x2, y2 in boxes]


def _correlated(
    tested: Sequence[Numbers], x: Sequence[float], y: Sequence[float], rates: Rates
) -> Numbers | None:
    scenes = np.array([rates.place(one["scene"]) for one in tested], dtype=np.int64)
    return correlation(np.array(x), np.array(y), scenes, rates.weights)


def by_distance(tests: JudgedCases, failing: Flags, rates: Rates) -> list[Rate]:
    """The failure rate at each level of distance, the nearest first."""
    level = tests.measured("level")
    return [
        rates.among(tests.scenes[level == one], failing[level == one]) for one in np.unique(level)
    ]


def failing_cases(cases: JudgedCases, judge: str) -> Flags:
    """(N,) which cases fail, by a way of judging."""
    if judge == HARD:
        return cases.failing
    return np.asarray(
        np.any([cases.measured(name) == 0 for name in CONSISTENCIES], axis=0), dtype=bool
    )


def inserted(tests: JudgedCases, failing: Flags, key: str, rates: Rates) -> Numbers | None:
    """The rank correlation of what is known of an inserting instance with the failure rate.

    One value for each base instance and object around it: the share of those tests that fail.
    Objects that the subject does not find alone have no uncertainty and are left out there.
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
