"""A study in memory: the calls of `Participation` on a design of pictures that nobody sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from snellen.study.participation import EncodedPicture, OutOfOrderError, StudyWording
from snellen.study.record import (
    ORIGINAL,
    GivenAnswer,
    PlannedTrial,
    StudyRecord,
    StudySample,
    TrueObject,
)
from snellen.study.trial import (
    Exposure,
    Overview,
    Progress,
    Recorded,
    ShownPicture,
    ShownTrial,
    Stage,
    StudyAnswer,
    StudyTask,
    TrialKind,
)

CHOICES = ("yes", "no")
BATCH, SANITY = 20, 2


def sample_of(name: str, scene: str, delta_v: float, transformation: str = "frost") -> StudySample:
    """A sample; a change of 0 is an original."""
    changed = delta_v > 0
    return StudySample(
        sample=name,
        scene=scene,
        transformation=transformation if changed else ORIGINAL,
        level=delta_v if changed else None,
        delta_v=delta_v,
        recipe={},
    )


def classify_design(
    seed: int, scenes: int = 80, originals: float = 0.1, sanity: int = 10
) -> StudyRecord:
    """Each scene shown once unchanged and at one of 25 visual changes; half have the class."""
    rng = np.random.default_rng(seed)
    samples: dict[str, StudySample] = {}
    trials: dict[str, PlannedTrial] = {}

    def add(name: str, scene: str, delta_v: float, kind: TrialKind = TrialKind.TEST) -> None:
        samples[name] = sample_of(name, scene, delta_v)
        right = CHOICES[int(scene.strip("xs")) % 2]
        trials[name] = PlannedTrial(
            trial=name,
            task=StudyTask.CLASSIFY,
            kind=kind,
            samples=(name,),
            label="car",
            choices=CHOICES,
            right=right,
        )

    for number in range(scenes):
        add(f"o{number}", f"s{number}", 0.0)
        for place in range(12):
            change = round(float(rng.uniform(place, place + 1)) / 12, 3)
            add(f"c{number}-{place}", f"s{number}", max(change, 0.001))
    for number in range(sanity):
        add(f"x{number}", f"xs{number}", 0.0, TrialKind.SANITY)
    return StudyRecord("fake", seed, "vifp(sigma_nsq=0.4)", 200.0, samples, {}, trials, ())


class FakeStudy:
    """Batches of 20 and 2 sanity images, dealt at random; no participant sees a scene twice."""

    def __init__(
        self,
        design: StudyRecord,
        batches: int = 2,
        originals: float = 0.1,
        objects: Mapping[str, tuple[TrueObject, ...]] | None = None,
    ) -> None:
        self.design = design
        self.batches, self.originals = batches, originals
        self.rng = np.random.default_rng(design.seed + 1)
        self.sessions: dict[str, list[str]] = {}
        self.places: dict[str, int] = {}
        self.stages: dict[str, Stage] = {}
        self.given: list[GivenAnswer] = []
        self.objects = objects or {}
        self.by_scene: dict[str, list[str]] = {}
        self.checks: list[str] = []
        for name, trial in design.trials.items():
            if trial.kind is TrialKind.SANITY:
                self.checks.append(name)
            else:
                self.by_scene.setdefault(design.samples[trial.samples[0]].scene, []).append(name)

    @property
    def wording(self) -> StudyWording:
        return StudyWording(
            title="t", purpose="p", consent="c", contact="x", tasks=(StudyTask.CLASSIFY,)
        )

    def enrol(self, source: Mapping[str, str]) -> str:
        code = f"p{len(self.sessions):04d}"
        names = []
        count = self.batches * BATCH
        scenes = [str(one) for one in self.rng.permutation(sorted(self.by_scene))][:count]
        for scene in scenes:
            options = self.by_scene[scene]
            original = self.rng.random() < self.originals
            pool = [one for one in options if one.startswith("o") == original]
            names.append(pool[int(self.rng.integers(len(pool)))])
        for place in range(self.batches * SANITY):
            at = int(self.rng.integers(BATCH)) + (place // SANITY) * (BATCH + SANITY)
            names.insert(at, self.checks[place % len(self.checks)])
        self.sessions[code], self.places[code] = names, 0
        self.stages[code] = Stage.CONSENT
        return code

    def progress(self, code: str) -> Progress:
        done, of = self.places[code], len(self.sessions[code])
        stage = Stage.FINISHED if done == of else self.stages[code]
        return Progress(stage=stage, done=done, of=of, share=done / of)

    def pass_stage(self, code: str, stage: Stage) -> Progress:
        following = {Stage.CONSENT: Stage.INSTRUCTIONS, Stage.INSTRUCTIONS: Stage.BATCHES}
        self.stages[code] = following[stage]
        return self.progress(code)

    def next_trial(self, code: str) -> ShownTrial | None:
        if self.places[code] == len(self.sessions[code]):
            return None
        trial = self.design.trials[self.sessions[code][self.places[code]]]
        return ShownTrial(
            trial=trial.trial,
            task=trial.task,
            kind=TrialKind.TEST,
            pictures=(ShownPicture(name="a", width=10, height=10),),
            choices=trial.choices,
            flash_ms=self.design.flash_ms,
        )

    def picture(self, code: str, name: str) -> EncodedPicture:
        return EncodedPicture(content=b"", media_type="image/png")

    def record(
        self, code: str, trial: str, answer: StudyAnswer, exposure: Exposure, response_ms: float
    ) -> Recorded:
        place = self.places[code]
        if self.sessions[code][place] != trial:
            raise OutOfOrderError(trial)
        self.given.append(
            GivenAnswer(
                participant=code,
                trial=trial,
                place=place,
                answer=answer,
                exposure=exposure,
                response_ms=response_ms,
                received=0.0,
            )
        )
        self.places[code] += 1
        return Recorded()

    def completion_code(self, code: str) -> str | None:
        return None

    def completion_link(self, code: str) -> str | None:
        return None

    def answers(self, after: int, count: int) -> list[dict[str, Any]]:
        raise NotImplementedError

    def participant_data(self, code: str) -> dict[str, Any]:
        return {}

    def delete_participant(self, code: str) -> None:
        self.given = [one for one in self.given if one.participant != code]

    def overview(self) -> Overview:
        raise NotImplementedError

    def set_running(self, running: bool) -> None:
        raise NotImplementedError

    def close(self) -> None:
        pass

    def read(self) -> StudyRecord:
        """The record with the answers so far."""
        one = self.design
        return StudyRecord(
            one.name, one.seed, one.measure, one.flash_ms,
            one.samples, one.objects, one.trials, tuple(self.given),
        )  # fmt: skip
