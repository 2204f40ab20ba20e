"""A study with a script instead of files: its trials are given, and its answers are a list."""

from __future__ import annotations

import io
import secrets
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from PIL import Image

from snellen.study.participation import (
    EncodedPicture,
    OutOfOrderError,
    StudyPausedError,
    StudyWording,
    UnknownParticipantError,
)
from snellen.study.trial import (
    AnswerBin,
    Exposure,
    Overview,
    Progress,
    Recorded,
    ShownPicture,
    ShownTrial,
    Stage,
    StudyAnswer,
    StudyCurve,
    StudyTask,
    TrialKind,
)

TRIAL_STAGES = (Stage.PRACTICE, Stage.QUALIFICATION, Stage.BATCHES)
STAGES = (Stage.CONSENT, Stage.INSTRUCTIONS, *TRIAL_STAGES, Stage.FINISHED)
WIDTH, HEIGHT = 320, 240
BOX = (120.0, 80.0, 220.0, 170.0)
"""Where the shape of every picture is."""

WORDING = StudyWording(
    title="What can people see through frost?",
    purpose="We measure how much frost a photograph may have before people lose what is in it.",
    consent="Your answers are used for research.\n\nThey may be published without your code.",
    contact="The vision group, vision@example.org",
    pay="You are paid 2.40 for about 12 minutes, which is 12.00 an hour.",
    minutes=12,
    tasks=tuple(StudyTask),
)
SCRIPTED_CURVE = StudyCurve(
    task=StudyTask.CLASSIFY,
    label="car",
    transformation="frost",
    bins=tuple(
        AnswerBin(delta_v=x, share=y, answers=n)
        for x, y, n in [
            (0, 0.98, 60),
            (0.3, 0.97, 22),
            (0.6, 0.9, 31),
            (0.8, 0.71, 28),
            (0.95, 0.52, 8),
        ]
    ),
    threshold=(0.72, 0.66, 0.8),
    more_answers=140,
)


def shape_picture(seed: int) -> bytes:
    """A PNG of a dark shape in BOX on a bright ground, a little different for each seed."""
    rng = np.random.default_rng(seed)
    pixels = np.full((HEIGHT, WIDTH, 3), (150, 190, 220), np.uint8)
    pixels[150:] = (120, 115, 100)
    x1, y1, x2, y2 = (int(value) for value in BOX)
    pixels[y1:y2, x1:x2] = rng.integers(20, 160, 3)
    return _png(pixels)


def noise_picture(seed: int) -> bytes:
    """A PNG of noise."""
    return _png(np.random.default_rng(seed).integers(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8))


def _png(pixels: np.ndarray[Any, Any]) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG")
    return stream.getvalue()


def scripted_trial(
    task: StudyTask, name: str, kind: TrialKind = TrialKind.TEST, seconds: float = 1.5
) -> ShownTrial:
    """A trial of a task with what the task needs; its pictures are named after it.

    seconds: the time for each box.
    """
    flashes = task in (StudyTask.CLASSIFY, StudyTask.CLASSIFY_BOX)
    count = 2 if flashes else 4 if task is StudyTask.RANK else 1
    return ShownTrial(
        trial=name,
        task=task,
        kind=kind,
        pictures=tuple(
            ShownPicture(name=f"{name}-{number}", width=WIDTH, height=HEIGHT)
            for number in range(count)
        ),
        choices={
            StudyTask.CLASSIFY: ("car", "no car"),
            StudyTask.CLASSIFY_BOX: ("bicycle", "bus", "car", "dog", "person", "none of these"),
        }.get(task, ()),
        box=BOX if task in (StudyTask.CLASSIFY_BOX, StudyTask.SEGMENT) else None,
        label="dog" if task is StudyTask.SEGMENT else None,
        flash_ms=200 if flashes else None,
        box_seconds=seconds if task is StudyTask.LOCALISE else None,
    )


@dataclass
class Given:
    """An answer as it arrived."""

    trial: str
    answer: StudyAnswer
    exposure: Exposure
    response_ms: float


@dataclass
class ScriptedStudy:
    """A participation whose participants all get the same trials; `script` has them by stage.

    Practice says whether the choice was the car; other answers are right.
    """

    script: Mapping[Stage, Sequence[ShownTrial]]
    wording: StudyWording = WORDING
    running: bool = True
    qualifies: bool = True
    stages: dict[str, int] = field(default_factory=dict)
    given: dict[str, list[Given]] = field(default_factory=dict)
    sources: list[dict[str, str]] = field(default_factory=list)
    curves: tuple[StudyCurve, ...] = (SCRIPTED_CURVE,)
    lock: threading.RLock = field(default_factory=threading.RLock)

    def enrol(self, source: Mapping[str, str]) -> str:
        self._check_running()
        code = secrets.token_urlsafe(16)
        with self.lock:
            self.sources.append(dict(source))
            self.stages[code], self.given[code] = 0, []
        return code

    def progress(self, code: str) -> Progress:
        stage = self._stage(code)
        trials = self._trials(stage)
        every = sum(len(one) for one in self.script.values())
        share = 1.0 if stage is Stage.FINISHED else len(self.given[code]) / max(every, 1)
        if not self.running and stage is not Stage.FINISHED:
            stage = Stage.PAUSED
        return Progress(stage=stage, done=self._done(code), of=len(trials), share=share)

    def pass_stage(self, code: str, stage: Stage) -> Progress:
        with self.lock:
            if self._stage(code) is stage and stage in (Stage.CONSENT, Stage.INSTRUCTIONS):
                self._go_on(code)
            elif STAGES[self.stages[code] - 1] is not stage:
                raise OutOfOrderError("That is not the current stage.")
        return self.progress(code)

    def next_trial(self, code: str) -> ShownTrial | None:
        trials = self._trials(self._stage(code))
        done = self._done(code)
        if done >= len(trials):
            return None
        return trials[done].model_copy(update={"place": done + 1, "of": len(trials)})

    def picture(self, code: str, name: str) -> EncodedPicture:
        trial = self.next_trial(code)
        if trial is None or name not in [one.name for one in trial.pictures]:
            raise OutOfOrderError("That picture is not shown now.")
        number = int(name.rpartition("-")[2])
        seed = sum(name.encode())
        noise = trial.flash_ms and number == 1
        content = noise_picture(seed) if noise else shape_picture(seed)
        return EncodedPicture(content=content, media_type="image/png")

    def record(
        self,
        code: str,
        trial: str,
        answer: StudyAnswer,
        exposure: Exposure,
        response_ms: float,
    ) -> Recorded:
        self._check_running()
        with self.lock:
            stage, current = self._stage(code), self.next_trial(code)
            given = self.given[code]
            if given and given[-1].trial == trial and given[-1].answer == answer:
                return Recorded()
            if current is None or current.trial != trial:
                raise OutOfOrderError("That is not the current picture.")
            given.append(Given(trial, answer, exposure, response_ms))
            while self._stage(code) in TRIAL_STAGES and self.next_trial(code) is None:
                self._go_on(code)
        if stage is not Stage.PRACTICE:
            return Recorded()
        right = getattr(answer, "choice", "car") == "car"
        return Recorded(correct=right, solution="car")

    def completion_code(self, code: str) -> str | None:
        return "SEEN-7431" if self._stage(code) is Stage.FINISHED else None

    def completion_link(self, code: str) -> str | None:
        return "https://site.example/done?cc=SEEN-7431" if self.completion_code(code) else None

    def participant_data(self, code: str) -> dict[str, Any]:
        self._stage(code)
        return {"participant": code, "answers": [one.trial for one in self.given[code]]}

    def delete_participant(self, code: str) -> None:
        self._stage(code)
        del self.stages[code], self.given[code]

    def overview(self) -> Overview:
        counts = dict.fromkeys(Stage, 0)
        for place in self.stages.values():
            counts[STAGES[place]] += 1
        answers = sum(len(one) for one in self.given.values())
        return Overview(
            name="frost",
            running=self.running,
            stages=counts,
            answers={StudyTask.CLASSIFY: 120 + answers, StudyTask.LOCALISE: 14},
            expected={StudyTask.CLASSIFY: 400, StudyTask.LOCALISE: 60},
            exposures=(0.973, 120 + answers),
            curves=self.curves,
        )

    def answers(self, after: int, count: int) -> list[dict[str, Any]]:
        every = [one for given in self.given.values() for one in given]
        rows = [{"number": place + 1, "trial": one.trial} for place, one in enumerate(every)]
        return rows[after : after + count]

    def set_running(self, running: bool) -> None:
        self.running = running

    def close(self) -> None:
        pass

    @property
    def answered(self) -> list[Given]:
        """The answers of the only participant."""
        [given] = self.given.values()
        return given

    def _stage(self, code: str) -> Stage:
        if code not in self.stages:
            raise UnknownParticipantError("No participant has this code.")
        if STAGES[self.stages[code]] is Stage.FINISHED and not self.qualifies:
            return Stage.UNQUALIFIED
        return STAGES[self.stages[code]]

    def _trials(self, stage: Stage) -> Sequence[ShownTrial]:
        return self.script.get(stage, ())

    def _done(self, code: str) -> int:
        before = [one for one in STAGES[: self.stages[code]] if one in TRIAL_STAGES]
        return len(self.given[code]) - sum(len(self._trials(one)) for one in before)

    def _go_on(self, code: str) -> None:
        self.stages[code] += 1
        while self._stage(code) in TRIAL_STAGES and not self._trials(self._stage(code)):
            self.stages[code] += 1

    def _check_running(self) -> None:
        if not self.running:
            raise StudyPausedError("The study is paused.")
