"""Held-out tests of repaired subjects and the baseline."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from snellen.errors import UserError
from snellen.repair.data_split.division import EVALUATE, NAMES, REPAIR, TRAIN
from snellen.repair.digests import digest_of
from snellen.repair.evaluation.evaluation import Evaluation
from snellen.repair.evaluation.paired_evaluation import evaluate_pair
from snellen.repair.evaluation.run_replay import replay_run
from snellen.repair.repair_arms import Arm
from snellen.repair.stages import Facts, RepairStage
from snellen.repair.workspace import Candidate, FinishedRun, RunPlace, Workspace
from snellen.store.run_folder import JOURNAL


@dataclass(frozen=True, eq=False)
class HeldOutTests:
    """Tests on the held-out scenes of one use, put to one subject after another.

    tests: a run of the baseline. before: its replay, which also has the baseline's answers on
    scenes without a test.
    """

    workspace: Workspace
    use: str
    tests: FinishedRun
    before: Path

    @classmethod
    def of(cls, workspace: Workspace, use: str = EVALUATE) -> HeldOutTests:
        """The tests, created once for all repairs."""
        baseline, seed = workspace.baseline, workspace.plan.options.seed
        words = f"testing {baseline.name} on {NAMES[use]}"
        place = RunPlace(use, workspace.folder(0, use, "run"), seed)
        tests = workspace.run(f"0-{use}-run", words, baseline, place)
        if not tests.cases:
            raise UserError(
                f"{workspace.plan.file}: no test is possible on {NAMES[use]} "
                f"({len(workspace.split.sets[use])}): {baseline.name} detects no object above its "
                f"threshold there, or no object for '{use}' fits next to one. Use other scenes or "
                f"objects, or change the options of {workspace.plan.options.method}."
            )
        before = workspace.folder(0, use, "before")
        _replay(workspace, f"0-{use}-before", f"{words} again", tests, None, before)
        return cls(workspace, use, tests, before)

    def after(self, round: int, arm: Arm, candidate: Candidate) -> Path:
        """The folder of the same tests replayed with a repaired subject."""
        workspace = self.workspace
        words = f"round {round}: testing {arm.name} on {NAMES[self.use]}"
        folder = workspace.folder(round, self.use, arm.name, "after")
        _replay(
            workspace, f"{round}-{self.use}-{arm.name}-after", words, self.tests, candidate, folder
        )
        return folder

    def fresh(self, round: int, arm: Arm, candidate: Candidate) -> Path:
        """The folder of a new run of the repaired subject, at new places."""
        workspace, seed = self.workspace, self.workspace.plan.options.seed + 1
        words = f"round {round}: testing {arm.name} at new places"
        folder = workspace.folder(round, self.use, arm.name, "fresh")
        place = RunPlace(self.use, folder, seed)
        workspace.run(f"{round}-{self.use}-{arm.name}-fresh", words, candidate, place)
        return folder

    def evaluation(self, after: Path, *, before: Path | None = None, fresh: Path | None = None
    ) -> Evaluation:  # fmt: skip
        """The change from the baseline, or from the subject of `before`."""
        split, options = self.workspace.split, self.workspace.plan.options
        found = evaluate_pair(
            before or self.before,
            after,
            trained_on=[split.parts[TRAIN], split.parts[REPAIR]],
            fresh=fresh,
            by_id=not options.ids_may_repeat,
            look=False,
            margin=options.margin,
        )
        name = NAMES[self.use]
        alike = tuple(one for one in split.alike if name in (one.part, one.other_part))
        judged_on = replace(found.held.judged_on, name=name)
        return replace(found, held=replace(found.held, judged_on=judged_on, alike=alike))


def _replay(
    workspace: Workspace,
    name: str,
    words: str,
    tests: FinishedRun,
    candidate: Candidate | None,
    out: Path,
) -> None:
    def work() -> Facts:
        subject = None if candidate is None else candidate.values
        replay_run(
            tests.folder, subject, out, folder=workspace.plan.folder, watcher=workspace.watcher
        )
        return {}

    key = digest_of(tests.key, None if candidate is None else candidate.fingerprint)
    workspace.run_stage(RepairStage(name, out, key, required=(JOURNAL,)), words, work)
