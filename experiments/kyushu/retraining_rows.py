"""RQ2: YOLOv4-tiny tested, retrained in different ways, and tested again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.kyushu.before_after import Figures, PairedTests, figures, paired_tests
from experiments.kyushu.characteristics import JUDGES
from experiments.kyushu.robustness_runs import ENGINE, HERE, SEED
from experiments.kyushu.run_subset import has_failures, run_part
from experiments.kyushu.scale import RATE, Scale
from experiments.progress_log import ProgressLog
from snellen.repair.evaluation.evaluation import Evaluation
from snellen.repair.evaluation.run_replay import replay_run
from snellen.repair.repair_outcome import Outcome
from snellen.repair.repair_plan import RepairPlan, plan_from
from snellen.repair.repair_watcher import SilentRepairWatcher
from snellen.repair.trained_subject import saved_subject
from snellen.repair.workflow import RepairRequest, run_repair

SPLIT = {"train": 0.25, "repair": 0.375, "evaluate": 0.375}
MORE = "more-training"
PICTURES = 2
"""Most pictures per scene, at different places."""


def row_name(row: tuple[int, int]) -> str:
    """The name of a row of Table 2.

    >>> row_name((3, 0))
    '3f+0r'
    """
    failing, random = row
    return f"{failing}f+{random}r"


@dataclass(frozen=True, eq=False)
class Row:
    """A retrained subject on the failing tests that it was repaired with (own), and held out.

    Both by each criterion. evaluation: of the repair, held out, with any change as a failure.
    """

    name: str
    own: Mapping[str, PairedTests]
    held_out: Mapping[str, PairedTests]
    evaluation: Evaluation
    pictures: int
    steps: int

    def figures(self) -> tuple[dict[str, Figures], dict[str, Figures]]:
        """Own and held out, by each criterion."""
        own, held = (
            {judge: figures(one) for judge, one in both.items()}
            for both in (self.own, self.held_out)
        )
        return own, held


def plan_of(
    subject: Mapping[str, Any],
    scenes: Mapping[str, Any],
    scale: Scale,
    grid: Sequence[tuple[int, int]],
    out: Path,
) -> RepairPlan:
    """The plan of a repair in which any change counts as a failure, as published."""
    values = {
        "method": "robustness",
        "seed": SEED,
        "subject": dict(subject),
        "scenes": dict(scenes),
        "split": SPLIT,
        "robustness": scale.robustness(as_published=True, controls=0.05),
        "configurations": [MORE],
        "retraining": {"failing": 3, "random": 0, "pictures": PICTURES},
        "training": {
            "epochs": scale.epochs,
            "steps": scale.steps,
            "batch": scale.batch,
            "rate": RATE,
            "freeze": "backbone",
            "mix": 0.5,
            "workers": 0,
        },
        "validation": 0.0,
        "grid": [list(row) for row in grid],
        "fresh": False,
        "engine": ENGINE,
        "out": str(out.resolve()),
    }
    return plan_from(values, HERE / "repair.yaml")


def more_training(
    subject: Mapping[str, Any], scenes: Mapping[str, Any], scale: Scale, out: Path
) -> Outcome:
    """The repair with more training only; it also makes the split and both tests."""
    return run_repair(
        plan_of(subject, scenes, scale, scale.grid, out), RepairRequest(resume=True), ProgressLog()
    )


def rows(
    subject: Mapping[str, Any], scenes: Mapping[str, Any], scale: Scale, out: Path
) -> dict[str, Row]:
    """More training and the rows of Table 2, in order; finished ones are reused."""
    first = more_training(subject, scenes, scale, out)
    found = {MORE: row_of(first, MORE, out)}
    for row in scale.grid:
        plan = plan_of(subject, scenes, scale, [row], out)
        outcome = run_repair(plan, RepairRequest(resume=True, grid=True), ProgressLog())
        found[row_name(row)] = row_of(outcome, row_name(row), out)
    return found


def row_of(outcome: Outcome, name: str, out: Path) -> Row:
    """One retrained subject of a repair."""
    [row] = [one for one in outcome.rows if one.named.name == name]
    evaluation = row.named.evaluation
    part = run_part(outcome.test.folder, has_failures, out / "own" / "failed")
    after = out / "own" / name
    replay_run(part, saved_subject(row.folder), after, watcher=SilentRepairWatcher())
    return Row(
        name,
        {judge: paired_tests(part, after, judge) for judge in JUDGES},
        {
            judge: paired_tests(evaluation.before.folder, evaluation.after.folder, judge)
            for judge in JUDGES
        },
        evaluation,
        row.facts["pictures"],
        row.facts["steps"],
    )
