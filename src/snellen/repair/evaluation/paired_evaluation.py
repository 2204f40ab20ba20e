"""The evaluation of two subjects on the same tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from snellen.engine.start.opened_campaign import scenes_of
from snellen.repair.data_split.held_out_file import sources_in
from snellen.repair.data_split.leakage import DataPart
from snellen.repair.evaluation.change import Change, mean_change, rate_change, share_of_cases
from snellen.repair.evaluation.clean_precision import clean_precision
from snellen.repair.evaluation.equal_reports import equal_reports
from snellen.repair.evaluation.evaluation import EvaluatedSubject, Evaluation
from snellen.repair.evaluation.evaluation_sides import EvaluationSide, opened_sides
from snellen.repair.evaluation.fresh_run import fresh_run, journal_seed
from snellen.repair.evaluation.held_out_check import HeldOut, held_out
from snellen.repair.evaluation.instance_shares import instance_shares, undetected_change
from snellen.repair.evaluation.paired_cases import PairedCases, pair_cases
from snellen.repair.evaluation.repair_verdict import MARGIN, repair_verdict
from snellen.report.reopened_run import Reopened, reopened
from snellen.scenes.scene import SceneSet
from snellen.statistics.bootstrap import scene_weights
from snellen.store.rates import REPLICATES
from snellen.vision.arrays import F64, Bools


def evaluate_pair(
    before: Path,
    after: Path,
    *,
    trained_on: Sequence[DataPart] | None,
    fresh: Path | None = None,
    annotations: SceneSet | None = None,
    by_id: bool = True,
    look: bool = True,
    margin: float = MARGIN,
) -> Evaluation:
    """The evaluation of a repair from two folders with the same cases.

    before: a run of a method that offers `Repairs`, or a replay of it. after: its replay with the
    repaired subject. Clean AP on all scenes needs replays of both, see `replay_run`. trained_on:
    all training and repair data of the repaired subject; None if unknown, and then no improvement
    can be shown. fresh: a new run of the repaired subject. annotations: annotated scenes, if those
    of the run are not annotated. by_id, look: see `held_out`. margin: the tolerated loss of clean
    AP.
    """
    with opened_sides(before, after) as sides, reopened(before, sides[0].journal) as run:
        first, second = sides
        both = pair_cases(first, second)
        held = held_out(_part(run, first), trained_on, by_id=by_id, look=look)
        scenes = scenes_of(run.campaign) if annotations is None else annotations
        return _evaluation(sides, both, held, run, scenes, fresh, margin)


def _part(run: Reopened, side: EvaluationSide) -> DataPart:
    """The evaluation data: the scenes of the run, and the objects inserted in its cases."""
    used = side.inserted()
    library = run.materials.get("objects")
    cut_from = {} if library is None else sources_in(library)
    objects = {id: cut_from.get(id, "") for id in sorted(used)}
    return DataPart(
        f"the evaluation ({side.folder.name})", tuple(run.scenes.values()), objects, True
    )


def _evaluation(
    sides: tuple[EvaluationSide, EvaluationSide],
    both: PairedCases,
    held: HeldOut,
    run: Reopened,
    scenes: SceneSet,
    fresh: Path | None,
    margin: float,
) -> Evaluation:
    seed, failed = journal_seed(sides[0]), both.failed
    weights = scene_weights(len(both.scenes), REPLICATES, np.random.default_rng(seed))
    failures = rate_change(both, failed)
    precision = clean_precision(*sides, scenes, seed)
    equal = equal_reports(sides, both, run, weights)
    verdict, reasons = repair_verdict(
        failures, precision.change if precision else None, held, margin, equal
    )
    detected = ~(both.undetected[0] | both.undetected[1])
    return Evaluation(
        method=str(sides[0].journal.get("method")),
        seed=seed,
        before=_subject(sides[0]),
        after=_subject(sides[1]),
        verdict=verdict,
        reasons=reasons,
        margin=margin,
        scenes=len(both.scenes),
        instances=len(both.instances),
        failures=failures,
        failures_detected=rate_change(both, failed, detected),
        undetected=undetected_change(both),
        repaired=share_of_cases(both, failed[0] & ~failed[1]),
        new=share_of_cases(both, failed[1] & ~failed[0]),
        shares=instance_shares(both, failed, failed_before=True),
        all_shares=instance_shares(both, failed, failed_before=False),
        by_level=_by_level(both, failed),
        by_class=_by_class(both, failed),
        controls=_controls(sides, both),
        uncertainty=_uncertainty(sides, both, weights),
        precision=precision,
        equal=equal,
        fresh=None if fresh is None else fresh_run(fresh, *sides),
        held=held,
        warnings=_warnings(sides, both),
    )


def _subject(side: EvaluationSide) -> EvaluatedSubject:
    traits, asked_at = side.subject, side.journal.get("started")
    return EvaluatedSubject(
        traits["name"], traits["fingerprint"], traits["score"], side.folder, asked_at
    )


def _by_level(both: PairedCases, failed: tuple[Bools, Bools]) -> dict[int, Change]:
    levels = sorted({int(level) for level in both.level if level > 0})
    return {level: rate_change(both, failed, both.level == level) for level in levels}


def _by_class(both: PairedCases, failed: tuple[Bools, Bools]) -> Mapping[str, Change]:
    names = np.array(both.names, dtype=object)
    found = {name: names == name for name in sorted(set(both.names) - {""})}
    return {name: rate_change(both, failed, one) for name, one in found.items()}


def _controls(sides: tuple[EvaluationSide, EvaluationSide], tests: PairedCases) -> Change | None:
    """The failure rate of controls; undetected instances do not count."""
    both = pair_cases(*sides, controls=True)
    if not len(both):
        return None
    assert both.scenes == tests.scenes
    failing = tuple(
        np.array([one.failing for one in side], dtype=bool) for side in (both.before, both.after)
    )
    return rate_change(both, (failing[0], failing[1]))


def _uncertainty(
    sides: tuple[EvaluationSide, EvaluationSide], both: PairedCases, weights: F64
) -> Change | None:
    first, second = (side.uncertainties() for side in sides)
    place = dict(zip(both.instances, both.instance_scenes.tolist(), strict=True))
    shared = [one for one in both.instances if one in first and one in second]
    if not shared:
        return None
    columns = [[float(table[one]) for one in shared] for table in (place, first, second)]
    scene, old, new = (np.array(column) for column in columns)
    return mean_change(scene, old, new, weights)


def _warnings(sides: tuple[EvaluationSide, EvaluationSide], both: PairedCases) -> tuple[str, ...]:
    warnings = [
        f"{side.errors} scenes ended in an error {when} and are excluded from both sides"
        for side, when in zip(sides, ("before", "after"), strict=True)
        if side.errors
    ]
    if sides[0].subject["score"] != sides[1].subject["score"]:
        warnings.append(
            f"the threshold is {sides[0].subject['score']:g} before and "
            f"{sides[1].subject['score']:g} after, which may explain part of the change"
        )
    if sides[0].subject["fingerprint"] == sides[1].subject["fingerprint"]:
        warnings.append("before and after are the same subject")
    if not len(both):
        warnings.append("the run has no tests")
    return tuple(warnings)
