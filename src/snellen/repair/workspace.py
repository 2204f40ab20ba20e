"""What all stages of a repair work with, and those that repair: test, pictures, training."""

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
    """A subject as given or repaired: its part `subject:`, and what tells it from others."""

    values: Mapping[str, Any]
    name: str
    fingerprint: str


@dataclass(frozen=True)
class FinishedRun:
    """A finished run. cases, failing: its tests, and those that broke the relation."""

    folder: Path
    key: str
    cases: int
    failing: int


@dataclass(frozen=True)
class RunPlace:
    """Where and how a run is made: the use whose scenes it tests, its folder, its seed."""

    use: str
    folder: Path
    seed: int


@dataclass(frozen=True, eq=False)
class Workspace:
    """A plan, its split, the folder that all goes to, the subject as given, and who watches."""

    plan: RepairPlan
    split: Split
    stages: Stages
    given: Candidate
    watcher: RepairWatcher

    @property
    def original(self) -> SceneSet:
        """What every way goes on training on: the training scenes, or those of repair as well."""
        sets = self.split.sets
        return (
            join_scene_sets(sets[TRAIN], sets[REPAIR])
            if self.plan.options.unchanged
            else sets[TRAIN]
        )

    def folder(self, round: int, *names: str) -> Path:
        """A stage's folder; round 0 is the subject as given."""
        return self.stages.root.joinpath("rounds", str(round), *names)

    def candidate(self, values: Mapping[str, Any]) -> Candidate:
        """The subject that `subject:` opens."""
        with closing(open_subject(values, self.plan.folder)) as subject:
            return Candidate(values, subject.name, subject.fingerprint)

    def carried_out(self, stage: RepairStage, words: str, work: Callable[[], Facts]) -> Facts:
        """What a stage comes to; `words` tell that it begins, if it has to be done."""

        def told() -> Facts:
            self.watcher.begun(words)
            return work()

        return self.stages.carried_out(stage, told)

    def run(self, stage: str, words: str, who: Candidate, place: RunPlace) -> FinishedRun:
        """A run of the plan's method."""
        use, folder = place.use, place.folder
        campaign = self.plan.campaign(
            who.values, self.split.scenes[use], self.split.objects_of(use), folder, place.seed
        )
        key = digest_of(self.split.key, who.fingerprint, campaign.digest())

        def work() -> Facts:
            run_campaign(campaign, resume=True, watcher=self.watcher)
            with closing(journal_of(folder)) as journal:
                [(cases, failing)] = journal.rows(
                    "SELECT count(*), coalesce(sum(status = 'failing'), 0) FROM cases "
                    "WHERE role = 'test'"
                )
            return {"cases": cases, "failing": failing}

        own = RepairStage(stage, folder, key, needed=(JOURNAL,))
        return FinishedRun(folder, key, **self.carried_out(own, words, work))

    def tested(self, round: int, who: Candidate) -> FinishedRun:
        """The test of a round on the repair scenes, each round at places of its own."""
        words = f"round {round}: testing {who.name} on the repair scenes"
        seed = self.plan.options.seed + round - 1
        place = RunPlace(REPAIR, self.folder(round, "test"), seed)
        return self.run(_test_name(round), words, who, place)

    def test_facts(self, round: int) -> Facts:
        """What is known of the test of a round: cases, failing."""
        return self.stages.known(_test_name(round)) or {}

    def pictures(self, round: int, way: Arm, test: FinishedRun) -> Path | None:
        """The folder of the pictures that a way adds; None if it adds none."""
        if way.retraining is None:
            return None
        if not test.failing:
            raise UserError(
                f"{test.folder}: none of {test.cases} tests failed, so there is nothing to repair "
                f"with. Give more repair scenes, or test more by the options of "
                f"{self.plan.options.method}."
            )
        many = None if way.as_many_as is None else way.as_many_as.model_dump(mode="json")
        folder = self.folder(round, "retrain", way.name)
        key = digest_of(test.key, way.retraining.model_dump(mode="json"), many)
        stage = RepairStage(f"{round}-retrain-{way.name}", folder, key, kept=KEPT)
        words = f"round {round}: making pictures for {way.name}"
        self.carried_out(stage, words, lambda: dict(write_set(test.folder, way, folder)))
        return folder

    def trained(self, round: int, way: Arm, start: Candidate, sets: Sequence[Path]) -> Candidate:
        """The subject that training `start` on the original scenes and these sets gives."""
        folder, options, plan = self.training(round, way), self._training(), self.plan
        name = f"{self.given.name}, {way.name}" + (f", round {round}" if round > 1 else "")

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
            told = {
                "pictures": len(pictures.scenes),
                "steps": (options.steps or 0) * trained.epochs,
            }
            done = {"epochs": trained.epochs, "kept": trained.kept, "early": trained.early}
            return {**told, **done, "name": found.name, "fingerprint": found.fingerprint}

        stage = self._training_stage(round, way, start, sets)
        facts = self.carried_out(stage, f"round {round}: training {way.name}", work)
        return Candidate(saved_subject(folder), facts["name"], facts["fingerprint"])

    def trained_already(self, round: int, way: Arm, start: Candidate) -> bool:
        """Whether a way was trained from this start on its pictures as they are."""
        sets = [] if way.retraining is None else [self.folder(round, "retrain", way.name)]
        return self.stages.done(self._training_stage(round, way, start, sets)) is not None

    def _training_stage(
        self, round: int, way: Arm, start: Candidate, sets: Sequence[Path]
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
        folder = self.training(round, way)
        return RepairStage(_training_name(round, way), folder, key, kept=SAVED, needed=(SUBJECT,))

    def training(self, round: int, way: Arm) -> Path:
        """The folder of a training, with its curves and the subject that came of it."""
        return self.folder(round, "training", way.name)

    def saved(self, round: int, way: Arm) -> Candidate:
        """The subject that an earlier training gave, as it is now."""
        return self.candidate(saved_subject(self.training(round, way)))

    def facts(self, round: int, way: Arm) -> Facts:
        """What is known of a training: pictures, steps, epochs."""
        return self.stages.known(_training_name(round, way)) or {}

    def _training(self) -> TrainingOptions:
        """With a fixed number of steps, the same whatever a way adds."""
        options, given = self.plan.training, self.plan.options
        if options.steps is not None:
            return options
        most = len(self.split.sets[REPAIR]) * given.retraining.pictures
        pictures = len(self.original) + most
        return options.model_copy(update={"steps": math.ceil(pictures / options.batch)})


def _test_name(round: int) -> str:
    return f"{round}-test"


def _training_name(round: int, way: Arm) -> str:
    return f"{round}-training-{way.name}"
