"""Ways to repair, each from the same start, compared on what was held out."""

from __future__ import annotations

from collections.abc import Sequence

from snellen.repair.held_out_tests import HeldOutTests
from snellen.repair.page.named_evaluation import NamedEvaluation
from snellen.repair.repair_arms import Arm
from snellen.repair.repair_outcome import Outcome, RepairedSubject
from snellen.repair.training.training_curves import read_curves
from snellen.repair.workspace import Candidate, FinishedRun, Workspace

FIRST = 1


def compare_arms(bench: Workspace, ways: Sequence[Arm], others: Sequence[Arm] = ()) -> Outcome:
    """Every way trained and evaluated; `others` too, where they were trained before."""
    test = bench.tested(FIRST, bench.given)
    held = HeldOutTests.of(bench)
    subjects = {way: _trained(bench, way, test) for way in ways}
    done = [way for way in others if bench.trained_already(FIRST, way, bench.given)]
    subjects |= {way: _trained(bench, way, test) for way in done}
    rows = [repaired_row(held, FIRST, way, who, way.name) for way, who in subjects.items()]
    return Outcome(bench, test, held.tests, tuple(rows))


def repaired_row(
    held: HeldOutTests, round: int, way: Arm, who: Candidate, name: str
) -> RepairedSubject:
    """One repaired subject beside the subject as given."""
    bench = held.bench
    fresh = held.fresh(round, way, who) if bench.plan.options.fresh else None
    after = held.after(round, way, who)
    bench.watcher.begun(f"reckoning with {name}")
    evaluation = held.evaluation(after, fresh=fresh)
    folder = bench.training(round, way)
    curves = read_curves(folder)
    named = NamedEvaluation(name, evaluation, way.failing, way.random, curves, way.told)
    return RepairedSubject(named, folder, bench.facts(round, way))


def _trained(bench: Workspace, way: Arm, test: FinishedRun) -> Candidate:
    sets = [folder for folder in [bench.pictures(FIRST, way, test)] if folder is not None]
    return bench.trained(FIRST, way, bench.given, sets)
