"""Arms of a repair, each trained from the same weights, compared on held-out scenes."""

from __future__ import annotations

from collections.abc import Sequence

from snellen.repair.held_out_tests import HeldOutTests
from snellen.repair.page.named_evaluation import NamedEvaluation
from snellen.repair.repair_arms import Arm
from snellen.repair.repair_outcome import Outcome, RepairedSubject
from snellen.repair.training.training_curves import read_curves
from snellen.repair.workspace import Candidate, FinishedRun, Workspace

FIRST = 1


def compare_arms(workspace: Workspace, arms: Sequence[Arm], others: Sequence[Arm] = ()) -> Outcome:
    """Train and evaluate every arm, and those of `others` that were trained before."""
    test = workspace.tested(FIRST, workspace.baseline)
    held = HeldOutTests.of(workspace)
    subjects = {arm: _trained(workspace, arm, test) for arm in arms}
    done = [arm for arm in others if workspace.trained_already(FIRST, arm, workspace.baseline)]
    subjects |= {arm: _trained(workspace, arm, test) for arm in done}
    rows = [
        repaired_row(held, FIRST, arm, candidate, arm.name) for arm, candidate in subjects.items()
    ]
    return Outcome(workspace, test, held.tests, tuple(rows))


def repaired_row(
    held: HeldOutTests, round: int, arm: Arm, candidate: Candidate, name: str
) -> RepairedSubject:
    """One repaired subject compared with the baseline."""
    workspace = held.workspace
    fresh = held.fresh(round, arm, candidate) if workspace.plan.options.fresh else None
    after = held.after(round, arm, candidate)
    workspace.watcher.stage_started(f"evaluating {name}")
    evaluation = held.evaluation(after, fresh=fresh)
    folder = workspace.training(round, arm)
    curves = read_curves(folder)
    named = NamedEvaluation(name, evaluation, arm.failing, arm.random, curves, arm.description)
    return RepairedSubject(named, folder, workspace.facts(round, arm))


def _trained(workspace: Workspace, arm: Arm, test: FinishedRun) -> Candidate:
    sets = [folder for folder in [workspace.pictures(FIRST, arm, test)] if folder is not None]
    return workspace.trained(FIRST, arm, workspace.baseline, sets)
