"""Several repairs, each evaluated on different photographs, pooled into one evaluation."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain
from pathlib import Path
from typing import Any

import numpy as np

from snellen.repair.evaluation.change import Change, rate_change, share_of_cases
from snellen.repair.evaluation.clean_precision import CleanPrecision, matched_sides
from snellen.repair.evaluation.equal_reports import EqualReports, equally_reporting, tests_at
from snellen.repair.evaluation.evaluation_sides import (
    CaseOutcome,
    EvaluationSide,
    SceneAnswers,
    opened_sides,
)
from snellen.repair.evaluation.instance_shares import (
    InstanceShares,
    instance_shares,
    undetected_change,
)
from snellen.repair.evaluation.paired_cases import PairedCases, pair_cases
from snellen.repair.evaluation.repair_verdict import RepairVerdict, repair_verdict
from snellen.repair.repair_outcome import Outcome, RepairedSubject
from snellen.report.reopened_run import Reopened, reopened
from snellen.scenes.scene import SceneSet
from snellen.statistics.ap_bootstrap import mean_over_sets
from snellen.statistics.bootstrap import scene_weights
from snellen.statistics.intervals import Rate
from snellen.store.rates import REPLICATES
from snellen.vision.detections import Detections
from snellen.vision.precision.matched_set import MatchedSet


@dataclass(frozen=True)
class PooledEvaluation:
    """The figures of `Evaluation` over the photographs of all repairs."""

    verdict: RepairVerdict
    scenes: int
    tests: int
    failures: Change
    undetected: Change
    repaired: Rate
    new: Rate
    shares: InstanceShares
    precision: CleanPrecision | None
    equal: EqualReports | None


@dataclass(frozen=True, eq=False)
class Fold:
    """One arm of one repair: the same tests before and after, and the original run."""

    sides: tuple[EvaluationSide, EvaluationSide]
    run: Reopened
    scenes: SceneSet
    row: RepairedSubject

    def matched(self, only: Collection[str]) -> tuple[tuple[MatchedSet, MatchedSet], int] | None:
        """Both sides matched in the scenes with these ids, see `matched_sides`."""
        before, after = (PooledSide((side,), only) for side in self.sides)
        return matched_sides(before, after, self.scenes)


@dataclass(frozen=True, eq=False)
class PooledSide:
    """The answers of one side of all folds; only: in the scenes with these ids."""

    sides: tuple[EvaluationSide, ...]
    only: Collection[str]

    @property
    def subject(self) -> Mapping[str, Any]:
        """The traits of the first fold's subject; only weights differ between folds."""
        return self.sides[0].subject

    @cached_property
    def scenes(self) -> dict[str, str]:
        """The scene of each unit."""
        every = chain.from_iterable(side.scenes.items() for side in self.sides)
        return {unit: scene for unit, scene in every if scene in self.only}

    def answers(self) -> dict[str, Detections]:
        """The detections in each scene."""
        every = chain.from_iterable(side.answers().items() for side in self.sides)
        return {unit: seen for unit, seen in every if unit in self.scenes}


@contextmanager
def opened_folds(outcomes: Sequence[Outcome], arm: str) -> Iterator[list[Fold]]:
    """The journals of one arm of all repairs."""
    with ExitStack() as stack:
        yield [_fold(stack, one, arm) for one in outcomes]


def _fold(stack: ExitStack, outcome: Outcome, arm: str) -> Fold:
    before, after = (_folder(outcome, *names) for names in ((0, "before"), (1, arm, "after")))
    sides = stack.enter_context(opened_sides(before, after))
    run = stack.enter_context(reopened(before, sides[0].journal))
    row = next(one for one in outcome.rows if one.named.name == arm)
    return Fold(sides, run, outcome.workspace.split.sets["evaluate"], row)


def _folder(outcome: Outcome, round: int, *names: str) -> Path:
    return outcome.workspace.folder(round, "evaluate", *names)


def pool_folds(folds: Sequence[Fold], seed: int, only: Collection[str]) -> PooledEvaluation:
    """The figures of all folds together, in the scenes with these ids."""
    parts = [pair_cases(*fold.sides) for fold in folds]
    kept = np.concatenate([[one in only for one in _ids(part)] for part in parts])
    both = join_cases(parts, kept, only)
    weights = scene_weights(len(both.scenes), REPLICATES, np.random.default_rng(seed))
    first, second = (PooledSide(tuple(fold.sides[n] for fold in folds), only) for n in (0, 1))
    failures = rate_change(both, both.failed)
    precision = _precision(folds, seed, only)
    equal = _equal(folds, (first, second), both, kept, weights)
    held = next(
        (one for fold in folds if not (one := fold.row.named.evaluation.held).held_out),
        folds[0].row.named.evaluation.held,
    )
    verdict, _ = repair_verdict(
        failures, precision.change if precision else None, held, equal=equal
    )
    old, new = both.failed
    return PooledEvaluation(
        verdict,
        len(both.scenes),
        len(both),
        failures,
        undetected_change(both),
        share_of_cases(both, old & ~new),
        share_of_cases(both, new & ~old),
        instance_shares(both, both.failed, failed_before=True),
        precision,
        equal,
    )


def _precision(folds: Sequence[Fold], seed: int, only: Collection[str]) -> CleanPrecision | None:
    """The mean over folds: scores of different subjects cannot be ranked in one list."""
    found = [one for fold in folds if (one := fold.matched(only))]
    if not found:
        return None
    pairs = [sides for sides, _ in found]
    change = Change(
        mean_over_sets([(old,) for old, _ in pairs], np.random.default_rng(seed)),
        mean_over_sets([(new,) for _, new in pairs], np.random.default_rng(seed)),
        mean_over_sets(pairs, np.random.default_rng(seed)),
    )
    return CleanPrecision(change, sum(old.images for old, _ in pairs), sum(of for _, of in found))


def _equal(
    folds: Sequence[Fold],
    sides: tuple[SceneAnswers, SceneAnswers],
    both: PairedCases,
    kept: Any,
    weights: Any,
) -> EqualReports | None:
    def judge(threshold: float) -> tuple[CaseOutcome, ...]:
        every = chain.from_iterable(tests_at(fold.sides, fold.run, threshold) for fold in folds)
        return tuple(one for one, own in zip(every, kept, strict=True) if own)

    return equally_reporting(sides, both, judge, weights)


def join_cases(parts: Sequence[PairedCases], kept: Any, only: Collection[str]) -> PairedCases:
    """The cases of several comparisons as one; kept: (N,) of all; only: ids of the scenes kept.

    No scene may be in two of them.
    """
    scenes = tuple(one for part in parts for one in part.scenes if one in only)
    place = {scene: number for number, scene in enumerate(scenes)}
    first = list(accumulate((len(part.instances) for part in parts), initial=0))
    instance = [
        np.where(part.instance < 0, -1, part.instance + start)
        for part, start in zip(parts, first, strict=False)
    ]
    old = np.concatenate(instance)[kept]
    named = np.unique(old[old >= 0])
    ids = np.concatenate([_ids(part) for part in parts])[kept]
    every = [one for part in parts for one in part.instances]
    return PairedCases(
        scenes,
        tuple(every[number] for number in named.tolist()),
        np.array([place[one] for one in ids.tolist()], dtype=np.int64),
        np.where(old < 0, -1, np.searchsorted(named, old)),
        np.concatenate([part.level for part in parts])[kept],
        tuple(_kept([part.names for part in parts], kept)),
        tuple(_kept([part.before for part in parts], kept)),
        tuple(_kept([part.after for part in parts], kept)),
    )


def _ids(part: PairedCases) -> Any:
    """(N,) the id of each case's scene."""
    return np.array(part.scenes, dtype=object)[part.scene]


def _kept(columns: Sequence[Sequence[Any]], kept: Any) -> list[Any]:
    return [one for one, own in zip(chain(*columns), kept.tolist(), strict=True) if own]
