"""A repaired subject on what was held out, beside the subject as given."""

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
    """Tests on the scenes of one use that is held out, put to one subject after the other.

    tests: a run of the subject as given. before: the same put to it again, for what it sees in
    scenes without a test.
    """

    bench: Workspace
    use: str
    tests: FinishedRun
    before: Path

    @classmethod
    def of(cls, bench: Workspace, use: str = EVALUATE) -> HeldOutTests:
        """The tests, made once for all repairs."""
        given, seed = bench.given, bench.plan.options.seed
        words = f"testing {given.name} on {NAMES[use]}"
        place = RunPlace(use, bench.folder(0, use, "run"), seed)
        tests = bench.run(f"0-{use}-run", words, given, place)
        if not tests.cases:
            raise UserError(
                f"{bench.plan.file}: no test could be made on {NAMES[use]} "
                f"({len(bench.split.sets[use])}): {given.name} is sure of no object there, or none "
                f"of the objects for '{use}' fits beside one. Give other scenes or objects, or "
                f"change the options of {bench.plan.options.method}."
            )
        before = bench.folder(0, use, "before")
        _replay(bench, f"0-{use}-before", f"{words} again", tests, None, before)
        return cls(bench, use, tests, before)

    def after(self, round: int, way: Arm, who: Candidate) -> Path:
        """The folder of the same tests put to a repaired subject."""
        bench = self.bench
        words = f"round {round}: testing {way.name} on {NAMES[self.use]}"
        folder = bench.folder(round, self.use, way.name, "after")
        _replay(bench, f"{round}-{self.use}-{way.name}-after", words, self.tests, who, folder)
        return folder

    def fresh(self, round: int, way: Arm, who: Candidate) -> Path:
        """The folder of a run of the repaired subject's own, at new places."""
        bench, seed = self.bench, self.bench.plan.options.seed + 1
        words = f"round {round}: testing {way.name} at new places"
        folder = bench.folder(round, self.use, way.name, "fresh")
        place = RunPlace(self.use, folder, seed)
        bench.run(f"{round}-{self.use}-{way.name}-fresh", words, who, place)
        return folder

    def evaluation(self, after: Path, *, before: Path | None = None, fresh: Path | None = None
    ) -> Evaluation:  # fmt: skip
        """What changed from the subject as given, or from that of `before`."""
        split, options = self.bench.split, self.bench.plan.options
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
    bench: Workspace, name: str, words: str, tests: FinishedRun, who: Candidate | None, out: Path
) -> None:
    def work() -> Facts:
        subject = None if who is None else who.values
        replay_run(tests.folder, subject, out, folder=bench.plan.folder, watcher=bench.watcher)
        return {}

    key = digest_of(tests.key, None if who is None else who.fingerprint)
    bench.carried_out(RepairStage(name, out, key, needed=(JOURNAL,)), words, work)
