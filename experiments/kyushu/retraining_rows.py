"""RQ2: YOLOv4-tiny tested, retrained in different ways, and tested again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.kyushu.before_after import Both, Figures, both_of, figures
from experiments.kyushu.characteristics import JUDGES
from experiments.kyushu.robustness_runs import ENGINE, HERE, SEED
from experiments.kyushu.run_subset import failed, part_of_run
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
"""At most so many pictures of a scene, each at other places."""


def named(row: tuple[int, int]) -> str:
    """What a row of Table 2 is called.

    >>> named((3, 0))
    '3f+0r'
    """
    failing, random = row
    return f"{failing}f+{random}r"


@dataclass(frozen=True, eq=False)
class Row:
    """A retrained subject on the failed tests that it was repaired with (own), and held out.

    Both by each way of judging. evaluation: the repair's own, held out, any change a failure.
    """

    name: str
    own: Mapping[str, Both]
    held_out: Mapping[str, Both]
    evaluation: Evaluation
    pictures: int
    steps: int

    def figures(self) -> tuple[dict[str, Figures], dict[str, Figures]]:
        """Own and held out, by each way of judging."""
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
    """The plan of a repair in which any change is a failure, as published."""
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
    """The repair that only goes on training; with it the split and both tests are there."""
    return run_repair(
        plan_of(subject, scenes, scale, scale.grid, out), RepairRequest(resume=True), ProgressLog()
    )


def rows(
    subject: Mapping[str, Any], scenes: Mapping[str, Any], scale: Scale, out: Path
) -> dict[str, Row]:
    """More training, and the rows of Table 2, one after the other: what is done stays done."""
    first = more_training(subject, scenes, scale, out)
    found = {MORE: row_of(first, MORE, out)}
    for row in scale.grid:
        plan = plan_of(subject, scenes, scale, [row], out)
        outcome = run_repair(plan, RepairRequest(resume=True, grid=True), ProgressLog())
        found[named(row)] = row_of(outcome, named(row), out)
    return found


def row_of(outcome: Outcome, name: str, out: Path) -> Row:
    """One retrained subject of a repair."""
    [row] = [one for one in outcome.rows if one.named.name == name]
    evaluation = row.named.evaluation
    part = part_of_run(outcome.test.folder, failed, out / "own" / "failed")
    after = out / "own" / name
    replay_run(part, saved_subject(row.folder), after, watcher=SilentRepairWatcher())
    return Row(
        name,
        {judge: both_of(part, after, judge) for judge in JUDGES},
        {
            judge: both_of(evaluation.before.folder, evaluation.after.folder, judge)
            for judge in JUDGES
        },
        evaluation,
        row.facts["pictures"],
        row.facts["steps"],
    )
