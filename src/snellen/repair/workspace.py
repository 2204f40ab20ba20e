"""The workspace of a repair, with its stages: test, pictures, training."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.engine.run import run_campaign
from snellen.errors import UserError
from snellen.repair.data_split.division import REPAIR, TRAIN
from snellen.repair.data_split.split_folder import Split
from snellen.repair.digests import digest_of, digest_of_file
from snellen.repair.picture_sets import (
    KEPT,
    NO_PICTURES,
    join_picture_sets,
    join_scene_sets,
    read_set,
    write_set,
)
from snellen.repair.repair_arms import Arm
from snellen.repair.repair_plan import RepairPlan
from snellen.repair.repair_watcher import RepairWatcher
from snellen.repair.retraining.set_writer import MANIFEST
from snellen.repair.stages import Facts, RepairStage, Stages
from snellen.repair.trained_subject import SUBJECT, saved_subject, train_subject
from snellen.repair.training.options import TrainingOptions
from snellen.scenes.scene import SceneSet
from snellen.store.journal import journal_of
from snellen.store.run_folder import JOURNAL
from snellen.subjects.registry import open_subject

SAVED = ("*.yaml", "*.weights", "*.cfg", "*.names", "*.onnx", "*.pt")


@dataclass(frozen=True)
class Candidate:
    """A subject, original or repaired: its section `subject:`, name and fingerprint."""

    values: Mapping[str, Any]
    name: str
    fingerprint: str


@dataclass(frozen=True)
class FinishedRun:
    """A finished run. cases, failing: the numbers of tests and of failing tests."""

    folder: Path
    key: str
    cases: int
    failing: int


@dataclass(frozen=True)
class RunPlace:
    """The use whose scenes a run tests, its folder and its seed."""

    use: str
    folder: Path
    seed: int


@dataclass(frozen=True, eq=False)
class Workspace:
    """A plan, its split, its stages, the original subject and the progress display."""

    plan: RepairPlan
    split: Split
    stages: Stages
    baseline: Candidate
    watcher: RepairWatcher

    @property
    def original(self) -> SceneSet:
        """The scenes that every arm trains on: `train`, and `repair` too if `unchanged` is set."""
        sets = self.split.sets
        return (
            join_scene_sets(sets[TRAIN], sets[REPAIR])
            if self.plan.options.unchanged
            else sets[TRAIN]
        )

    def folder(self, round: int, *names: str) -> Path:
        """A stage's folder; round 0 is the baseline."""
        return self.stages.root.joinpath("rounds", str(round), *names)

    def candidate(self, values: Mapping[str, Any]) -> Candidate:
        """The subject that a section `subject:` opens."""
        with closing(open_subject(values, self.plan.folder)) as subject:
            return Candidate(values, subject.name, subject.fingerprint)

    def run_stage(self, stage: RepairStage, words: str, work: Callable[[], Facts]) -> Facts:
        """The stage's facts; shows `words` as progress if the stage has to run."""

        def shown() -> Facts:
            self.watcher.stage_started(words)
            return work()

        return self.stages.run(stage, shown)

    def run(self, stage: str, words: str, candidate: Candidate, place: RunPlace) -> FinishedRun:
        """A run of the plan's method."""
        use, folder = place.use, place.folder
        campaign = self.plan.campaign(
            candidate.values, self.split.scenes[use], self.split.objects_of(use), folder, place.seed
        )
        key = digest_of(self.split.key, candidate.fingerprint, campaign.digest())

        def work() -> Facts:
            run_campaign(campaign, resume=True, watcher=self.watcher)
            with closing(journal_of(folder)) as journal:
                [(cases, failing)] = journal.rows(
                    "SELECT count(*), coalesce(sum(status = 'failing'), 0) FROM cases "
                    "WHERE role = 'test'"
                )
            return {"cases": cases, "failing": failing}

        own = RepairStage(stage, folder, key, required=(JOURNAL,))
        return FinishedRun(folder, key, **self.run_stage(own, words, work))

    def tested(self, round: int, candidate: Candidate) -> FinishedRun:
        """The test of a round on the repair scenes; each round uses new places."""
        words = f"round {round}: testing {candidate.name} on the repair scenes"
        seed = self.plan.options.seed + round - 1
        place = RunPlace(REPAIR, self.folder(round, "test"), seed)
        return self.run(_test_name(round), words, candidate, place)

    def test_facts(self, round: int) -> Facts:
        """The recorded facts of a round's test: cases, failing."""
        return self.stages.recorded(_test_name(round)) or {}

    def pictures(self, round: int, arm: Arm, test: FinishedRun) -> Path | None:
        """The folder of the pictures that an arm adds; None if it adds none."""
        if arm.retraining is None:
            return None
        if not test.failing:
            raise UserError(
                f"{test.folder}: none of {test.cases} tests failed, so there are no failures to "
                "train on. Add repair scenes, or tests by the options of "
                f"{self.plan.options.method}."
            )
        many = None if arm.as_many_as is None else arm.as_many_as.model_dump(mode="json")
        folder = self.folder(round, "retrain", arm.name)
        key = digest_of(test.key, arm.retraining.model_dump(mode="json"), many)
        stage = RepairStage(f"{round}-retrain-{arm.name}", folder, key, unchanged=KEPT)
        words = f"round {round}: making pictures for {arm.name}"
        self.run_stage(stage, words, lambda: dict(write_set(test.folder, arm, folder)))
        return folder

    def trained(self, round: int, arm: Arm, start: Candidate, sets: Sequence[Path]) -> Candidate:
        """The subject from training `start` on the original scenes and these sets."""
        folder, options, plan = self.training(round, arm), self._training(), self.plan
        name = f"{self.baseline.name}, {arm.name}" + (f", round {round}" if round > 1 else "")

        def work() -> Facts:
            pictures = join_picture_sets([read_set(one) for one in sets]) if sets else NO_PICTURES
            trained = train_subject(
                start.values,
                plan.folder,
                self.original,
                pictures,
                options,
                validation=plan.options.validation,
                seed=plan.options.seed,
                name=name,
                out=folder,
                watcher=self.watcher,
            )
            found = self.candidate(saved_subject(folder))
            return {
                "pictures": len(pictures.scenes),
                "steps": (options.steps or 0) * trained.epochs,
                "epochs": trained.epochs,
                "kept": trained.kept_epoch,
                "early": trained.early,
                "name": found.name,
                "fingerprint": found.fingerprint,
            }

        stage = self._training_stage(round, arm, start, sets)
        facts = self.run_stage(stage, f"round {round}: training {arm.name}", work)
        return Candidate(saved_subject(folder), facts["name"], facts["fingerprint"])

    def trained_already(self, round: int, arm: Arm, start: Candidate) -> bool:
        """Whether an arm was trained from this start on its current pictures."""
        sets = [] if arm.retraining is None else [self.folder(round, "retrain", arm.name)]
        return self.stages.done(self._training_stage(round, arm, start, sets)) is not None

    def _training_stage(
        self, round: int, arm: Arm, start: Candidate, sets: Sequence[Path]
    ) -> RepairStage:
        options = self.plan.options
        key = digest_of(
            self.split.key,
            start.fingerprint,
            self._training().model_dump(mode="json", exclude={"workers"}),
            options.validation,
            options.unchanged,
            options.seed,
            [digest_of_file(one / MANIFEST) for one in sets],
        )
        folder = self.training(round, arm)
        return RepairStage(
            _training_name(round, arm), folder, key, unchanged=SAVED, required=(SUBJECT,)
        )

    def training(self, round: int, arm: Arm) -> Path:
        """The folder of a training, with its curves and the trained subject."""
        return self.folder(round, "training", arm.name)

    def saved(self, round: int, arm: Arm) -> Candidate:
        """The subject of an earlier training, as currently saved."""
        return self.candidate(saved_subject(self.training(round, arm)))

    def facts(self, round: int, arm: Arm) -> Facts:
        """The recorded facts of a training: pictures, steps, epochs."""
        return self.stages.recorded(_training_name(round, arm)) or {}

    def _training(self) -> TrainingOptions:
        """Options of training with a fixed number of steps, the same for every arm."""
        options, given = self.plan.training, self.plan.options
        if options.steps is not None:
            return options
        most = len(self.split.sets[REPAIR]) * given.retraining.pictures
        pictures = len(self.original) + most
        return options.model_copy(update={"steps": math.ceil(pictures / options.batch)})


def _test_name(round: int) -> str:
    return f"{round}-test"


def _training_name(round: int, arm: Arm) -> str:
    return f"{round}-training-{arm.name}"
