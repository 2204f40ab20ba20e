"""A new run of the repaired subject: new instances at new places."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from snellen.errors import UserError
from snellen.repair.evaluation.evaluation_sides import CaseOutcome, EvaluationSide
from snellen.repair.evaluation.run_replay import REPLAY
from snellen.statistics.intervals import Interval, Rate
from snellen.statistics.scene_rates import difference, rate
from snellen.store.journal import journal_of
from snellen.vision.arrays import F64


@dataclass(frozen=True)
class FreshRun:
    """The repaired subject's failure rate on cases generated for it.

    difference: its rate minus the first subject's rate on its own cases, on the scenes of both.
    """

    rate: Rate
    instances: int
    scenes: int
    difference: Interval

    def to_json(self) -> dict[str, Any]:
        """JSON values."""
        counts = {"failing": int(self.rate.failing), "cases": int(self.rate.cases)}
        return {
            "rate": {**self.rate.to_json(), **counts},
            "instances": self.instances,
            "scenes": self.scenes,
            "difference": self.difference.to_json(),
        }


def fresh_run(folder: Path, before: EvaluationSide, after: EvaluationSide) -> FreshRun:
    """The figures of a run of the repaired subject, on the scenes that the first run tested."""
    with closing(journal_of(folder)) as journal:
        own = EvaluationSide(folder, journal)
        _check(own, before, after)
        wanted = set(own.scenes.values())
        scenes = [scene for scene in dict.fromkeys(before.scenes.values()) if scene in wanted]
        tests = list(own.tests().values())
    if not scenes:
        raise UserError(f"{folder}: shares no scene with {before.folder}. Pass another run.")
    mine, first = _sums(tests, scenes), _sums(list(before.tests().values()), scenes)
    return FreshRun(
        rate(*mine),
        len({one.instance for one in tests}),
        len(scenes),
        difference(*mine, *first),
    )


def journal_seed(side: EvaluationSide) -> int:
    """The seed of the run, also used for resampling."""
    return int(side.journal.get("seed"))


def _check(own: EvaluationSide, before: EvaluationSide, after: EvaluationSide) -> None:
    if own.subject["fingerprint"] != after.subject["fingerprint"]:
        raise UserError(
            f"{own.folder}: was not run with the subject of {after.folder}. Pass a run of the "
            "repaired subject, or omit it."
        )
    if own.journal.get("method") != before.journal.get("method"):
        raise UserError(
            f"{own.folder}: is a run of method {own.journal.get('method')}, {before.folder} of "
            f"{before.journal.get('method')}. Pass a run of the same method, or omit it."
        )
    if own.journal.get(REPLAY) is not None:
        raise UserError(f"{own.folder}: is a replay, not a run. Pass a run.")


def _sums(tests: list[CaseOutcome], scenes: list[str]) -> tuple[F64, F64]:
    place = {scene: number for number, scene in enumerate(scenes)}
    sums = np.zeros((2, len(scenes)))
    for one in tests:
        if one.scene in place:
            sums[:, place[one.scene]] += (one.failed, 1)
    return sums[0], sums[1]
